// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace mpiaudit {

/// The message of the std::invalid_argument that the call throws; empty when it throws nothing.
template <typename Call>
std::string error_message(Call&& call) {
    try {
        call();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

}  // namespace mpiaudit
