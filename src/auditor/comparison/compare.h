// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <string>

// For programs of users: C++17, and no other header of mpiaudit.
namespace mpiaudit {

/// The conclusions of compare(). `undecided`: neither is shown within the time.
enum class Conclusion { left_is_slower, left_is_no_slower, undecided };

struct CompareOptions {
    /// Left is slower if it takes longer than (1 + tolerance) times right; finite, not negative.
    double tolerance = 0.05;
    /// Bound on the probability of a wrong conclusion, in (0, 1).
    double alpha = 0.05;
    /// Most seconds for all rounds. A clear difference takes much less.
    double limit_s = 2.0;
};

/// The result of compare(), equal on all ranks. Times are in seconds. A time is that of the slowest
/// rank.
struct Comparison {
    Conclusion conclusion = Conclusion::undecided;
    double alpha = 0.0;  ///< the probability that the conclusion is wrong is at most this
    /// Left is slower in some rounds only because of the calls before it: undecided.
    bool depends_on_order = false;
    double ratio = 1.0;                        ///< median over the rounds of left / right
    double ratio_low = 1.0, ratio_high = 1.0;  ///< 95 % interval of this median
    double left_s = 0.0, right_s = 0.0;        ///< medians
    int rounds = 0;                            ///< each round has one time of both sides
    /// Valid p-value, whenever the rounds stop, of "left is no slower".
    double p_slower = 1.0;

    /// Returns: left takes 2.01 times as long as right (1.98 to 2.05 times) in 34 rounds: left is
    /// slower, wrong with a probability of at most 5 %
    std::string sentence() const;
};

/// Compares two callables by the method of mpiaudit's audits: both run once in each round, in
/// random order, after a synchronisation of the ranks; an e-process over the rounds concludes as
/// soon as the evidence suffices. Warms up first. Collective: all ranks of `comm` pass callables
/// that do the same and equal options. A callable may be local, or communicate over any
/// communicator whose ranks all are in `comm`. \param left, right must not throw: the other ranks
/// would wait for ever \throws std::invalid_argument for an empty callable or an option out of its
/// range
Comparison compare(const std::function<void()>& left, const std::function<void()>& right,
                   MPI_Comm comm, const CompareOptions& options = {});

}  // namespace mpiaudit
