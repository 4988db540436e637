// SPDX-License-Identifier: BSD-3-Clause
// Declared in timing/rounds.h.
#include "timing/rounds.h"

#include <algorithm>

#include "judge/statistics.h"
#include "messages/agreement.h"
#include "messages/interruption.h"
#include "simulation/simulation.h"
#include "timing/clock.h"

namespace mpiaudit {
namespace {

constexpr std::size_t window_rounds = 5;
constexpr std::size_t most_rounds = 50;
constexpr double no_longer_faster = 0.95;  // quotient of the medians of two windows
// Rounds after which a library has warmed up, too: its lists of fragments grow for some twenty
// calls. MPI_Alltoall took 7.5 us in these calls, then 5.3, and the advised replacement lost every
// round.
constexpr std::size_t usual_rounds = 25;
constexpr double long_s = 5e-3;  // time after which fewer rounds suffice

int rounds_that_fit(double limit_s, double round_s) {
    return static_cast<int>(std::clamp(limit_s / std::max(round_s, 1e-9), 0.0, 1e6));
}

}  // namespace

bool has_settled(std::span<const double> durations_s, std::size_t window) {
    if (durations_s.size() < 2 * window) return false;
    const auto last = durations_s.last(window);
    const auto before = durations_s.last(2 * window).first(window);
    return judge::median(last) >= no_longer_faster * judge::median(before);
}

WarmUp warm_up_until_settled(Rounds& rounds, std::span<const int> active, MPI_Comm comm,
                             double limit_s) {
    enum { go_on, settled, limited } state = go_on;
    std::vector<double> durations_s;
    const double start = steady_time_s();
    const auto add_rounds = [&](std::size_t number) {
        for (std::size_t i = 0; i < number; ++i) {
            const double round_start = steady_time_s();
            rounds.warm_up(active, 1);
            durations_s.push_back(steady_time_s() - round_start);
        }
    };
    if (decided_by_rank_0(limit_s <= 0.0, comm)) return {};
    while (state == go_on) {
        if (durations_s.empty()) {
            add_rounds(1);
            const int fitting = decided_by_rank_0(
                rounds_that_fit(limit_s - (steady_time_s() - start), durations_s[0]), comm);
            if (fitting < static_cast<int>(window_rounds) - 1) {
                add_rounds(static_cast<std::size_t>(fitting));
                return {1 + fitting, false, judge::median(durations_s)};
            }
            add_rounds(window_rounds - 1);
        } else {
            add_rounds(window_rounds);
        }
        const double elapsed_s = steady_time_s() - start;
        const double window_s = elapsed_s * window_rounds / static_cast<double>(durations_s.size());
        const bool is_over = interruption::received() != 0 || durations_s.size() >= most_rounds ||
                             elapsed_s + window_s > limit_s;
        const bool is_long = platform().time_stands_still || elapsed_s >= long_s ||
                             durations_s.size() >= usual_rounds;
        if ((is_over || is_long) && has_settled(durations_s, window_rounds))
            state = settled;
        else if (is_over)
            state = limited;
        state = static_cast<decltype(state)>(decided_by_rank_0(state, comm));
    }
    return {static_cast<int>(durations_s.size()), state == settled,
            judge::median(std::span(durations_s).last(window_rounds))};
}

WarmUp warm_up_for(Rounds& rounds, std::span<const int> active, MPI_Comm comm, int number,
                   double limit_s) {
    if (number == 0 || decided_by_rank_0(limit_s <= 0.0, comm)) return {};
    double start = steady_time_s();
    rounds.warm_up(active, 1);
    const double first_s = std::max(steady_time_s() - start, 1e-9);
    const int more = decided_by_rank_0(
        std::min(number - 1, rounds_that_fit(limit_s - (steady_time_s() - start), first_s)), comm);
    if (more == 0) return {1, false, first_s};
    start = steady_time_s();
    rounds.warm_up(active, more);
    return {1 + more, false, (steady_time_s() - start) / more};
}

}  // namespace mpiaudit
