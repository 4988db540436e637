// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace mpiaudit {

/// Returns the message of the error of this type that the call throws; empty if it throws nothing.
template <class Error = std::invalid_argument, class Call>
std::string error_message(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace mpiaudit
