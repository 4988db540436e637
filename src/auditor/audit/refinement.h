// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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
MPIAUDIT_MEMBERS(ChosenSizes, (place, guidelines))

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
    std::vector<std::size_t> strongest_near(const std::string& distribution, Count block_size,
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
    NameSet references_;
    std::map<std::string, std::size_t> guidelines_, distributions_;  ///< their places by name
    std::map<std::string, Sizes> measured_;                          ///< by distribution
    int chosen_checks_ = 0, chosen_problems_ = 0;
};

}  // namespace mpiaudit
