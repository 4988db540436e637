// SPDX-License-Identifier: BSD-3-Clause
#include "record/audit_record.h"

#include <stdexcept>

namespace mpiaudit::record {

std::uint64_t Header::order_seed() const {
    const OptionValue* const seed = find_option(options, "order-seed");
    if (seed == nullptr || !std::holds_alternative<std::uint64_t>(*seed))
        throw std::logic_error("an audit without the option order-seed");
    return std::get<std::uint64_t>(*seed);
}

std::vector<std::string> Header::host_names() const {
    std::vector<std::string> names;
    for (const Host& host : machine.hosts) names.push_back(host.name);
    return names;
}

}  // namespace mpiaudit::record
