// SPDX-License-Identifier: BSD-3-Clause
// Defines add_rules() of violations.h, and path_of() and rules_beside() of repair.h: rules that
// replace calls by compositions and reference algorithms.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "paths/paths.h"
#include "repair/violations.h"

namespace mpiaudit::repair {
namespace {

/// Returns why libmpiaudit-repair.so cannot take the way; nullopt if it can.
std::optional<std::string> no_path(const std::string& collective, const FasterWay& way) {
    if (way.is_forced) return "an algorithm of the library, which only a setting selects";
    try {
        paths::find_path(collective, path_of(way.contestant));
        return std::nullopt;
    } catch (const std::invalid_argument&) {
        return way.contestant + " is no path of libmpiaudit-repair.so";
    }
}

/// Removes sizes that were audited with user-defined operators: such calls stay with the library,
/// so their times do not matter for rules.
AuditedCollective without_own_operators(AuditedCollective collective) {
    if (rules::find_collective(collective.name)->is_reduction())
        std::erase_if(collective.sizes, [](const AuditedSize& size) {
            return size.problem->problem.op.starts_with("user");
        });
    return collective;
}

class RulesOfCollective {
  public:
    RulesOfCollective(const Report& report, const AuditedCollective& collective,
                      const Wishes& wishes, Repairs& repairs)
        : report_{report},
          collective_{without_own_operators(collective)},
          operation_{*rules::find_collective(collective.name)},
          wishes_{wishes},
          repairs_{repairs} {}

    void add() {
        const bool is_violated = std::ranges::any_of(
            collective_.sizes, [](const AuditedSize& size) { return !size.faster.empty(); });
        if (!is_violated) return;
        if (operation_.known_size() == KnownSize::nothing)
            add_one_for_all();
        else if (operation_.known_size() == KnownSize::block)
            add_ranges();
        else
            add_blocks();
    }

  private:
    /// Returns whether rules may send calls of this size to the way. Notes the reason if they may
    /// not.
    bool may_take(const AuditedSize& size, const FasterWay& way) {
        if (const auto why = no_path(collective_.name, way)) {
            reasons_.insert(*why);
            return false;
        }
        if (operation_.is_reduction() && size.depends_on_order &&
            paths::find_path(collective_.name, path_of(way.contestant)).needs_exact_sums) {
            reasons_.insert("its ranks would get different sums of floating-point numbers");
            return false;
        }
        if (operation_.is_reduction() && size.depends_on_order && !wishes_.allows_reassociation) {
            reasons_.insert(
                "it may add floating-point numbers in another order: --allow-reassociation");
            return false;
        }
        return true;
    }
    IsWanted wanted() {
        return
            [this](const AuditedSize& size, const FasterWay& way) { return may_take(size, way); };
    }

    /// Returns the rule for a range of sizes, except its bytes or blocks. Promises the smallest
    /// factor that was measured in the range.
    rules::Rule rule(const WinningRange& range) const {
        rules::Rule made;
        made.collective = collective_.name;
        made.path = path_of(range.way);
        for (const Host& host : report_.header.machine.hosts)
            made.per_host.push_back(static_cast<int>(host.ranks.size()));
        if (operation_.has_root()) made.root = collective_.root;
        made.reassociates = operation_.is_reduction() && wishes_.allows_reassociation;
        // The smallest measured factor is promised.
        const FasterWay* least = nullptr;
        for (std::size_t i = range.first; i <= range.last; ++i) {
            const FasterWay* const way = collective_.sizes[i].find(range.way);
            if (least == nullptr || way->factor < least->factor) least = way;
        }
        made.factor = least->factor;
        made.saves_seconds_per_call = least->saved_s;
        made.evidence =
            fmt::format("{} in {} launches", collective_.sizes[range.first].problem->problem.id,
                        least->launches);
        if (range.last > range.first)
            made.evidence = fmt::format("{} to {}", made.evidence,
                                        collective_.sizes[range.last].problem->problem.id);
        return made;
    }

    /// Adds a rule for a collective whose sizes not all ranks know: the path must be faster on all
    /// audited problems.
    void add_one_for_all() {
        const std::vector<WinningRange> ranges = winning_ranges(collective_.sizes, wanted());
        const bool is_all = ranges.size() == 1 && ranges.front().first == 0 &&
                            ranges.front().last + 1 == collective_.sizes.size();
        if (is_left_out(report_, collective_.name, &application::LeftOutProblem::is_here)) {
            refuse(
                "the application also makes calls of it that were not audited, and rules for this "
                "collective cannot select by size");
        } else if (is_all) {
            repairs_.rules.rules.push_back(rule(ranges.front()));
        } else {
            refuse(ranges.empty() ? ""
                                  : "no path is faster on all audited problems, and rules for "
                                    "this collective cannot select by size");
        }
    }

    void add_ranges() {
        const std::vector<WinningRange> ranges = winning_ranges(collective_.sizes, wanted());
        for (const WinningRange& range : ranges) {
            repairs_.rules.rules.push_back(rule(range));
            repairs_.rules.rules.back().bytes = {collective_.sizes[range.first].bytes,
                                                 collective_.sizes[range.last].bytes};
        }
        if (ranges.empty()) refuse("");
    }

    /// Adds a rule for each audited list of unequal blocks.
    void add_blocks() {
        const std::size_t before = repairs_.rules.rules.size();
        std::set<std::vector<std::int64_t>> known;
        for (std::size_t i = 0; i < collective_.sizes.size(); ++i) {
            const std::vector<std::int64_t>& blocks = collective_.sizes[i].blocks;
            if (blocks.empty() || !known.insert(blocks).second) continue;
            std::vector<AuditedSize> alike;
            std::ranges::copy_if(collective_.sizes, std::back_inserter(alike),
                                 [&](const AuditedSize& size) { return size.blocks == blocks; });
            const std::vector<WinningRange> ranges = winning_ranges(alike, wanted());
            if (ranges.empty()) continue;
            repairs_.rules.rules.push_back(
                rule({i, i, ranges.front().way, ranges.front().saved_s}));
            repairs_.rules.rules.back().blocks = blocks;
        }
        if (repairs_.rules.rules.size() == before) refuse("");
    }

    /// Notes that the collective gets no rule, with `why` and the collected reasons.
    void refuse(std::string why) {
        for (const std::string& each : reasons_) why += (why.empty() ? "" : "; ") + each;
        const std::string root =
            operation_.has_root() ? fmt::format(", root {}", collective_.root) : std::string();
        repairs_.obstacles.push_back({collective_.name + root, "no rule: " + why});
    }

    const Report& report_;
    const AuditedCollective collective_;
    const MpiOperation& operation_;
    const Wishes& wishes_;
    Repairs& repairs_;
    std::set<std::string> reasons_;
};

}  // namespace

std::string path_of(const std::string& contestant) {
    Way way = parse_way(contestant);
    for (Term& term : way.terms) term.is_bare = false;
    return way.name();
}

rules::Rules rules_beside(rules::Rules rules, const std::vector<Setting>& settings) {
    std::erase_if(rules.rules, [&](const rules::Rule& rule) {
        return std::ranges::any_of(settings, [&](const Setting& each) {
            return each.collective == rule.collective && each.ranks == rule.ranks();
        });
    });
    return rules;
}

void add_rules(const Report& report, const std::vector<AuditedCollective>& collectives,
               const Wishes& wishes, Repairs& repairs) {
    for (const AuditedCollective& each : collectives)
        RulesOfCollective(report, each, wishes, repairs).add();
}

}  // namespace mpiaudit::repair
