// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mpiaudit::judge {

/// The usual times of both sides of a pair, in seconds: medians of rounds before the judged ones.
struct UsualTimes {
    double left_s = 0, right_s = 0;
};

/// The long calls of the two sides of a pair in some rounds of one problem. A call is long if it
/// takes more than `long_call` times as long as a usual call of the slower side, and more than
/// three times as long as the call of the other side in the same round: what slows both sides is no
/// tail.
struct LongCalls {
    UsualTimes usual;
    int rounds = 0;                   ///< judged rounds
    std::vector<double> left_long_s;  ///< times of the long calls of the left side
    int right_long = 0;               ///< number of long calls of the right side
    double left_all_s = 0;            ///< sum of all times of the left side
};

/// Counts the long calls in rounds of both sides.
/// \param left_s, right_s times of round k (s); rounds of one side alone do not count
/// \param usual from earlier rounds, so that no judged round decides which of its calls are long
LongCalls long_calls(std::span<const double> left_s, std::span<const double> right_s,
                     const UsualTimes& usual);

/// The first rounds of a pair, which decide what is usual.
inline constexpr std::size_t rounds_of_usual = 5;

/// Returns the long calls behind the first `rounds_of_usual` rounds, which give the usual times.
LongCalls long_calls_behind_first(std::span<const double> left_s, std::span<const double> right_s);

/// Returns ln of the evidence that the left side has more long calls than disturbances explain.
///
/// At most one side of a round has a long call. Consider the rounds with one. A disturbance from
/// outside hits a call the more often the longer the call is. So under the hypothesis the left side
/// is the long one with a probability of at most q = max(1/2, l / (l + r)), whatever happened
/// before, where l and r are the usual times. An operation compared with itself has q = 1/2. The
/// likelihood ratio of "the odds are t times as large" to the hypothesis multiplies over the
/// rounds; its mean over some t > 1 is an e-process: it ever reaches c with probability at most
/// 1/c. Launches and problems multiply, too.
double log_e_of_tail(std::span<const LongCalls> rounds);

/// The answer about the long calls of one operation.
struct TailJudgement {
    double log_e = 0;
    int calls = 0, long_calls = 0;  ///< judged calls of the operation
    int other_long_calls = 0;       ///< in as many calls of the other ways
    /// Share of the time of the operation that lies in long calls. Each problem counts in units of
    /// its usual time, so that problems with long calls do not outvote the others.
    double share = 0;
    double long_s = 0;  ///< median of the long calls; 0 without any

    /// Returns true if the evidence reaches ln(checks / alpha), and long calls matter: they are
    /// three times as frequent as in the other ways and take a tenth of the time.
    bool is_found(int checks, double alpha) const;
};

/// \param launches the rounds of all problems, launch by launch. Evidence against a tail in any
/// launch outweighs all others: then log_e is that launch's.
TailJudgement judge_tail(std::span<const std::vector<LongCalls>> launches);

}  // namespace mpiaudit::judge
