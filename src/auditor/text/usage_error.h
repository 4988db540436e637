// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>

namespace mpiaudit {

/// Wrong use of the command line or a file: one message, exit code 2 on every rank.
class UsageError : public std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// What `make` returns. What it throws about a value or a text is the user's: it was given.
auto or_usage_error(const auto& make) {
    try {
        return make();
    } catch (const UsageError&) {
        throw;
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
}

}  // namespace mpiaudit
