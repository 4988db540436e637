// SPDX-License-Identifier: BSD-3-Clause
#include "plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "catalogue/types_only.h"
#include "plan/order.h"
#include "simulation/platform.h"

namespace mpiaudit {
namespace {

std::string readable_bytes(double bytes) {
    if (bytes < 1024.0 * 1024) return fmt::format("{:.1f} KiB", bytes / 1024);
    if (bytes < 1024.0 * 1024 * 1024) return fmt::format("{:.1f} MiB", bytes / 1024 / 1024);
    return fmt::format("{:.1f} GiB", bytes / 1024 / 1024 / 1024);
}

/// Why so much is not had.
std::string too_large(Count needed, std::uint64_t allowed) {
    return fmt::format("needs {} {}, {} allowed (--memory)",
                       readable_bytes(static_cast<double>(needed)),
                       platform().ranks_share_memory ? "on all ranks together" : "per rank",
                       readable_bytes(static_cast<double>(allowed)));
}

/// What --memory limits: of one rank, or of all where they share one process.
Count bytes_of(const Needs& needs, const Problem& problem) {
    return platform().ranks_share_memory ? needs.bytes_of_all_ranks(problem) : needs.bytes(problem);
}

/// Half a problem, or less: every block divided by `parts` and rounded up, so that the parts
/// together are never less than the whole.
Problem part_of(const Problem& problem, Count parts) {
    Problem part = problem;
    for (Count& count : part.counts) count = (count + parts - 1) / parts;
    part.block_size = (problem.block_size + parts - 1) / parts;
    return part;
}

/// The part of a problem that shows whether contestants are right, where its buffers are shared.
Problem verified_part(const Problem& problem) {
    const Count parts = (problem.block_size + verified_block_size - 1) / verified_block_size;
    return part_of(problem, std::max(parts, Count{1}));
}

/// Adds contestants and checks to a problem.
class Planner {
  public:
    Planner(const Problem& problem, const Problem* next, std::uint64_t memory, bool shared_buffers)
        : next_{next}, memory_{memory}, shared_buffers_{shared_buffers} {
        add_variant(problem);
    }

    void add(std::size_t guideline, const Inequality& inequality) {
        // An operation against itself needs two contestants, or nothing would be compared.
        const bool same = inequality.left.describe() == inequality.right.describe() &&
                          inequality.right.scale.is_plain();
        const std::size_t left = contestant(inequality.left, false);
        const std::size_t right = contestant(inequality.right, same);
        planned_.checks.push_back({guideline, left, right});
    }

    PlannedProblem finish() {
        limit_memory();
        return std::move(planned_);
    }

  private:
    /// The contestant with this path, made when there is none.
    std::size_t contestant(const Path& path, bool second_copy) {
        const std::string name = path.name + (second_copy ? " #2" : "");
        const auto found = std::ranges::find_if(planned_.contestants, [&](const Contestant& each) {
            return each.name == name && each.path.describe() == path.describe();
        });
        if (found != planned_.contestants.end())
            return static_cast<std::size_t>(found - planned_.contestants.begin());
        Contestant made{name, path, 0, obstacle_to_scale(path.scale)};
        if (!made.skipped) {
            made.variant = variant(path.scale);
            made.skipped = path.obstacle(planned_.variants[made.variant]);
            const Count bytes = bytes_of(path.needs(), planned_.verified()[made.variant]);
            if (!made.skipped && static_cast<std::uint64_t>(bytes) > memory_)
                made.skipped = too_large(bytes, memory_);
        }
        planned_.contestants.push_back(std::move(made));
        return planned_.contestants.size() - 1;
    }

    std::optional<std::string> obstacle_to_scale(const Scale& scale) const {
        if (scale.is_next && next_ == nullptr)
            return fmt::format(
                "b = {} is the largest block size of the sweep, m+k would be beyond it",
                planned_.problem().block_size);
        if (scale.is_next && next_->total() <= planned_.problem().total())
            return "the next block size of the sweep does not make the problem larger";
        if (scale.parts > planned_.problem().largest())
            return fmt::format("blocks of at most {} cannot be split into {}",
                               planned_.problem().largest(), scale.parts);
        return std::nullopt;
    }

    std::size_t variant(const Scale& scale) {
        if (!scale.is_next && scale.parts == 1) return 0;
        const Problem made = scale.is_next ? *next_ : part_of(planned_.problem(), scale.parts);
        for (std::size_t i = 1; i < planned_.variants.size(); ++i) {
            if (planned_.variants[i].counts == made.counts) return i;
        }
        add_variant(made);
        return planned_.variants.size() - 1;
    }

    void add_variant(const Problem& problem) {
        planned_.variants.push_back(problem);
        if (shared_buffers_) planned_.parts.push_back(verified_part(problem));
    }

    /// All contestants of a problem keep their buffers at the same time. Shared ones need nothing.
    void limit_memory() {
        Count bytes = 0;
        for (std::size_t i = 0; i < planned_.verified().size(); ++i)
            bytes += bytes_of(planned_.needs(i), planned_.verified()[i]);
        if (static_cast<std::uint64_t>(bytes) <= memory_) return;
        for (Contestant& each : planned_.contestants) {
            if (!each.skipped) each.skipped = too_large(bytes, memory_);
        }
    }

    PlannedProblem planned_;
    const Problem* next_;
    std::uint64_t memory_;
    bool shared_buffers_;
};

/// The places of the problems without those that another one equals before them, which become
/// duplicates.
std::vector<std::size_t> distinct_problems(const std::vector<Problem>& problems,
                                           std::vector<Duplicate>& duplicates) {
    std::map<std::vector<Count>, std::size_t> known;
    std::vector<std::size_t> distinct;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const auto [found, is_new] = known.try_emplace(problems[i].counts, i);
        if (is_new)
            distinct.push_back(i);
        else
            duplicates.push_back({problems[i].id(), problems[found->second].id()});
    }
    return distinct;
}

/// The place of the problem that is measured first.
std::size_t first_in_value(const std::vector<Problem>& problems,
                           const std::vector<std::size_t>& places) {
    std::vector<const Problem*> some;
    for (const std::size_t place : places) some.push_back(&problems[place]);
    return places.at(by_value(some).front());
}

/// Leaves those contestants that are one algorithm which makes datatypes in every call.
void skip_without_types(PlannedProblem& planned) {
    for (Contestant& each : planned.contestants) {
        const auto& steps = each.path.steps;
        if (!each.skipped && (steps.size() > 1 || !has_types_only(steps.front().arrow->name)))
            each.skipped = "has no datatype work to do alone (--no-communication)";
    }
}

/// Whether the guideline is about this collective on a whole problem: so its right side may take
/// the place of the call.
bool replaces(const Inequality& inequality, const std::string& collective) {
    const auto& steps = inequality.left.steps;
    return steps.size() == 1 && steps.front().arrow->kind == Kind::native &&
           steps.front().arrow->name == collective && inequality.left.scale.is_plain() &&
           inequality.right.scale.is_plain();
}

Plan plan_of_application(const Inputs& inputs, const RunOptions& options, const Types& types,
                         std::uint64_t memory, const NodeSplit& nodes) {
    Plan plan;
    const std::vector<Problem> problems = selected_problems(*inputs.selection, types, nodes);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const application::SelectedProblem& selected = inputs.selection->problems[i];
        Planner planner(problems[i], nullptr, memory, options.shared_buffers);
        for (std::size_t g = 0; g < inputs.guidelines.size(); ++g) {
            const Inequality& inequality = inputs.guidelines[g].inequality;
            if (replaces(inequality, selected.collective)) planner.add(g, inequality);
        }
        plan.problems.push_back(planner.finish());
        plan.problems.back().recorded_s = selected.seconds;
        for (const PlannedCheck& check : plan.problems.back().checks)
            plan.checkable += plan.problems.back().is_checkable(check);
    }
    return plan;
}

}  // namespace

Needs PlannedProblem::needs(std::size_t variant) const {
    Needs needs;
    for (const Contestant& each : contestants) {
        if (!each.skipped && each.variant == variant) needs.add(each.path.needs());
    }
    return needs;
}

std::optional<std::string> memory_obstacle(const Needs& needs, const Problem& problem,
                                           std::uint64_t allowed_bytes) {
    const Count needed = bytes_of(needs, problem);
    if (static_cast<std::uint64_t>(needed) <= allowed_bytes) return std::nullopt;
    return too_large(needed, allowed_bytes);
}

Plan make_plan(const Inputs& inputs, const RunOptions& options, const Types& types, int ranks,
               std::uint64_t memory_per_rank_bytes, const NodeSplit& nodes) {
    if (inputs.selection)
        return plan_of_application(inputs, options, types, memory_per_rank_bytes, nodes);
    Plan plan;
    const std::vector<Problem> problems = make_problems(inputs, options, types, ranks, nodes);
    const std::vector<std::size_t> distinct = distinct_problems(problems, plan.duplicates);
    const std::size_t first = first_in_value(problems, distinct);
    for (const std::size_t i : distinct) {
        const bool has_next =
            i + 1 < problems.size() && problems[i + 1].distribution == problems[i].distribution;
        Planner planner(problems[i], has_next ? &problems[i + 1] : nullptr, memory_per_rank_bytes,
                        options.shared_buffers);
        for (std::size_t g = 0; g < inputs.guidelines.size(); ++g) {
            const Inequality& inequality = inputs.guidelines[g].inequality;
            // A barrier is the same on every problem.
            if (i != first && inequality.left.from().holding == Holding::apart) continue;
            planner.add(g, inequality);
        }
        plan.problems.push_back(planner.finish());
        if (options.no_communication) skip_without_types(plan.problems.back());
        for (const PlannedCheck& check : plan.problems.back().checks)
            plan.checkable += plan.problems.back().is_checkable(check);
    }
    return plan;
}

}  // namespace mpiaudit
