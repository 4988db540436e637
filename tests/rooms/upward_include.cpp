// SPDX-License-Identifier: BSD-3-Clause
// The room judge does not see the rooms that use it.
#include "report/report.h"
