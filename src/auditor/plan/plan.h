// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "causes/fault.h"
#include "causes/reason.h"
#include "collectives/patterns/node_communicators.h"
#include "options/options.h"
#include "plan/inputs.h"
#include "problem/problem.h"

namespace mpiaudit {

/// Element types and operators of problems.
struct Types {
    /// Makes the named element and operator, and those of the selection and of the looks. Throws
    /// UsageError if `named_element` or `named_op` is unknown.
    Types(const std::string& named_element, const std::string& named_op,
          const application::Selection* selection = nullptr, std::span<const Look> looks = {});
    Element element;
    Operator op;
    // Types and operators of recorded problems and of looks, by name.
    std::map<std::string, Element> elements = {};
    std::map<std::string, Operator> operators = {};
};

/// The place of a problem among the distributions and their block sizes.
struct SweepPoint {
    std::size_t distribution;
    Count block_size;
    Count next = 0;  ///< block size that m+k stands for; 0 if there is none
    bool operator==(const SweepPoint&) const = default;
};
MPIAUDIT_MEMBERS(SweepPoint, (distribution, block_size, next))

/// The problems that inputs and options ask for, without contestants: every distribution with every
/// block size, explicit counts once, or selected problems of an application. Problems are made one
/// by one, because each has a block size for every rank.
class Problems {
  public:
    /// `inputs` and `types` must outlive this object and its problems, which refer to them. Throws
    /// UsageError. \param nodes the nodes of the ranks
    Problems(const Inputs& inputs, const InputOptions& options, const Types& types, int ranks,
             NodeSplit nodes = {});
    std::size_t size() const;
    /// Returns a problem with its block sizes, the same at each call. `place` is below size().
    /// Throws UsageError.
    Problem make(std::size_t place) const;
    /// Returns the larger problem that m+k stands for; nullopt if there is none, and for problems
    /// of an application. Throws UsageError.
    std::optional<Problem> make_next(std::size_t place) const;
    /// Adds a problem behind the others. Returns its place. Not for problems of an application.
    std::size_t add(const SweepPoint& place);
    /// Returns true if the audit chooses the block sizes of each distribution.
    bool is_spread() const { return is_spread_; }
    /// Returns the place of a problem in the sweep. Not for problems of an application.
    const SweepPoint& place(std::size_t place) const { return places_[place]; }
    /// Returns the look of a problem; null if the problem has the data of the options or of an
    /// application.
    const Look* look(std::size_t place) const;

  private:
    Problem made(const SweepPoint& place) const;
    Problem made(const application::SelectedProblem& selected) const;
    /// Sets the memory kinds of the buffers, and the nodes of the ranks.
    void put_in_place(Problem& problem) const;

    const Inputs* inputs_;
    const Types* types_;
    int ranks_, root_ = 0;
    std::uint64_t seed_;
    bool has_network_;
    MemoryKinds memory_;
    bool is_spread_;
    NodeSplit nodes_;
    std::shared_ptr<const Graph> graph_;
    std::vector<SweepPoint> places_;
};

/// The least number of sets of buffers that calls use in turn (--buffers rotate).
inline constexpr int least_sets_of_buffers = 2;

/// Average block size, in elements, of the parts on which problems with shared buffers are
/// verified.
constexpr Count verified_block_size = 10;

/// The memory that buffers of one rank may take, or of all ranks if they share a process, and the
/// least number of sets of buffers.
struct MemoryLimit {
    std::uint64_t bytes;
    Count sets;
    /// Returns the reason why `sets` sets of this many bytes exceed the limit; nullopt if they fit.
    std::optional<std::string> obstacle(Count bytes_of_a_set) const;
};

/// A path that takes part in the rounds of a problem.
struct Contestant {
    std::string name;  ///< name of the path; a second copy of the path ends in #2
    Path path;
    std::size_t variant;  ///< place in PlannedProblem::variants of the problem that it solves
    std::optional<Reason> skipped;  ///< why it cannot be measured on this problem
    /// Why the contestant is skipped, if this library is known to fail in the call.
    std::optional<Fault> known_to_fail = {};
};

/// One guideline on one problem: two contestants of the problem, by index.
struct PlannedCheck {
    std::size_t guideline;
    std::size_t left;
    std::size_t right;
};

/// A problem with its contestants and checks, measured in the same rounds. Block sizes, one for
/// each rank, are made only when the problem is measured.
struct ProblemOutline {
    std::size_t place = 0;  ///< among the problems that inputs and options ask for
    std::string id = {}, distribution = {};
    Count block_size = 0, total = 0, padded_total = 0;
    std::size_t element_bytes = 0;  ///< extent of an element
    /// Scales of the variants: the problem itself, then larger and smaller problems for monotony
    /// and splitting.
    std::vector<Scale> scales = {};
    std::vector<Contestant> contestants = {};
    std::vector<PlannedCheck> checks = {};
    /// Time in seconds that the cost model predicts for each contestant, negative if unknown; empty
    /// before the problem is measured.
    std::vector<double> predicted_s = {};
    /// Time in seconds that the problem costs an application, or that an application could save.
    /// Decides order and share of time. Empty in audits of no application.
    std::optional<double> worth_s = {};
    Count next = 0;                   ///< block size that m+k stands for; 0 if there is none
    bool has_reduced_checks = false;  ///< large: checks only operations on equal blocks
    bool is_chosen = false;           ///< chosen while the audit ran, because of neighbouring sizes
    double tail_s = 0.0;  ///< seconds for the rounds that look for long calls; 0: no such rounds

    /// Returns true if no contestant of the check is skipped.
    bool is_checkable(const PlannedCheck& check) const {
        return !contestants[check.left].skipped && !contestants[check.right].skipped;
    }
};

/// A problem with block sizes, ready to be measured.
struct PlannedProblem : ProblemOutline {
    std::vector<Problem> variants = {};  ///< [scale]
    /// If buffers are shared and hold no data, the part of each variant on which contestants are
    /// verified; else empty.
    std::vector<Problem> parts = {};
    /// Measured reference algorithms beyond those of Plan::references.
    int further_references = 0;

    const Problem& problem() const { return variants.front(); }
    const std::vector<Problem>& verified() const { return parts.empty() ? variants : parts; }
    /// Returns the layouts that contestants of a variant need, without skipped contestants.
    Needs needs(std::size_t variant) const;
    /// Returns how many parts of a variant have buffers of their own: the largest k in k A(m/k) of
    /// its contestants; 1 without such contestants.
    int own_parts(std::size_t variant) const;
};

/// A problem that is left out because another problem has the same block size on every rank.
struct Duplicate {
    std::string problem, equal_to;  ///< ids
};

/// The number of reference algorithms with which `--guidelines library` compares an operation on a
/// problem first; the algorithms that are predicted to be the fastest come first. The audit
/// measures the other algorithms while time is left.
struct ReferencesInBudget {
    int most = std::numeric_limits<int>::max();
    double seconds_of_one = 0.0;  ///< budget that one more algorithm of each operation takes
};

/// The problems and checks of an audit. The same on every rank.
struct Plan {
    Problems source;
    const Inputs* inputs;
    MemoryLimit memory;
    bool shared_buffers = false;
    std::vector<ProblemOutline> problems = {};  ///< in the order of distributions and block sizes
    std::vector<Duplicate> duplicates = {};
    int checkable = 0;  ///< checks that can be measured as far as known in advance
    /// The number of further checks that the audit may choose while it runs. Alpha is divided by
    /// all numbers together.
    int may_be_chosen = 0;
    /// Statements about long calls: each operation may have some, and some after a pause. Each
    /// counts as a check.
    int tails = 0;
    int checks() const { return checkable + may_be_chosen + tails; }
    ReferencesInBudget references = {};

    /// Adds a problem with those of the guidelines that apply to its place. Returns the place of
    /// the problem in the plan. Does not change `checkable`. Not for problems of an application.
    /// Throws UsageError.
    std::size_t choose(const SweepPoint& place, const std::vector<std::size_t>& guidelines);
    /// Returns the problem at this place in the plan with its block sizes, which live as long as
    /// the returned object.
    PlannedProblem instantiate(std::size_t problem) const;
};

/// Returns true for guidelines about barriers or about making communicators. They say the same on
/// every problem, so the plan has them only in the first measured problem by by_value().
bool is_without_data(const Inequality& inequality);

/// Returns the reason why one set of buffers would exceed the allowed memory (--memory); nullopt if
/// the buffers fit. `allowed_bytes` is as in MemoryLimit.
std::optional<std::string> memory_obstacle(const Needs& needs, const Problem& problem,
                                           std::uint64_t allowed_bytes);

/// Plans every guideline on every distribution and block size; explicit counts make one problem.
/// Distributions that coincide on few ranks are planned once. For a recorded application, plans
/// only the guidelines on the collective of each problem, in the recorded form.
/// `inputs` and `types` must outlive the plan. Throws UsageError.
/// \param references the number of reference algorithms that an operation is compared with;
/// nothing: as many as the budget has time for
Plan make_plan(const Inputs& inputs, const RunOptions& options, const Types& types, int ranks,
               std::uint64_t memory_per_rank_bytes, const NodeSplit& nodes = {},
               std::optional<int> references = {});

/// Returns the places of the problems in the plan in an order in which an audit that ends early has
/// seen everything once: a medium, a small and a large size of the first
/// distribution, a medium size of all others, the other sizes of the first distribution, small
/// sizes of the others, sizes in between, and last the large sizes of the others. Problems of an
/// application keep their order: the selection has sorted them by the time that they cost the
/// application.
std::vector<std::size_t> by_value(const Plan& plan);

/// Returns the places of the checks of a problem in an order of which every beginning covers all
/// operations: for each operation a check against a reference algorithm, then another check, and so
/// on. Faster reference algorithms, by prediction, come first; those without a prediction come
/// last.
std::vector<std::size_t> in_turns(const ProblemOutline& planned);

}  // namespace mpiaudit
