// SPDX-License-Identifier: BSD-3-Clause
#include "timing/synchronisation.h"

#include <algorithm>
#include <array>
#include <span>

#include "collectives/barrier/barrier.h"
#include "messages/under_test.h"
#include "simulation/simulation.h"

namespace mpiaudit {
namespace {

void native(MPI_Comm comm) {
    under_test::look_at(MPI_Barrier(comm));
}
void dissemination(MPI_Comm comm) {
    dissemination_Barrier(comm);
}

void simultaneous(MPI_Comm) {
    simulation::wait_together();
}

constexpr std::array all = {Synchronisation{"barrier", native},
                            Synchronisation{"dissemination", dissemination},
                            Synchronisation{"simultaneous", simultaneous}};

std::span<const Synchronisation> synchronisations() {
    return std::span(all).first(all.size() - (platform().starts_simultaneously ? 0 : 1));
}

}  // namespace

std::optional<Synchronisation> find_synchronisation(std::string_view name) {
    const auto valid = synchronisations();
    const auto found = std::ranges::find(valid, name, &Synchronisation::name);
    if (found == valid.end()) return std::nullopt;
    return *found;
}

std::vector<std::string> synchronisation_names() {
    std::vector<std::string> names;
    for (const Synchronisation& each : synchronisations()) names.emplace_back(each.name);
    return names;
}

std::optional<SampleStarts> find_sample_starts(std::string_view name) {
    if (const auto barrier = find_synchronisation(name)) return SampleStarts{*barrier, true, false};
    if (name == "global") return SampleStarts{synchronisations().front(), false, true};
    if (name == "both") return SampleStarts{synchronisations().front(), true, true};
    return std::nullopt;
}

std::vector<std::string> sample_start_names() {
    std::vector<std::string> names = synchronisation_names();
    names.insert(names.end(), {"global", "both"});
    return names;
}

}  // namespace mpiaudit
