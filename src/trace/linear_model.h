// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace mpiaudit {

/// The linear transmission model of Träff 2017, section 1, and of Thakur & Gropp 2003, section 3: a
/// message of m units takes alpha + beta m, the reduction of m units on one rank gamma m, and local
/// copies nothing. A rank sends one message and receives one at a time, both at once if need be.
struct LinearModel {
    double alpha;
    double beta;
    double gamma = 0;
};

}  // namespace mpiaudit
