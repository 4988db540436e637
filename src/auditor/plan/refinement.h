// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "judge/ranges.h"
#include "plan/plan.h"

namespace mpiaudit {

/// Guidelines of an operation in a chosen problem, at most. A default audit (Open MPI 4.1.4, 2
/// ranks) had 8 pairs of sizes with 4 decided guidelines of an operation or more: in all of them
/// the guideline with the largest ratio at one size had one of the 2 largest at the other. The
/// third allows for ratios that are close.
inline constexpr std::size_t strongest_of_operation = 3;

/// A problem that the audit chooses while it runs.
struct ChosenProblem {
    SweepPoint place;
    std::vector<std::size_t> guidelines;  ///< places in Inputs::guidelines, ascending
};
MPIAUDIT_MEMBERS(ChosenProblem, (place, guidelines))

/// The result of a check, as far as the choice of further problems needs it.
struct CheckResult {
    enum class Answer {
        violated,
        holds,
        undecided,  ///< rounds enough for a clear answer, but no answer, or none that sizes change
        no_time,    ///< too few rounds for a clear answer
        left_out,   ///< a reference algorithm that is predicted to be slower than others
        not_possible  ///< skipped for another reason
    };
    std::string operation;  ///< on the left side
    std::size_t guideline;  ///< place in Inputs::guidelines
    Answer answer;
    bool was_begun = true;  ///< neither side was skipped
    double ratio = 1.0;     ///< left side over right side; of answers only
    double left_s = 0.0;    ///< median time of the left side in seconds; of answers only
    /// Predicted seconds of the right side; infinite if unknown. Of checks that are left out only.
    double predicted_s = std::numeric_limits<double>::infinity();
};

/// The results of a problem, as far as the choice of further problems needs them.
struct ProblemResult {
    std::string distribution;
    Count block_size;
    bool is_chosen = false;
    double seconds_per_check = 0.0;  ///< mean over checks with samples; 0: no check has samples
    std::vector<CheckResult> checks = {};
};

/// Chooses further block sizes while an audit runs, from the answers so far alone: it reads no
/// clock and no samples. Between two sizes at which an operation was measured it chooses where one
/// is violated and the other is not, where the ratio or the time jumps, or where the gap is wide
/// (judge/ranges.h). It also chooses a planned size again for operations that had no time at that
/// size, and last for reference algorithms left out there. A
/// chosen check begins without evidence, so the bound on false violations counts the checks that
/// may be chosen (docs/method.md).
class Refinement {
  public:
    /// \param distributions names in the order of Inputs::distributions
    /// \param most_checks that may be chosen in all, as in Plan::may_be_chosen
    Refinement(std::vector<std::string> distributions, int most_checks);

    void add(const ProblemResult& measured);
    /// Returns the problem to be measured next; nothing if no further size tells more, if no checks
    /// may be chosen any more, or if `left_s` seconds are too few.
    std::optional<ChosenProblem> next(double left_s) const;
    /// Returns the guidelines with the largest ratios of each operation at the size nearest to
    /// `block_size` with an answer about it, ascending; none if the distribution has no answer.
    /// \param most guidelines of each operation
    std::vector<std::size_t> strongest_near(const std::string& distribution, Count block_size,
                                            std::size_t most) const;
    /// Returns the seconds that the problem may take.
    double expected_s(const ChosenProblem& choice) const;

    // The answers so far.

    using Ratios = std::map<std::size_t, double>;  ///< left side over right side, by guideline
    struct Answers {
        judge::AtSize at{};
        Ratios held, violated;
    };
    struct OperationAtSize {
        bool was_tried = false;                   ///< rounds were enough for a clear answer
        std::set<std::size_t> without_time = {};  ///< guidelines
        std::set<std::size_t> begun = {};         ///< guidelines
        /// Guidelines that were left out, with the predicted seconds of their right sides.
        std::set<std::pair<double, std::size_t>> left_out = {};
        std::optional<Answers> answers = {};
    };
    struct MeasuredSize {
        double seconds_per_check = 0.0;  ///< 0: not known
        bool is_chosen = false;
        std::map<std::string, OperationAtSize> operations = {};
    };
    using Sizes = std::map<Count, MeasuredSize>;  ///< by block size

  private:
    /// Operations without an answer on a distribution: with an answer on another distribution, or
    /// without any answer.
    enum class Unanswered { here, anywhere };

    std::optional<ChosenProblem> in_best_gap(double left_s) const;
    /// Returns a problem beside the smallest planned size at which unanswered operations had no
    /// time, on the first distribution with such a size, with as many guidelines as `left_s`
    /// allows; nullopt if there is no such size or not enough time.
    std::optional<ChosenProblem> for_unanswered(Unanswered which, double left_s) const;
    std::optional<ChosenProblem> for_unanswered(const std::string& distribution, const Sizes& sizes,
                                                Unanswered which) const;
    /// Returns a problem beside a planned size with the fastest reference algorithms, by
    /// prediction, that were left out there and have had no turn; nullopt if there is none or not
    /// enough time.
    std::optional<ChosenProblem> for_left_out(double left_s) const;
    ChosenProblem problem_beside(const std::string& distribution, const Sizes& sizes, Count next,
                                 const std::set<std::size_t>& guidelines) const;
    /// Takes guidelines from the choice until `left_s` allows the others; they have their turn in
    /// the next problem beside the planned size. Returns false if `left_s` allows no guideline.
    bool make_affordable(ChosenProblem& choice, double left_s) const;
    /// Returns the largest ratio of each of these guidelines at any size of any distribution.
    Ratios largest_ratios(const std::string& operation,
                          const std::set<std::size_t>& guidelines) const;
    bool is_affordable(const ChosenProblem& choice, double left_s) const;
    /// Returns the seconds of a check near a size of the distribution; if the distribution has no
    /// times, the longest of all distributions. 0: not known.
    double seconds_per_check(const std::string& distribution, Count block_size) const;
    std::size_t place_of(const std::string& distribution) const;

    std::vector<std::string> distributions_;
    int most_checks_;
    std::map<std::string, Sizes> measured_;  ///< by distribution
    int chosen_checks_ = 0, chosen_problems_ = 0;
};

}  // namespace mpiaudit
