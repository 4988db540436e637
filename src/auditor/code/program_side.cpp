// SPDX-License-Identifier: BSD-3-Clause
// Defines program_side() of program.h.
#include "code/program.h"

#include <algorithm>
#include <string_view>

#include "code/filled_text.h"
#include "problem/element.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

constexpr std::string_view padded_word = "padded ";

}  // namespace

std::optional<ProgramSide> program_side(const record::ContestantDescription& way,
                                        const record::Header& header) {
    const auto calls = calls_with_algorithms(way, header.implementations);
    // Communicators of two halves need two ranks.
    if (!calls || (calls->text.find("_comm)") != std::string::npos && header.machine.ranks < 2))
        return std::nullopt;
    const auto last =
        std::ranges::find_if(way.steps.rbegin(), way.steps.rend(),
                             [](const record::Step& each) { return !each.is_view(); });
    if (last->to.starts_with("packed ")) return std::nullopt;
    const auto without_padding = [](std::string layout) {
        if (layout.starts_with(padded_word)) layout.erase(0, padded_word.size());
        return layout;
    };
    const bool begins_padded = way.from.starts_with(padded_word);
    return ProgramSide{.name = way.name,
                       .calls = *calls,
                       .from = without_padding(way.from),
                       .to = without_padding(way.to),
                       .result = without_padding(last->to),
                       .scale = way.name.way().scale,
                       .is_padded = !begins_padded && last->to.starts_with(padded_word),
                       .has_equal_blocks = begins_padded};
}

}  // namespace mpiaudit
