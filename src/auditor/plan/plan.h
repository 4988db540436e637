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

#include "collectives/patterns/node_communicators.h"
#include "options/options.h"
#include "plan/inputs.h"
#include "problem/problem.h"

namespace mpiaudit {

/// What the data are and how they are reduced. Throws UsageError for an unknown name.
struct Types {
    Types(const std::string& named_element, const std::string& named_op,
          const application::Selection* selection = nullptr, std::span<const Look> looks = {});
    Element element;
    Operator op;
    // Those of an application's problems and of looks, by name.
    std::map<std::string, Element> elements = {};
    std::map<std::string, Operator> operators = {};
};

/// Where a problem is among the distributions and their block sizes.
struct SweepPoint {
    std::size_t distribution;
    Count block_size;
    Count next = 0;  ///< the larger block size that m+k stands for; 0: none
    bool operator==(const SweepPoint&) const = default;
};
MPIAUDIT_MEMBERS(SweepPoint, (distribution, block_size, next))

/// The problems that inputs and options ask for, without contestants: every distribution with every
/// block size, explicit counts once, or those of an application that were selected. They are made
/// one by one, since each has a block size for every rank.
class Problems {
  public:
    /// `inputs` and `types` have to outlive it and its problems, which refer to it. Throws
    /// UsageError. \param nodes on which the ranks are
    Problems(const Inputs& inputs, const InputOptions& options, const Types& types, int ranks,
             NodeSplit nodes = {});
    std::size_t size() const;
    /// With its block sizes, the same at each call. Throws UsageError.
    Problem make(std::size_t place) const;
    /// The larger one that m+k stands for, if there is one.
    std::optional<Problem> make_next(std::size_t place) const;
    /// A problem more, behind the others. Returns where it is.
    std::size_t add(const SweepPoint& place);
    bool is_spread() const { return is_spread_; }
    const SweepPoint& place(std::size_t place) const { return places_[place]; }
    /// How it differs from what the options say; null where it does not.
    const Look* look(std::size_t place) const;

  private:
    Problem made(const SweepPoint& place) const;
    Problem made(const application::SelectedProblem& selected) const;
    void put_on_nodes(Problem& problem) const;

    const Inputs* inputs_;
    const Types* types_;
    int ranks_, root_ = 0;
    std::uint64_t seed_;
    bool has_network_, is_spread_;
    NodeSplit nodes_;
    std::shared_ptr<const Graph> graph_;
    std::vector<SweepPoint> places_;
};

/// --buffers rotate: a call after the other has another set of them, of which there are at least
/// these.
inline constexpr int least_sets_of_buffers = 2;

/// Average block size of the parts that problems are verified on where buffers are shared.
constexpr Count verified_block_size = 10;

/// What buffers may take, and how many sets of them there are at least.
struct MemoryLimit {
    std::uint64_t bytes;
    Count sets;
    /// Why buffers of which one set takes so much are not had; nothing when they are.
    std::optional<std::string> obstacle(Count bytes_of_a_set) const;
};

/// A path that takes part in the rounds of a problem.
struct Contestant {
    std::string name;  ///< of the path; a second copy of the same path ends in #2
    Path path;
    std::size_t variant;                 ///< which problem of PlannedProblem::variants it solves
    std::optional<std::string> skipped;  ///< why it cannot be measured on this problem
    /// It is skipped because this library is known to fail in it.
    bool is_known_to_fail = false;
};

/// One guideline on one problem: two contestants of the problem, by index.
struct PlannedCheck {
    std::size_t guideline;
    std::size_t left;
    std::size_t right;
};

/// A problem with all that is to be measured on it, in the same rounds, as the plan keeps it until
/// its turn comes: without block sizes, of which there is one for every rank.
struct ProblemOutline {
    std::size_t place = 0;  ///< among the problems that inputs and options ask for
    std::string id = {}, distribution = {};
    Count block_size = 0, total = 0, padded_total = 0;
    std::size_t element_bytes = 0;  ///< from one element to the next
    /// Of the variants: the problem itself, then those that monotony and splitting compare it with.
    std::vector<Scale> scales = {};
    std::vector<Contestant> contestants = {};
    std::vector<PlannedCheck> checks = {};
    /// Seconds that the model predicts for each contestant, negative where it cannot tell; nothing
    /// before the turn of the problem.
    std::vector<double> predicted_s = {};
    /// What it costs an application, or what it could save there; decides order and time. Nothing
    /// in other audits.
    std::optional<double> worth_s = {};
    Count next = 0;                ///< block size that m+k stands for; 0: none
    bool is_verification = false;  ///< of all forms of operations; it has no checks
    bool is_last = false;          ///< behind all that is measured
    bool is_of_some = false;       ///< of the operations alone, and tells little of all
    bool is_chosen = false;        ///< on the way, for what was found at sizes next to this one

    bool is_checkable(const PlannedCheck& check) const {
        return !contestants[check.left].skipped && !contestants[check.right].skipped;
    }
};

/// A problem whose turn has come.
struct PlannedProblem : ProblemOutline {
    std::vector<Problem> variants = {};  ///< one for each scale
    /// Where buffers are shared and hold no data, the part of each variant that its contestants are
    /// verified on. Otherwise none.
    std::vector<Problem> parts = {};

    const Problem& problem() const { return variants.front(); }
    const std::vector<Problem>& verified() const { return parts.empty() ? variants : parts; }
    /// The layouts on a variant of all contestants that are not skipped.
    Needs needs(std::size_t variant) const;
    /// How many parts of a variant have buffers of their own: k in k A(m/k).
    int own_parts(std::size_t variant) const;
};

/// A problem that is left out, since another one has the same block size on every rank.
struct Duplicate {
    std::string problem, equal_to;  ///< ids
};

/// With how many reference algorithms `--guidelines library` compares an operation on a problem:
/// those that are predicted to be the fastest.
struct ReferencesInBudget {
    int most = std::numeric_limits<int>::max();
    double seconds_of_one = 0.0;  ///< of the budget, for one more algorithm of each operation
};

/// What an audit will do. The same on every rank.
struct Plan {
    Problems source;
    const Inputs* inputs;
    MemoryLimit memory;
    bool shared_buffers = false;
    std::vector<ProblemOutline> problems = {};  ///< in the order of distributions and block sizes
    std::vector<Duplicate> duplicates = {};
    int checkable = 0;  ///< checks that no reason known in advance skips
    /// As many more may be chosen on the way, together: alpha is divided by both.
    int may_be_chosen = 0;
    int checks() const { return checkable + may_be_chosen; }
    ReferencesInBudget references = {};

    /// One more problem with these guidelines, those that apply to its place at all. Returns where
    /// it is.
    std::size_t choose(const SweepPoint& place, const std::vector<std::size_t>& guidelines);
    /// With its block sizes, which last as long as what is returned.
    PlannedProblem in_turn(std::size_t problem) const;
};

/// About a barrier or making communicators: the same on every problem, and part of the first one
/// that may have it.
bool is_without_data(const Inequality& inequality);

/// Why buffers would take more than is allowed (--memory); nothing when they do not.
std::optional<std::string> memory_obstacle(const Needs& needs, const Problem& problem,
                                           std::uint64_t allowed_bytes);

/// Every guideline on every distribution and block size; explicit counts make one problem. On few
/// ranks distributions coincide, and what is the same problem is planned once. Of an application's
/// problems each with what is to be as good as its own collective, as it is called.
/// `inputs` and `types` must outlive the plan. Throws UsageError.
/// \param references that an operation is compared with; nothing: as many as the budget has time
/// for
Plan make_plan(const Inputs& inputs, const RunOptions& options, const Types& types, int ranks,
               std::uint64_t memory_per_rank_bytes, const NodeSplit& nodes = {},
               std::optional<int> references = {});

/// The places of the problems: those that are verified alone, then those first that tell most, so
/// that an audit which ends early has looked at everything once: a medium, a small and a large size
/// of the first distribution, a medium size of all others, all other sizes of the first one, small
/// sizes of the others, those in between, and at last their large ones. Of an application's
/// problems those first that take it most time.
std::vector<std::size_t> by_value(const Plan& plan);

/// The places of the checks of a problem, one of each operation in turn, so that a part of them
/// speaks of all operations: first one against a reference algorithm, then another one, and so on.
/// Of the reference algorithms those first that are predicted to be the fastest.
std::vector<std::size_t> in_turns(const ProblemOutline& planned);

}  // namespace mpiaudit
