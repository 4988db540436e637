// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "judge/statistics.h"

namespace mpiaudit {

/// Why a contestant has no samples, or a check no verdict. In brackets: the numbers of a reason, in
/// their order.
enum class ReasonKind : std::uint8_t {
    // No samples.
    no_time,
    slower_reference,  ///< [algorithms measured, all algorithms, seconds that measure all]
    does_not_fit,
    too_much_memory,
    refused,  ///< by the library, which was told which algorithm to take
    fails_in_simulation,
    too_slow_to_simulate,
    known_to_fail,
    wrong,
    starts_too_late,  ///< [rounds]
    clocks_differ,    ///< [rounds, rounds that began late]
    // Samples, but no verdict.
    order_of_calls,
    contradicted,      ///< [1: was violated, rounds of the evidence or 0 for launches, all rounds,
                       ///< median ratio, left s, right s]
    budget_used,       ///< [rounds]
    too_close,         ///< [rounds]
    not_clear,         ///< [rounds, launches]
    launches_disagree  ///< [number of the launch, ratio, 1: no evidence] of each launch
};
inline constexpr judge::Names<ReasonKind, 17> reason_names{
    {{{ReasonKind::no_time, "no time"},
      {ReasonKind::slower_reference, "slower reference"},
      {ReasonKind::does_not_fit, "does not fit"},
      {ReasonKind::too_much_memory, "too much memory"},
      {ReasonKind::refused, "refused"},
      {ReasonKind::fails_in_simulation, "fails in simulation"},
      {ReasonKind::too_slow_to_simulate, "too slow to simulate"},
      {ReasonKind::known_to_fail, "known to fail"},
      {ReasonKind::wrong, "wrong"},
      {ReasonKind::starts_too_late, "starts too late"},
      {ReasonKind::clocks_differ, "clocks differ"},
      {ReasonKind::order_of_calls, "order of calls"},
      {ReasonKind::contradicted, "contradicted"},
      {ReasonKind::budget_used, "budget used"},
      {ReasonKind::too_close, "too close"},
      {ReasonKind::not_clear, "not clear"},
      {ReasonKind::launches_disagree, "launches disagree"}}}};

/// A reason. Code asks for the kind, people read in_words().
struct Reason {
    ReasonKind kind{};
    std::string said = {};  ///< what the library, the catalogue or the verification says
    std::vector<double> numbers = {};
    std::string subject = {};  ///< the contestant that the reason of a check is about

    bool operator==(const Reason&) const = default;
};

/// The only place with the words of reasons.
std::string in_words(const Reason& reason);

/// Of an attempt that takes too long. \param limit "takes more than 3 core seconds"
Reason too_slow_to_simulate(const std::string& limit);

/// Returns the reason of a contestant whose words, kind and numbers a file has.
Reason reason_of_text(ReasonKind kind, const std::string& text, std::vector<double> numbers);

}  // namespace mpiaudit
