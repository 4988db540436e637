// SPDX-License-Identifier: BSD-3-Clause
#include "settings/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "settings/selection_tree.h"
#include "settings/tuned_rules.h"

namespace mpiaudit::settings {
namespace {

/// Returns bytes of all blocks together for a size that coll/tuned compares.
std::int64_t total_bytes(const TunedCollective& collective, std::int64_t compared, bool is_last,
                         int ranks) {
    if (compared == any_bytes || collective.compared != Compared::mean_block) return compared;
    return compared * ranks + (is_last ? ranks - 1 : 0);
}

std::vector<Choice> choices_of_rules(const std::string& text, const ChoiceContext& context) {
    std::vector<Choice> choices;
    for (const RulesOfCollective& rules : read_tuned_rules(text, context.library)) {
        const TunedCollective& collective = *rules.collective;
        const RulesOfRanks* const entry = rules.find(context.ranks);
        if (entry == nullptr || !collective.has_algorithms) continue;
        const bool has_sizes = collective.compared != Compared::nothing;
        for (const SizeRule& rule : entry->sizes) {
            // Without a size to compare only the first rule acts.
            const bool acts = rule.from <= rule.to && (has_sizes || rule.from == 0);
            if (rule.is_own_choice() || !acts) continue;
            choices.push_back(
                {std::string(collective.name),
                 total_bytes(collective, rule.from, false, context.ranks),
                 has_sizes ? total_bytes(collective, rule.to, true, context.ranks) : any_bytes,
                 rule.algorithm, rule.name});
        }
    }
    return choices;
}

std::vector<Choice> choices_of_tree(const std::string& text, const ChoiceContext& context) {
    const SelectionTree tree(text);
    const std::optional<std::string> own_text = own_selection();
    const std::optional<SelectionTree> own =
        own_text ? std::optional(SelectionTree(*own_text)) : std::nullopt;
    std::vector<Choice> choices;
    for (const std::string& collective : tree.collectives()) {
        // The choice is constant up to and including each limit.
        std::vector<std::int64_t> limits = tree.limits(collective, context.ranks);
        limits.push_back(any_bytes);
        std::int64_t from = 0;
        for (const std::int64_t limit : limits) {
            const std::int64_t inside = limit == any_bytes ? 2 * from + 1 : (from + limit) / 2;
            const Call call{collective, context.ranks, inside, context.element_bytes};
            const std::string algorithm = tree.choice(call);
            const bool is_new = !own || own->choice(call) != algorithm;
            if (is_new && !algorithm.empty() && !algorithm.starts_with('{'))
                choices.push_back({collective, from, limit, 0, algorithm});
            from = limit == any_bytes ? limit : limit + 1;
        }
    }
    return choices;
}

}  // namespace

std::vector<Choice> choices_in(const std::string& text, const ChoiceContext& context) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool is_tree = first != std::string::npos && text[first] == '{' &&
                         text.find("\"collective=") != std::string::npos;
    const bool is_open_mpi = context.library.starts_with("Open MPI");
    if (!is_open_mpi && !context.library.starts_with("MPICH"))
        throw std::invalid_argument(
            fmt::format("files with rules are known of Open MPI and MPICH, and this library is {}",
                        context.library));
    if (is_open_mpi && is_tree)
        throw std::invalid_argument(
            fmt::format("it is a file of MPICH, and this library is {}", context.library));
    if (!is_open_mpi && !is_tree)
        throw std::invalid_argument(
            fmt::format("it is no JSON file of MPICH (\"collective=...\"), and this library is {}",
                        context.library));
    return is_tree ? choices_of_tree(text, context) : choices_of_rules(text, context);
}

std::vector<std::int64_t> block_sizes_for(const std::vector<Choice>& choices,
                                          const ChoiceContext& context, std::int64_t most_bytes) {
    // A range without an end is audited up to this multiple of its begin.
    constexpr std::int64_t multiple = 16, least_of_last = 1024;
    const std::int64_t unit = context.ranks * context.element_bytes;
    std::set<std::int64_t> sizes;
    for (const Choice& each : choices) {
        const std::int64_t begin = std::max<std::int64_t>(1, (each.from_bytes + unit - 1) / unit);
        const std::int64_t wanted =
            each.to_bytes == any_bytes
                ? std::max(multiple * begin, begin == 1 ? least_of_last : std::int64_t{1})
                : std::max<std::int64_t>(begin, each.to_bytes / unit);
        const std::int64_t end = std::min(wanted, std::max<std::int64_t>(1, most_bytes / unit));
        if (begin > end) continue;
        const auto middle = static_cast<std::int64_t>(
            std::sqrt(static_cast<double>(begin) * static_cast<double>(end)));
        sizes.insert({begin, std::clamp(middle, begin, end), end});
    }
    return {sizes.begin(), sizes.end()};
}

}  // namespace mpiaudit::settings
