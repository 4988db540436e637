// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>

#include "catalogue/arrow.h"

namespace mpiaudit {

/// Whether the algorithm makes datatypes in every call, which can be done alone.
bool has_types_only(std::string_view algorithm);

/// The datatype work of one call of such an algorithm without any communication (Träff, Rougier,
/// Hunold 2014, section 4.2). Its call writes to no buffer.
Call prepare_types_only(std::string_view algorithm, const Instance& instance, Layout from,
                        Layout to);

}  // namespace mpiaudit
