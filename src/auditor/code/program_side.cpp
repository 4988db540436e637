// SPDX-License-Identifier: BSD-3-Clause
// Defines program_side() of program.h.
#include "code/program.h"

#include <algorithm>
#include <utility>

#include "code/pasted_calls.h"

namespace mpiaudit {
std::optional<ProgramSide> program_side(const record::ContestantDescription& way,
                                        const record::Header& header) {
    auto calls = calls_of_way(way, header.implementations);
    // Communicators of two halves need two ranks.
    if (!calls ||
        (header.machine.ranks < 2 && names_in(calls->calls).contains(c_text::Name::merged_comm)))
        return std::nullopt;
    const auto last =
        std::ranges::find_if(way.steps.rbegin(), way.steps.rend(),
                             [](const record::Step& each) { return !each.is_view(); });
    const LayoutName from(way.from), result(last->to);
    if (result.is_packed) return std::nullopt;
    return ProgramSide{.name = way.name,
                       .calls = std::move(*calls),
                       .from = from.holding,
                       .to = LayoutName(way.to).holding,
                       .result = result.holding,
                       .scale = way.name.way().scale,
                       .is_padded = !from.is_padded && result.is_padded,
                       .has_equal_blocks = from.is_padded};
}

}  // namespace mpiaudit
