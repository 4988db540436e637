// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "report/report.h"

namespace mpiaudit {

/// Ways by name and layouts.
using WaySet = std::set<std::tuple<std::string, std::string, std::string>>;

/// Returns the ways whose result was wrong on a problem of a launch. No program is told to take
/// such a way, even where its result was right.
WaySet wrong_ways(std::span<const record::Audit> launches);
bool contains(const WaySet& ways, const record::ContestantDescription& way);

/// Returns true if the result of a contestant was wrong: in this audit, in a simulation, or as this
/// version of the library is known to fail.
bool is_wrong(const record::ContestantDescription& way);

/// The contestants of a report by name and layouts, with their problems.
class Ways {
  public:
    explicit Ways(const Report& report);

    /// Returns where the replacement of the left side of a check is no good: for each distribution
    /// the problem on which its result was wrong, or on which it took longest by more than
    /// `clear_ratio`. Wrong results come first, then the largest ratio.
    std::vector<Caveat> caveats_of(const JudgedCheck& check, const WayName& replacement) const;

  private:
    using Place = std::pair<const ReportedProblem*, const ReportedContestant*>;
    using Key = std::tuple<std::string_view, std::string_view, std::string_view>;

    const Report& report_;
    std::map<Key, std::vector<Place>> places_;
};

}  // namespace mpiaudit
