// SPDX-License-Identifier: BSD-3-Clause
// Compositions and reference algorithms in place of calls, for libmpiaudit-repair.so.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "paths/paths.h"
#include "repair/violations.h"

namespace mpiaudit::repair {
namespace {

/// Why a program cannot take the way there; nothing when it can.
std::optional<std::string> no_path(const std::string& collective, const FasterWay& way) {
    if (way.is_forced) return "an algorithm of the library, which only a setting selects";
    try {
        paths::find_path(collective, path_of(way.contestant));
        return std::nullopt;
    } catch (const std::invalid_argument&) {
        return way.contestant + " is no path of libmpiaudit-repair.so";
    }
}

/// Reductions with operators of the application's own are left to the library, so that what they
/// take speaks neither for nor against a rule.
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
          is_{*rules::find_collective(collective.name)},
          wishes_{wishes},
          repairs_{repairs} {}

    void add() {
        const bool is_violated = std::ranges::any_of(
            collective_.sizes, [](const AuditedSize& size) { return !size.faster.empty(); });
        if (!is_violated) return;
        if (is_.known_size() == KnownSize::nothing)
            add_one_for_all();
        else if (is_.known_size() == KnownSize::block)
            add_ranges();
        else
            add_blocks();
    }

  private:
    bool may_take(const AuditedSize& size, const FasterWay& way) {
        if (const auto why = no_path(collective_.name, way)) {
            reasons_.insert(*why);
            return false;
        }
        if (is_.is_reduction() && size.depends_on_order &&
            paths::find_path(collective_.name, path_of(way.contestant)).needs_exact_sums) {
            reasons_.insert("its ranks would get different sums of floating-point numbers");
            return false;
        }
        if (is_.is_reduction() && size.depends_on_order && !wishes_.allows_reassociation) {
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

    rules::Rule rule(const Run& run) const {
        rules::Rule made;
        made.collective = collective_.name;
        made.path = path_of(run.way);
        for (const Host& host : report_.header.machine.hosts)
            made.per_host.push_back(static_cast<int>(host.ranks.size()));
        if (is_.has_root()) made.root = collective_.root;
        made.reassociates = is_.is_reduction() && wishes_.allows_reassociation;
        // The least of what was found promises no more than there is.
        const FasterWay* least = nullptr;
        for (std::size_t i = run.first; i <= run.last; ++i) {
            const FasterWay* const way = collective_.sizes[i].find(run.way);
            if (least == nullptr || way->factor < least->factor) least = way;
        }
        made.factor = least->factor;
        made.saves_seconds_per_call = least->saved_s;
        made.evidence = fmt::format(
            "{} in {} launches", collective_.sizes[run.first].problem->problem.id, least->launches);
        if (run.last > run.first)
            made.evidence = fmt::format("{} to {}", made.evidence,
                                        collective_.sizes[run.last].problem->problem.id);
        return made;
    }

    /// Nothing but group and root is known to all: it has to win wherever it is called.
    void add_one_for_all() {
        const std::vector<Run> runs = runs_of(collective_.sizes, wanted());
        const bool is_all = runs.size() == 1 && runs.front().first == 0 &&
                            runs.front().last + 1 == collective_.sizes.size();
        if (is_left_out(report_, collective_.name, &application::LeftOutProblem::is_here)) {
            refuse(
                "it is also called in a way that was not audited, and a rule about it cannot ask "
                "for sizes");
        } else if (is_all) {
            repairs_.rules.rules.push_back(rule(runs.front()));
        } else {
            refuse(runs.empty() ? ""
                                : "no way is faster on all problems that were audited, and a "
                                  "rule about it cannot ask for sizes");
        }
    }

    void add_ranges() {
        const std::vector<Run> runs = runs_of(collective_.sizes, wanted());
        for (const Run& run : runs) {
            repairs_.rules.rules.push_back(rule(run));
            repairs_.rules.rules.back().bytes = {collective_.sizes[run.first].bytes,
                                                 collective_.sizes[run.last].bytes};
        }
        if (runs.empty()) refuse("");
    }

    /// Of unequal blocks exactly those that were audited.
    void add_blocks() {
        const std::size_t before = repairs_.rules.rules.size();
        std::set<std::vector<std::int64_t>> known;
        for (std::size_t i = 0; i < collective_.sizes.size(); ++i) {
            const std::vector<std::int64_t>& blocks = collective_.sizes[i].blocks;
            if (blocks.empty() || !known.insert(blocks).second) continue;
            std::vector<AuditedSize> alike;
            std::ranges::copy_if(collective_.sizes, std::back_inserter(alike),
                                 [&](const AuditedSize& size) { return size.blocks == blocks; });
            const std::vector<Run> runs = runs_of(alike, wanted());
            if (runs.empty()) continue;
            repairs_.rules.rules.push_back(rule({i, i, runs.front().way, runs.front().saved_s}));
            repairs_.rules.rules.back().blocks = blocks;
        }
        if (repairs_.rules.rules.size() == before) refuse("");
    }

    void refuse(std::string why) {
        for (const std::string& each : reasons_) why += (why.empty() ? "" : "; ") + each;
        const std::string root =
            is_.has_root() ? fmt::format(", root {}", collective_.root) : std::string();
        repairs_.obstacles.push_back({collective_.name + root, "no rule: " + why});
    }

    const Report& report_;
    const AuditedCollective collective_;
    const MpiOperation& is_;
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
