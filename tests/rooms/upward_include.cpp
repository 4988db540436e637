// SPDX-License-Identifier: BSD-3-Clause
// What judges numbers does not see who asks it to.
#include "report/report.h"
