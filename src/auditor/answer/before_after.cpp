// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "answer/answer.h"
#include "text/units.h"

namespace mpiaudit {
std::string changes_in_words(const BeforeAfter& found) {
    const std::size_t unchanged = found.common - found.changes.size();
    std::vector<std::string> said;
    if (std::abs(found.pace) > std::log(least_change))
        said.push_back(
            fmt::format("All operations together take {} times as long in B: another path between "
                        "the processes, or another pace of the machine",
                        ratio_text(std::exp(found.pace))));
    for (const BeforeAfter::Change& each : found.changes)
        said.push_back(fmt::format("{} is {} times {}", each.operation,
                                   ratio_text(each.ratio > 1 ? each.ratio : 1 / each.ratio),
                                   each.ratio > 1 ? "slower" : "faster"));
    if (!found.missing.empty())
        said.push_back(fmt::format(
            "{}: measured in A and not in B, for want of time or because of an error; see the "
            "reports of B",
            fmt::join(found.missing, ", ")));
    if (unchanged > 0)
        said.push_back(fmt::format("{}o change was found in {}{}", said.empty() ? "N" : "n",
                                   found.changes.empty() ? "" : "the other ",
                                   counted(unchanged, "operation")));
    return fmt::format("{}", fmt::join(said, "; "));
}

std::string in_words(const BeforeAfter& found) {
    return "The baseline is A, this audit B: " + changes_in_words(found);
}

}  // namespace mpiaudit
