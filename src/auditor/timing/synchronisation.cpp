// SPDX-License-Identifier: BSD-3-Clause
#include "timing/synchronisation.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <span>

#include "collectives/barrier/barrier.h"
#include "collectives/bcast/bcast.h"
#include "messages/agreement.h"
#include "messages/under_test.h"
#include "simulation/simulation.h"

namespace mpiaudit {
namespace {

constexpr std::array all = {
    Synchronisation{"barrier", [](MPI_Comm comm) { under_test::look_at(MPI_Barrier(comm)); }},
    Synchronisation{"dissemination", [](MPI_Comm comm) { dissemination_Barrier(comm); }},
    Synchronisation{"simultaneous", [](MPI_Comm) { simulation::wait_together(); }}};

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
    if (const auto barrier = find_synchronisation(name)) return SampleStarts{*barrier, false};
    if (name == "global") return SampleStarts{synchronisations().front(), true};
    return std::nullopt;
}

std::vector<std::string> sample_start_names() {
    std::vector<std::string> names = synchronisation_names();
    names.emplace_back("global");
    return names;
}

namespace {

constexpr int trials = 51;  // announcements whose delays are measured
// Bounds of the time between announcement and start.
constexpr double least_ahead_s = 2e-6;
constexpr double most_ahead_s = 1.0;
// A rank that waits longer than this (s) yields its core: on an overloaded machine, to ranks that
// have not received the announcement.
constexpr double long_wait_s = 100e-6;

}  // namespace

StartWindow::StartWindow(MPI_Comm comm, GlobalClock& clock)
    : comm_{comm}, clock_{&clock}, ahead_s_{0.0} {
    const under_test::InHarness in_harness;
    std::vector<double> delays_s;
    for (int i = 0; i < trials; ++i) delays_s.push_back(-arrive());
    // Nine of ten announcements arrive within this time on this rank; takes twice the longest of
    // all ranks.
    std::ranges::sort(delays_s);
    ahead_s_ = 2 * delays_s[trials * 9 / 10];
    ahead_s_ = std::clamp(largest_of_ranks(ahead_s_, comm_), least_ahead_s, most_ahead_s);
}

double StartWindow::arrive() {
    // The barrier keeps the announcement from arriving while ranks are still in the last operation.
    dissemination_Barrier(comm_);
    start_s_ = now() + ahead_s_;
    binomial_Bcast(&start_s_, 1, MPI_DOUBLE, 0, comm_);
    return start_s_ - now();
}

bool StartWindow::wait(double delay_s) {
    if (arrive() < 0.0) return false;
    const double own_start_s = start_s_ + delay_s;
    for (double left_s = own_start_s - now(); left_s > 0.0; left_s = own_start_s - now()) {
        if (left_s > long_wait_s) sched_yield();
    }
    return true;
}

void StartWindow::adapt(double late_share) {
    if (late_share > 0.1) ahead_s_ *= late_share > 0.5 ? 4 : 2;
    if (late_share == 0.0) ahead_s_ *= 0.95;
    ahead_s_ = std::clamp(ahead_s_, least_ahead_s, most_ahead_s);
}

}  // namespace mpiaudit
