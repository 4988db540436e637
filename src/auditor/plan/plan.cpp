// SPDX-License-Identifier: BSD-3-Clause
#include "plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "catalogue/catalogue.h"
#include "operations/tails.h"
#include "random/random_bits.h"
#include "simulation/simulation.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

std::string readable_bytes(double bytes) {
    if (bytes < 1024.0 * 1024) return fmt::format("{:.1f} KiB", bytes / 1024);
    if (bytes < 1024.0 * 1024 * 1024) return fmt::format("{:.1f} MiB", bytes / 1024 / 1024);
    return fmt::format("{:.1f} GiB", bytes / 1024 / 1024 / 1024);
}

/// Returns the reason why so much memory is not allowed.
std::string too_large(Count needed, std::uint64_t allowed) {
    return fmt::format("needs {} {}, {} allowed (--memory)",
                       readable_bytes(static_cast<double>(needed)),
                       platform().ranks_share_memory ? "on all ranks together" : "per rank",
                       readable_bytes(static_cast<double>(allowed)));
}

/// Returns the bytes that --memory limits: the memory of one rank, or of all ranks if they share
/// one process.
Count bytes_of(const Needs& needs, const Problem& problem) {
    return needs.bytes(problem, platform().ranks_share_memory);
}

/// Returns a part of a problem: every block divided by `parts` and rounded up, so that the parts
/// together are not smaller than the problem.
Problem part_of(const Problem& problem, Count parts) {
    Problem part = problem;
    std::vector<Count> counts = problem.counts;
    for (Count& count : counts) count = (count + parts - 1) / parts;
    part.counts = std::move(counts);
    part.block_size = (problem.block_size + parts - 1) / parts;
    return part;
}

/// Returns the part of a problem with shared buffers on which contestants are verified.
Problem verified_part(const Problem& problem) {
    const Count parts = (problem.block_size + verified_block_size - 1) / verified_block_size;
    return part_of(problem, std::max(parts, Count{1}));
}

/// Adds contestants and checks to a problem.
class Planner {
  public:
    /// \param next the next larger problem of the same distribution; null if there is none
    Planner(std::size_t place, Problem problem, const Problem* next, MemoryLimit memory,
            bool shared_buffers)
        : next_{next}, memory_{memory}, shared_buffers_{shared_buffers} {
        planned_.place = place;
        planned_.id = problem.id();
        planned_.distribution = problem.distribution;
        planned_.block_size = problem.block_size;
        planned_.total = problem.total();
        planned_.padded_total = problem.padded_total();
        planned_.element_bytes = problem.element->extent();
        add_variant(std::move(problem), {});
    }

    void add(std::size_t guideline, const Inequality& inequality) {
        // A comparison of an operation with itself needs two contestants.
        const bool same = inequality.left.describe() == inequality.right.describe() &&
                          inequality.right.scale.is_plain();
        const std::size_t left = contestant(inequality.left, false);
        const std::size_t right = contestant(inequality.right, same);
        planned_.checks.push_back({guideline, left, right});
    }

    /// Adds an operation without a check.
    void add_operation(const Arrow& arrow) {
        contestant({Way{{{.form = arrow.form}}}.name(), {{&arrow, false, false}}, {}}, false);
    }

    /// Returns the problem without block sizes.
    ProblemOutline finish() {
        limit_memory();
        planned_.next = next_ != nullptr ? next_->block_size : 0;
        return std::move(planned_);
    }

  private:
    /// Returns the place of the contestant with this path; adds the contestant if it is missing.
    std::size_t contestant(const Path& path, bool second_copy) {
        const std::string name = path.name + (second_copy ? " #2" : "");
        const auto found = std::ranges::find_if(planned_.contestants, [&](const Contestant& each) {
            return each.name == name && each.path.describe() == path.describe();
        });
        if (found != planned_.contestants.end())
            return static_cast<std::size_t>(found - planned_.contestants.begin());
        Contestant made{name, path, 0, {}};
        const auto skip = [&](ReasonKind kind, const std::optional<std::string>& why) {
            if (!made.skipped && why) made.skipped = Reason{kind, *why};
        };
        skip(ReasonKind::does_not_fit, obstacle_to_scale(path.scale));
        if (!made.skipped) {
            made.variant = variant(path.scale);
            const auto obstacle = path.obstacle(planned_.variants[made.variant]);
            if (obstacle) made.known_to_fail = known_fault(path, *obstacle);
            skip(made.known_to_fail ? ReasonKind::known_to_fail : ReasonKind::does_not_fit,
                 obstacle);
            const Count bytes =
                path.scale.own_parts() * bytes_of(path.needs(), planned_.verified()[made.variant]);
            skip(ReasonKind::too_much_memory, memory_.obstacle(bytes));
        }
        planned_.contestants.push_back(std::move(made));
        return planned_.contestants.size() - 1;
    }

    /// Returns the fault that the library is known to have in a call of a path, if the path is
    /// skipped because of the fault.
    std::optional<Fault> known_fault(const Path& path, const std::string& why) const {
        for (const PathStep& step : path.steps) {
            const auto fault = step.arrow->known_fault(planned_.problem());
            if (fault && why.ends_with(fault->text)) return Fault{fault->kind, why};
        }
        return std::nullopt;
    }

    /// Returns why there is no problem of this scale; nullopt if there is one.
    std::optional<std::string> obstacle_to_scale(const Scale& scale) const {
        if (scale.is_next && next_ == nullptr)
            return fmt::format(
                "b = {} is the largest block size of the sweep, m+k would be beyond it",
                planned_.block_size);
        if (scale.is_next && next_->total() <= planned_.total)
            return "the next block size of the sweep does not make the problem larger";
        if (scale.parts > 1 && scale.parts > planned_.problem().largest())
            return fmt::format("blocks of at most {} cannot be split into {}",
                               planned_.problem().largest(), scale.parts);
        return std::nullopt;
    }

    /// Returns the index of the variant of the problem for this scale; 0 is the problem itself.
    /// Adds the variant if no equal one is there.
    std::size_t variant(const Scale& scale) {
        if (!scale.is_next && scale.parts == 1) return 0;
        for (std::size_t i = 1; i < planned_.scales.size(); ++i) {
            const Scale& known = planned_.scales[i];
            if (known.is_next == scale.is_next && known.parts == scale.parts) return i;
        }
        Problem made = scale.is_next ? *next_ : part_of(planned_.problem(), scale.parts);
        for (std::size_t i = 1; i < planned_.variants.size(); ++i) {
            if (planned_.variants[i].counts == made.counts) return i;
        }
        add_variant(std::move(made), scale);
        return planned_.variants.size() - 1;
    }

    void add_variant(Problem problem, const Scale& scale) {
        if (shared_buffers_) planned_.parts.push_back(verified_part(problem));
        planned_.variants.push_back(std::move(problem));
        planned_.scales.push_back(scale);
    }

    /// All contestants of a problem hold their buffers at the same time. Shared buffers need no
    /// limit.
    void limit_memory() {
        Count bytes = 0;
        for (std::size_t i = 0; i < planned_.verified().size(); ++i)
            bytes += planned_.own_parts(i) * bytes_of(planned_.needs(i), planned_.verified()[i]);
        const std::optional<std::string> obstacle = memory_.obstacle(bytes);
        if (!obstacle) return;
        for (Contestant& each : planned_.contestants) {
            if (!each.skipped) each.skipped = Reason{ReasonKind::too_much_memory, *obstacle};
        }
    }

    PlannedProblem planned_;
    const Problem* next_;
    MemoryLimit memory_;
    bool shared_buffers_;
};

std::uint64_t digest(const std::vector<Count>& block_sizes) {
    std::uint64_t digest = block_sizes.size();
    for (const Count size : block_sizes)
        digest = mix_bits(digest, static_cast<std::uint64_t>(size));
    return digest;
}

/// Returns the id of an earlier problem with the same block sizes. If there is none, returns
/// nothing and adds `place` to `known`, which maps digests of block sizes to places.
std::optional<std::string> find_equal(const Problems& source, const Problem& problem,
                                      std::size_t place,
                                      std::multimap<std::uint64_t, std::size_t>& known) {
    const std::uint64_t own = digest(problem.counts);
    for (auto [at, end] = known.equal_range(own); at != end; ++at) {
        const Problem other = source.make(at->second);
        if (other.counts == problem.counts) return other.id();
    }
    known.emplace(own, place);
    return std::nullopt;
}

/// Skips contestants other than single algorithms that make datatypes in every call.
void skip_without_types(ProblemOutline& planned) {
    for (Contestant& each : planned.contestants) {
        const auto& steps = each.path.steps;
        if (!each.skipped && (steps.size() > 1 || !steps.front().arrow->types_only))
            each.skipped = Reason{ReasonKind::does_not_fit,
                                  "has no datatype work to do alone (--no-communication)"};
    }
}

/// True if the left side of the guideline is this collective on the whole problem: then the right
/// side may replace the call.
bool replaces(const Inequality& inequality, const std::string& collective) {
    const auto& steps = inequality.left.steps;
    return steps.size() == 1 && steps.front().arrow->kind == Kind::native &&
           steps.front().arrow->name == collective && inequality.left.scale.is_plain() &&
           inequality.right.scale.is_plain();
}

/// Returns the number of checks that can be measured, with at most `references` reference
/// algorithms for each operation.
int checkable_in(const ProblemOutline& planned, const Inputs& inputs, int references) {
    int checkable = 0;
    std::map<std::size_t, int> taken;  // by left side
    for (const PlannedCheck& check : planned.checks) {
        if (!planned.is_checkable(check)) continue;
        const bool is_one_of_many = inputs.guidelines[check.guideline].is_one_of_many();
        if (!is_one_of_many || ++taken[check.left] <= references) ++checkable;
    }
    return checkable;
}

/// Returns the number of operations that are compared with references, summed over all problems.
std::size_t compared_with_references(const Plan& plan) {
    std::set<std::pair<std::size_t, std::size_t>> compared;  // problem, left side
    for (std::size_t i = 0; i < plan.problems.size(); ++i) {
        for (const PlannedCheck& check : plan.problems[i].checks)
            if (plan.inputs->guidelines[check.guideline].is_one_of_many() &&
                plan.problems[i].is_checkable(check))
                compared.emplace(i, check.left);
    }
    return compared.size();
}

/// Returns three references for the time that an audit of the library has by default, and more if
/// fewer operations or problems are selected; all references without a limit of time.
ReferencesInBudget references_within(const AsGiven<Seconds>& budget, std::size_t compared) {
    constexpr double of_all_operations_s = 20.0;  // on the problems of a default audit
    constexpr double of_one_comparison_s = 0.07;
    constexpr int most = 1000;
    if (budget.empty()) return {};
    const double one_s =
        std::clamp(of_one_comparison_s * static_cast<double>(compared), 1e-3, of_all_operations_s);
    return {static_cast<int>(std::clamp(budget->count / one_s, 1.0, double{most})), one_s};
}

/// Largest block size, in elements, at which all operations are checked. Larger blocks are for
/// operations on equal blocks only, because other operations move the blocks of all ranks.
constexpr Count largest_of_all_operations = 65536;

Count bytes_of_all_blocks(const Problem& problem) {
    return problem.total() * static_cast<Count>(problem.element->data_bytes());
}

/// Throws UsageError if a guideline is about another number of ranks.
void require_ranks(const Inputs& inputs, int ranks) {
    for (const Guideline& each : inputs.guidelines)
        if (each.ranks > 0 && each.ranks != ranks)
            throw UsageError("--guidelines: {} is for {} ranks, and the audit has {}", each.file,
                             each.ranks, ranks);
}

bool has_reduced_checks(const Problems& source, std::size_t place) {
    return source.is_spread() && source.place(place).block_size > largest_of_all_operations;
}

/// A look has only the guidelines that depend on its data: on the operator or on the root.
bool applies(const Guideline& guideline, Count bytes, const Problems& source, std::size_t place) {
    if (bytes < guideline.from_bytes || bytes > guideline.to_bytes) return false;
    const Path& left = guideline.inequality.left;
    const Look* const look = source.look(place);
    if (guideline.look != (look != nullptr ? look->guidelines : "")) return false;
    // A guideline without data says the same at all sizes.
    if (!guideline.look.empty())
        return left.from().holding != Holding::apart || source.place(place).next != 0;
    if (look != nullptr)
        return left.from().holding == Holding::contributed ||
               (look->root != "half" &&
                (left.from().holding == Holding::rooted || left.to().holding == Holding::rooted));
    return !has_reduced_checks(source, place) ||
           std::ranges::any_of(left.steps, [](const PathStep& step) {
               return (step.arrow->needs & equal_blocks) != 0;
           });
}

/// Plans the problems of the application, each with the guidelines that can replace its collective.
Plan plan_of_application(const Inputs& inputs, Plan plan) {
    for (std::size_t i = 0; i < plan.source.size(); ++i) {
        const application::SelectedProblem& selected = inputs.selection->problems[i];
        Planner planner(i, plan.source.make(i), nullptr, plan.memory, plan.shared_buffers);
        for (std::size_t g = 0; g < inputs.guidelines.size(); ++g) {
            const Inequality& inequality = inputs.guidelines[g].inequality;
            if (replaces(inequality, selected.collective)) planner.add(g, inequality);
        }
        for (const Arrow* const arrow : inputs.timed)
            if (arrow->form.operation == selected.collective) planner.add_operation(*arrow);
        plan.problems.push_back(planner.finish());
        plan.problems.back().worth_s = selected.seconds;
        plan.checkable += checkable_in(plan.problems.back(), inputs, plan.references.most);
    }
    return plan;
}

/// Returns true if the arrow does the same on problems of all distributions: it moves equal blocks
/// or a vector, or has no data.
bool is_alike_on_all_distributions(const Arrow& arrow) {
    const MpiOperation* const operation = arrow.form.mpi_operation();
    return (arrow.needs & equal_blocks) != 0 || operation == nullptr ||
           operation->shape == Shape::nothing || operation->shape == Shape::vector;
}

/// Returns true if a timed arrow says something new at this place of the sweep.
bool is_timed_at(const Arrow& arrow, const SweepPoint& place, const SweepPoint& first) {
    const MpiOperation* const operation = arrow.form.mpi_operation();
    if (operation == nullptr || operation->shape == Shape::nothing) return place == first;
    return place.distribution == first.distribution || !is_alike_on_all_distributions(arrow);
}

/// Returns the problem at a place with the timed operations and the wanted guidelines.
/// \param next as for Planner
/// \param is_wanted called with the place of a guideline and
/// whether it applies to the problem
ProblemOutline planned(const Plan& plan, std::size_t place, Problem problem, const Problem* next,
                       const auto& is_wanted) {
    const Count bytes = bytes_of_all_blocks(problem);
    Planner planner(place, std::move(problem), next, plan.memory, plan.shared_buffers);
    for (std::size_t g = 0; g < plan.inputs->guidelines.size(); ++g) {
        const Guideline& guideline = plan.inputs->guidelines[g];
        if (is_wanted(g, applies(guideline, bytes, plan.source, place)))
            planner.add(g, guideline.inequality);
    }
    for (const Arrow* const arrow : plan.inputs->timed)
        if (is_timed_at(*arrow, plan.source.place(place), plan.source.place(0)))
            planner.add_operation(*arrow);
    return planner.finish();
}

ProblemOutline planned_in_sweep(const Plan& plan, std::size_t place, Problem problem,
                                const Problem* next, bool with_barriers) {
    const auto is_wanted = [&](std::size_t g, bool applies) {
        const Guideline& guideline = plan.inputs->guidelines[g];
        const bool is_barrier = guideline.look.empty() && is_without_data(guideline.inequality);
        return is_barrier ? with_barriers : applies;
    };
    ProblemOutline outline = planned(plan, place, std::move(problem), next, is_wanted);
    outline.has_reduced_checks = has_reduced_checks(plan.source, place);
    return outline;
}

/// Adds every distribution with every block size.
void add_problems(Plan& plan) {
    std::multimap<std::uint64_t, std::size_t> known;
    std::optional<Problem> next;
    for (std::size_t i = 0; i < plan.source.size(); ++i) {
        Problem problem = next ? std::move(*next) : plan.source.make(i);
        // This is also the next problem of the sweep, except behind the last size of a
        // distribution.
        next = plan.source.make_next(i);
        // The same blocks with other data are another problem.
        const bool is_look = plan.source.look(i) != nullptr;
        if (auto equal_to = is_look ? std::nullopt : find_equal(plan.source, problem, i, known)) {
            plan.duplicates.push_back({problem.id(), *equal_to});
            continue;
        }
        ProblemOutline outline =
            planned_in_sweep(plan, i, std::move(problem), next ? &*next : nullptr, false);
        const bool has_nothing_new = !plan.inputs->timed.empty() && outline.contestants.empty();
        if (!has_nothing_new) plan.problems.push_back(std::move(outline));
    }
}

/// Plans the most valuable measured problem again with the guidelines about barriers, which have no
/// data. Does nothing without such guidelines.
void add_barriers(Plan& plan) {
    const bool has_barriers = std::ranges::any_of(
        plan.inputs->guidelines, [](const auto& each) { return is_without_data(each.inequality); });
    if (!has_barriers || plan.problems.empty()) return;
    ProblemOutline& first = plan.problems[by_value(plan).front()];
    std::optional<Problem> next = plan.source.make_next(first.place);
    first = planned_in_sweep(plan, first.place, plan.source.make(first.place),
                             next ? &*next : nullptr, true);
}

/// Share of the budget for the rounds that look for long calls, and their seconds for an audit
/// without a budget, for each operation.
constexpr double share_of_tails = 0.08;
constexpr double tail_s_without_budget = 0.1;

/// Returns the ways of a problem whose long calls are judged, or only those of blocking operations
/// with data.
std::set<std::string> ways_with_tails(const ProblemOutline& planned, bool is_blocking) {
    std::set<std::string> ways;
    for (const PlannedCheck& check : planned.checks) {
        const Contestant& left = planned.contestants[check.left];
        if (!planned.is_checkable(check) || ways.contains(left.name)) continue;
        const Way way = parse_way(left.name);
        const bool is_wanted =
            !is_blocking || (way.is_plain() && left.path.from().holding != Holding::apart);
        if (is_wanted && has_judged_tail(way)) ways.insert(left.name);
    }
    return ways;
}

/// Gives the time for long calls to the most valuable problems of the first distribution, which
/// have a medium, a small and a large size. Each problem of an application has its own operation,
/// and gets its part of the time.
void plan_tail_rounds(Plan& plan, const AsGiven<Seconds>& budget) {
    constexpr std::size_t most = 3;
    std::vector<ProblemOutline*> chosen;
    std::size_t operations = 0;
    for (const std::size_t i : by_value(plan)) {
        ProblemOutline& each = plan.problems[i];
        const bool is_of_application = plan.inputs->selection.has_value();
        const bool is_wanted =
            is_of_application ||
            (chosen.size() < most && plan.source.place(each.place).distribution == 0);
        const std::size_t own = is_wanted ? ways_with_tails(each, true).size() : 0;
        if (own == 0) continue;
        chosen.push_back(&each);
        operations = is_of_application ? operations + own : std::max(operations, own);
    }
    const double all_s = budget.empty() ? tail_s_without_budget * static_cast<double>(operations)
                                        : share_of_tails * budget->count;
    for (ProblemOutline* each : chosen) each->tail_s = all_s / static_cast<double>(chosen.size());
}

/// Counts the statements about long calls, and plans the rounds that look for them.
void add_tails(Plan& plan, const RunOptions& options) {
    if (platform().is_deterministic || options.criterion != judge::Criterion::evidence ||
        options.no_communication)
        return;
    std::set<std::string> ways;
    for (const ProblemOutline& each : plan.problems) ways.merge(ways_with_tails(each, false));
    plan.tails = 2 * static_cast<int>(ways.size());
    // A confirmation measures what the audit found.
    if (options.confirm.empty()) plan_tail_rounds(plan, options.budget);
}

}  // namespace

std::optional<std::string> MemoryLimit::obstacle(Count bytes_of_a_set) const {
    const Count needed = sets * bytes_of_a_set;
    if (static_cast<std::uint64_t>(needed) <= bytes) return std::nullopt;
    return too_large(needed, bytes);
}

Needs PlannedProblem::needs(std::size_t variant) const {
    Needs needs;
    for (const Contestant& each : contestants) {
        if (!each.skipped && each.variant == variant) needs.add(each.path.needs());
    }
    return needs;
}

int PlannedProblem::own_parts(std::size_t variant) const {
    int most = 1;
    for (const Contestant& each : contestants) {
        if (!each.skipped && each.variant == variant)
            most = std::max(most, each.path.scale.own_parts());
    }
    return most;
}

std::optional<std::string> memory_obstacle(const Needs& needs, const Problem& problem,
                                           std::uint64_t allowed_bytes) {
    return MemoryLimit{allowed_bytes, 1}.obstacle(bytes_of(needs, problem));
}

PlannedProblem Plan::instantiate(std::size_t problem) const {
    PlannedProblem planned{problems[problem]};
    const std::size_t place = planned.place;
    for (const Scale& scale : planned.scales) {
        if (scale.is_next)
            planned.variants.push_back(source.make_next(place).value());
        else if (scale.parts > 1)
            planned.variants.push_back(part_of(planned.problem(), scale.parts));
        else
            planned.variants.push_back(source.make(place));
        if (shared_buffers) planned.parts.push_back(verified_part(planned.variants.back()));
    }
    return planned;
}

bool is_without_data(const Inequality& inequality) {
    return inequality.left.from().holding == Holding::apart;
}

std::size_t Plan::choose(const SweepPoint& chosen, const std::vector<std::size_t>& guidelines) {
    const std::size_t place = source.add(chosen);
    std::optional<Problem> next = source.make_next(place);
    problems.push_back(
        planned(*this, place, source.make(place), next ? &*next : nullptr,
                [&](std::size_t g, bool applies) { return applies && is_among(guidelines, g); }));
    problems.back().is_chosen = true;
    return problems.size() - 1;
}

Plan make_plan(const Inputs& inputs, const RunOptions& options, const Types& types, int ranks,
               std::uint64_t memory_per_rank_bytes, const NodeSplit& nodes,
               std::optional<int> references) {
    require_ranks(inputs, ranks);
    Plan plan{.source = {inputs, options, types, ranks, nodes},
              .inputs = &inputs,
              .memory = {memory_per_rank_bytes,
                         options.buffers == BufferChoice::rotate ? least_sets_of_buffers : 1},
              .shared_buffers = options.shared_buffers};
    if (inputs.selection) {
        plan = plan_of_application(inputs, std::move(plan));
        add_tails(plan, options);
        return plan;
    }
    add_problems(plan);
    add_barriers(plan);
    plan.references = references_within(options.budget, compared_with_references(plan));
    if (references) plan.references.most = *references;
    // Sizes that a simulation chooses would depend on the time that the machine needs.
    const bool chooses =
        plan.source.is_spread() && !platform().is_deterministic && !options.no_communication;
    // Without chosen problems, every planned problem may get all references while time is left.
    const int references_of_problem = chooses ? plan.references.most : ReferencesInBudget{}.most;
    for (ProblemOutline& each : plan.problems) {
        if (options.no_communication) skip_without_types(each);
        plan.checkable += checkable_in(each, inputs, references_of_problem);
    }
    if (chooses) plan.may_be_chosen = plan.checkable;
    add_tails(plan, options);
    return plan;
}

}  // namespace mpiaudit
