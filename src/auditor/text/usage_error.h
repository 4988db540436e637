// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>

namespace mpiaudit {

/// Wrong use of the command line or a file: one message, exit code 2 on every rank.
class UsageError : public std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

}  // namespace mpiaudit
