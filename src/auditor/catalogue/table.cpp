// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/table.h"

#include <fmt/format.h>

namespace mpiaudit {

std::string nonblocking_name(std::string_view blocking) {
    std::string name(blocking);
    const std::size_t initial = std::string_view("MPI_").size();
    name[initial] = static_cast<char>(name[initial] - 'A' + 'a');
    return name.insert(initial, "I");
}

std::vector<Arrow> NativeOperation::started_forms() const {
    const auto form = [&](Kind kind, std::string form_name, std::string says, Prepare prepare,
                          unsigned more_needs) {
        return Arrow{std::move(form_name),
                     common.collective,
                     kind,
                     common.from,
                     common.to,
                     std::move(says),
                     prepare,
                     common.needs | more_needs};
    };
    return {
        form(Kind::native, std::string(name), std::string(summary), blocking, anything),
        form(Kind::nonblocking, nonblocking_name(name),
             fmt::format("{} started without blocking, and MPI_Wait", name), nonblocking, anything),
        form(Kind::persistent, fmt::format("{}_init", name),
             fmt::format("{} initialised before; MPI_Start and MPI_Wait", name), persistent,
             persistent_needs),
        form(Kind::variant, fmt::format("{}_init[once]", name),
             fmt::format("{} initialised, started, waited for and freed", name), persistent_once,
             persistent_needs)};
}

std::optional<Arrow> NativeOperation::in_place_form() const {
    if (in_place == nullptr) return std::nullopt;
    Arrow arrow{fmt::format("{}[in place]", name),
                common.collective,
                Kind::in_place,
                common.from,
                common.to,
                fmt::format("{} {}", name, common.in_place),
                in_place,
                common.needs | common.in_place_needs,
                common.in_place_scratch};
    arrow.input = input;
    return arrow;
}

Arrow reference(const Common& common, std::string_view name, std::string_view summary,
                Prepare prepare, unsigned needs) {
    return {std::string(name), common.collective,    Kind::reference, common.from,
            common.to,         std::string(summary), prepare,         common.needs | needs};
}

std::vector<Arrow> arrows(const Table& table) {
    std::vector<Arrow> all;
    const auto add = [&](const std::vector<Arrow>& some) {
        all.insert(all.end(), some.begin(), some.end());
    };
    for (const NativeOperation& each : table.operations) add(each.started_forms());
    add(table.other_uses);
    for (const NativeOperation& each : table.operations) {
        if (auto arrow = each.in_place_form()) all.push_back(std::move(*arrow));
    }
    add(table.algorithms);
    return all;
}

}  // namespace mpiaudit
