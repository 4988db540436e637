// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "judge/ranges.h"
#include "plan/plan.h"
#include "record/audit_record.h"
#include "report/report.h"

namespace mpiaudit {

/// Guidelines of an operation, so that an answer takes a part of the time of a whole problem.
inline constexpr std::size_t strongest = 3;

/// A problem that is chosen on the way.
struct ChosenSizes {
    SweepPoint place;
    std::vector<std::size_t> guidelines;
};

/// Chooses the sizes that tell most, on rank 0: between two at which an operation was measured,
/// where one is violated and the other is not, or the ratio or the time jumps, or the gap is wide.
/// It looks at what was decided, never at checks that are still open, and each of its checks begins
/// with no evidence: so the bound on false violations is that of the checks that may be chosen.
class Refinement {
  public:
    /// `plan` has to outlive it.
    Refinement(const Plan& plan, const record::Header& header, const judge::Rule& rule);
    void add(const record::ProblemRecord& measured);
    /// Nothing when there is nothing more to tell, or no time for it.
    std::optional<ChosenSizes> next(double left_s) const;
    /// The guidelines that each operation was slowest beside at the nearest size of the
    /// distribution that has told; none where no size has.
    /// \param most of each operation
    std::vector<Count> strongest_near(const std::string& distribution, Count block_size,
                                      std::size_t most) const;
    /// Seconds that the choice may take.
    double expected_s(const ChosenSizes& choice) const;

  private:
    struct Operation {
        judge::AtSize at{};
        std::map<std::size_t, double> held, violated;  ///< guidelines, with left over right
    };
    struct Size {
        double seconds_of_check = 0.0;
        bool is_chosen = false;
        std::set<std::string> tried = {};  ///< operations, with an answer or not
        std::map<std::string, std::set<std::size_t>> late = {};  ///< guidelines without time
        std::map<std::string, Operation> operations = {};        ///< those with an answer
    };
    using Sizes = std::map<Count, Size>;
    struct Gap {
        std::string distribution;
        Count below, above;  ///< above: 0 behind the last answer
        Count at;            ///< the size to be chosen
        double worth = 0.0;
        bool is_edge = false;
    };
    /// Returns whether the check is decided.
    bool add(const record::ProblemRecord& problem, const record::Check& check, Size& size) const;
    std::vector<Gap> gaps_of(const std::string& distribution, const Sizes& sizes) const;
    /// A size of about `size` at which the operation was not tried; 0 where it was.
    static Count untried(const Sizes& sizes, Count size, const std::string& operation);
    ChosenSizes choice_in(const Gap& gap) const;
    /// Operations that had no time on any size of the distribution: those that have an answer on
    /// another one, or those that have none.
    enum class Without { here, anywhere };
    /// Beside the smallest planned size of a distribution that has such operations: these, with
    /// what they were slowest beside elsewhere.
    std::optional<ChosenSizes> without_answer(const std::string& distribution, const Sizes& sizes,
                                              Without without) const;
    /// On the first distribution that has any, as many as there is time for.
    std::optional<ChosenSizes> without_answer(Without without, double left_s) const;
    std::map<std::size_t, double> slowest_anywhere(const std::string& operation,
                                                   const std::set<std::size_t>& guidelines) const;
    bool has_room_for(const ChosenSizes& choice, double left_s) const;
    /// As on the next larger size that has told, or on the largest one; 0 where none has.
    static double seconds_of_check(const Sizes& sizes, Count block_size);
    /// As on the distribution, or where it has told nothing as on the slowest of the others.
    double seconds_of_check(const std::string& distribution, Count block_size) const;

    const Plan& plan_;
    judge::Rule rule_;
    std::uint64_t order_seed_;
    Names references_;
    std::map<std::string, std::size_t> guidelines_, distributions_;  ///< their places by name
    std::map<std::string, Sizes> measured_;                          ///< by distribution
    int chosen_checks_ = 0, chosen_problems_ = 0;
};

/// Shares the wall time of an audit between its problems, on rank 0. Few problems measured well
/// tell more than all of them measured badly: each gets the time that it needs to be measured well,
/// where its share of what is left is less, but never more than a third of what is left while
/// others wait, so that a middle, a small and a large size have their turn. What needs far more
/// than it could get is left out, but not where all do.
class Budget {
  public:
    /// \param total_s infinite: no limit
    /// \param works[i] that of problem i, in any unit; 0: it is not to be measured
    /// \param weights[i] to which its share of the time is proportional; none: its work, but a
    /// share is never less than half of what each would get of equal ones
    /// \param leaves_rest time is left for problems to come: each gets half of its share, but what
    /// it needs to be measured well and somewhat more, never more than a sixth; none is left out
    Budget(std::vector<double> works, double total_s, std::vector<double> weights = {},
           bool leaves_rest = false);

    /// Seconds for problem `index`, which is next, `elapsed_s` after the start; 0 where none are
    /// left, or so few that hardly a check could be decided.
    double limit_s(std::size_t index, double elapsed_s) const;
    /// Which part that is of what the problem needs to be measured well.
    double part_of_needed(std::size_t index, double limit_s) const {
        return limit_s / needed_s(index);
    }
    /// How long it took, or, where its own limit ended it, how far it came.
    void measured(std::size_t index, const record::ProblemRecord& record);

  private:
    double needed_s(std::size_t index) const;

    std::vector<double> works_;
    double equal_share_;
    std::vector<double> weights_;
    double total_s_;
    bool leaves_rest_;
    std::vector<bool> is_open_;
    double needed_work_ = 0.0;  ///< of the problems that were measured,
    double needed_s_ = 0.0;     ///< and the seconds that take each of them to good_rounds
};

}  // namespace mpiaudit
