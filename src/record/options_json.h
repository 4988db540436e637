// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "options/option_value.h"

namespace mpiaudit {

// Until the record is read and written as types.
nlohmann::json as_json(const OptionValues& options);
OptionValues as_options(const nlohmann::json& recorded);

}  // namespace mpiaudit
