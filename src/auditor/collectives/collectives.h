// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// All reference algorithms, each with the signature of its MPI counterpart.
#include "allgather/allgather.h"
#include "allreduce/allreduce.h"
#include "alltoall/alltoall.h"
#include "barrier/barrier.h"
#include "bcast/bcast.h"
#include "gather/gather.h"
#include "nodes/nodes.h"
#include "reduce/reduce.h"
#include "reduce_scatter/reduce_scatter.h"
#include "scan/scan.h"
#include "scatter/scatter.h"
