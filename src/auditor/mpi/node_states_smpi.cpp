// SPDX-License-Identifier: BSD-3-Clause
// Nobody watches simulated ranks: see watchdog_smpi.cpp.
