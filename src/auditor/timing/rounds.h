// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "messages/under_test.h"
#include "timing/clock.h"
#include "timing/synchronisation.h"

namespace mpiaudit {

/// Returns the contestants' order in one round: a uniform permutation of `active` that depends on
/// the seed and the round only, so that all ranks agree.
std::vector<int> round_order(std::span<const int> active, std::uint64_t seed, int round);

/// The rounds that are repeat rounds. A repeat round calls each contestant twice in a row and times
/// the second call, so that each contestant follows itself. `by_chance`: one round in n + 1, drawn
/// from the seed, if n > 1 contestants are active; then each contestant follows each of the n
/// contestants, itself included, equally often.
enum class Repeats { none, by_chance, all };

/// Returns true if Repeats::by_chance makes this round a repeat round; equal on all ranks.
bool is_repeat_round(std::size_t active, std::uint64_t seed, int round);

/// Samples of consecutive rounds. On rank 0 a sample is the maximum over the ranks; other ranks
/// have no samples. The arrays are flat, because drawing and storing an order must take far less
/// time than a sample.
struct Batch {
    std::size_t active = 0;           ///< contestants in each round
    std::vector<int> order{};         ///< contestants as they ran, round after round
    std::vector<double> samples_s{};  ///< like order
    std::vector<char> repeats{};      ///< per round: 1 for a repeat round
    int late_starts = 0;              ///< samples that some rank started late
    int dropped_rounds = 0;           ///< rounds dropped because of late starts
    double clock_error_s = 0.0;       ///< largest error of the global clock over the ranks
    /// Contestant whose call, timed or not, has returned an error so far on some rank. -1: none.
    /// The number of contestants stands for the synchronisation. On rank 0 only.
    int failed = -1;

    std::size_t rounds() const { return active == 0 ? 0 : order.size() / active; }
    std::span<const int> order_of(std::size_t round) const {
        return std::span(order).subspan(round * active, active);
    }
};

/// Runs contestants in rounds: each active contestant once per round in random order, after a
/// synchronisation. So drift, frequency changes and neighbours affect all contestants alike.
class Rounds {
  public:
    /// `before` has an untimed call for each contestant ahead of the synchronisation, or is empty.
    /// `calls` has the calls of all contestants on the first set of buffers, then on the second
    /// one, `sets` in all. Each call uses the next set, whichever contestant made the call before.
    Rounds(std::span<const Call> calls, MPI_Comm comm, Clock clock, Synchronisation synchronisation,
           std::uint64_t seed, std::span<const Call> before = {}, std::size_t sets = 1);

    /// Makes measured calls start together at a time of the global clock; a sample is then the time
    /// from the first start to the last end. A round with a late start is dropped as a whole, since
    /// its samples are compared with each other.
    void start_in(StartWindow& window) { window_ = &window; }

    /// Makes run() take the contestants one after the other, as papers do: `untimed` calls of each,
    /// then all its timed calls in a row. Not in a window.
    void repeat_in_a_row(int untimed) { untimed_in_a_row_ = untimed; }

    /// A function that returns, for each of `rounds` rounds from `first` on, the seconds that this
    /// rank waits after the agreed start.
    using Delays = std::function<std::vector<double>(int first, int rounds)>;
    /// Makes ranks arrive at different times in the window; a sample is then the time from the last
    /// start to the last end.
    void delay_by(Delays delays) { delays_ = std::move(delays); }

    /// Makes ranks compute for so many seconds between the synchronisation and a timed call; 0: no
    /// pause. Not in a window.
    void pause_before_calls(double seconds) { pause_s_ = seconds; }

    /// Runs untimed rounds. Uses the synchronisation, never the start window.
    void warm_up(std::span<const int> active, int rounds);
    /// Runs rounds. The maxima over the ranks are taken once at the end, so that no reduction runs
    /// between two samples. Outside a window, a batch of more than one round starts with one
    /// untimed call of its first contestant, unless its first round is a repeat round: after the
    /// pause for the reduction, calls of a microsecond took a fifth longer. Calls in a row have no
    /// repeat rounds. Collective.
    Batch run(std::span<const int> active, int rounds, Repeats repeats = Repeats::none);
    /// Returns the error code of the failed contestant on this rank and resets it; MPI_SUCCESS if
    /// none.
    int take_error();
    /// Keeps, from now on, this rank's own times of all timed calls, late ones included.
    void keep_own_times() { own_s_.emplace(contestants_); }
    /// Returns the kept times in seconds: [contestant][call]; nothing unless kept.
    const std::optional<std::vector<std::vector<double>>>& own_times() const { return own_s_; }

  private:
    /// Returns the contestant's call on the next set of buffers; valid until the next one.
    const Call& next_call(std::size_t contestant);
    void leave(int contestant);
    /// Keeps the first error for take_error().
    void note_error(int failed);
    /// Announces a call, runs its untimed part and synchronises. An error in either counts as an
    /// error of the synchronisation.
    void bring_together(std::size_t contestant);
    void run_untimed(std::size_t contestant);
    Batch drawn_batch(std::span<const int> active, int rounds, Repeats repeats);
    Batch run_apart(std::span<const int> active, int rounds, Repeats repeats);
    Batch run_in_a_row(std::span<const int> active, int rounds);
    double time_of(std::size_t contestant);
    void finish(std::vector<double> local, Batch& batch);
    void note_own_time(int contestant, double seconds) {
        if (own_s_) (*own_s_)[static_cast<std::size_t>(contestant)].push_back(seconds);
    }
    Batch run_in_window(std::span<const int> active, int rounds, Repeats repeats);
    void run_untimed_in_window(int contestant);

    std::span<const Call> calls_;
    std::span<const Call> before_;
    MPI_Comm comm_;
    Clock clock_;
    Synchronisation synchronisation_;
    std::uint64_t seed_;
    std::size_t contestants_;
    std::size_t first_of_set_ = 0;  ///< index in calls_
    Call copied_call_;              ///< the next call if there are several sets
    StartWindow* window_ = nullptr;
    std::optional<int> untimed_in_a_row_;
    Delays delays_;
    std::optional<std::vector<std::vector<double>>> own_s_;
    double pause_s_ = 0.0;
    int round_ = 0;
    int warm_up_round_ = 0;
    int failed_ = -1;
    int error_ = MPI_SUCCESS;
};

/// Result of the warm-up; equal on all ranks.
struct WarmUp {
    int rounds = 0;
    bool has_settled = false;  ///< false if a limit ended the warm-up or nobody tested
    double round_s = 0.0;      ///< duration of one of the last rounds; 0 if there were none
};

/// Runs windows of five rounds, at least 25 rounds or 5 ms, until the median of a window is no
/// longer clearly below that of the window before: by then connections are set up, pages touched
/// and caches filled. Ends after 50 rounds, or before a window that would pass the limit (s); if
/// not even the first window fits, runs as many rounds as fit. Runs nothing if limit_s is 0.
/// Collective.
WarmUp warm_up_until_settled(Rounds& rounds, std::span<const int> active, MPI_Comm comm,
                             double limit_s);

/// Runs `number` rounds, or fewer if the first round shows that they would pass the limit (s); none
/// if limit_s is 0. Collective.
WarmUp warm_up_for(Rounds& rounds, std::span<const int> active, MPI_Comm comm, int number,
                   double limit_s);

/// Returns true if the last window of durations is no longer faster than the one before: its median
/// is at least 95 %. Rises are noise.
bool has_settled(std::span<const double> durations_s, std::size_t window);

}  // namespace mpiaudit
