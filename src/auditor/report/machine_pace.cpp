// SPDX-License-Identifier: BSD-3-Clause
#include "report/machine_pace.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace mpiaudit {
namespace {

/// As many times as long, or as short, as usual. Where the host of a virtual machine had moved two
/// processors apart it was 2.3 times; from problem to problem it may be 1.6 without that.
constexpr double another_pace = 1.75;

}  // namespace

std::optional<std::string> warning_of_pace(std::span<const record::Audit> launches) {
    std::vector<record::BarrierTimes> problems;
    std::vector<double> times_s;
    for (const record::Audit& launch : launches) {
        for (const record::ProblemRecord& problem : launch.problems) {
            if (!problem.barrier) continue;
            problems.push_back(*problem.barrier);
            times_s.insert(times_s.end(), {problem.barrier->before_s, problem.barrier->after_s});
        }
    }
    if (times_s.empty()) return std::nullopt;
    std::ranges::sort(times_s);
    const double usual_s = times_s[times_s.size() / 2];
    const auto is_usual = [&](double time_s) {
        return time_s < another_pace * usual_s && usual_s < another_pace * time_s;
    };
    const auto others = std::ranges::count_if(problems, [&](const record::BarrierTimes& each) {
        return !is_usual(each.before_s) || !is_usual(each.after_s);
    });
    if (usual_s <= 0.0 || others == 0) return std::nullopt;
    return fmt::format(
        "the machine changed its pace: a barrier took {:.2g} to {:.2g} us, {:.2g} us in the "
        "median, and far from that around {} of {} problems, where another launch may find "
        "something else; virtual processors that their host moves do that, and other jobs: ask the "
        "scheduler for whole nodes (--exclusive), or confirm by more launches (--confirm)",
        times_s.front() * 1e6, times_s.back() * 1e6, usual_s * 1e6, others, problems.size());
}

}  // namespace mpiaudit
