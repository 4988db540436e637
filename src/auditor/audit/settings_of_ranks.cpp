// SPDX-License-Identifier: BSD-3-Clause
// read_settings() and outcomes_of() of audit/steps.h.
#include <fmt/format.h>

#include <algorithm>

#include "audit/steps.h"
#include "machine/machine_description.h"
#include "mpi/environment.h"
#include "mpi/library_algorithms.h"
#include "mpi/texts.h"

namespace mpiaudit {
namespace {

settings::Library library_of_rank() {
    settings::Library library{.name = Environment::name_of_library(),
                              .variables = control_variables(),
                              .environment = steering_variables()};
    library.audit_sets_dynamic_rules = is_set_by_audit("OMPI_MCA_coll_tuned_use_dynamic_rules");
    std::erase_if(library.environment,
                  [](const auto& each) { return is_set_by_audit(each.first); });
    return library;
}

}  // namespace

SettingsOfRanks read_settings() {
    SettingsOfRanks read{library_of_rank(), {}};
    const std::vector<std::string> own =
        settings::lines(settings::outcomes(read.library, settings::read_regular_file));
    const std::vector<std::string> all = gather_texts(packed(own));
    if (all.empty()) return {};
    for (std::size_t rank = 1; rank < all.size(); ++rank) {
        const auto others = unpacked<std::vector<std::string>>(all[rank]);
        if (others == own) continue;
        const auto first = std::ranges::find_if(
            others, [&](const std::string& each) { return std::ranges::count(own, each) == 0; });
        read.differing.push_back(
            {"rank",
             std::to_string(rank),
             "",
             {},
             fmt::format("rank {} has other settings than rank 0: {}", rank,
                         first == others.end() ? "some of them are missing" : *first)});
        break;
    }
    return read;
}

std::vector<settings::Outcome> outcomes_of(const SettingsOfRanks& settings) {
    if (settings.library.name.empty()) return {};
    std::vector<settings::Outcome> all =
        settings::outcomes(settings.library, settings::read_regular_file);
    all.insert(all.end(), settings.differing.begin(), settings.differing.end());
    return all;
}

}  // namespace mpiaudit
