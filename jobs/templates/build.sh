#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the program on the host that submits, with the modules that the jobs load.
set -euo pipefail

cd @ROOT@
@SETUP@
jobs/setup --for run --mpi @MPI@
jobs/build @PRESET@
