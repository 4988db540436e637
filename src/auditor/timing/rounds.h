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

/// The contestants' order in one round: a uniform permutation of `active`, a function of the seed
/// and the round only, so that all ranks agree.
std::vector<int> round_order(std::span<const int> active, std::uint64_t seed, int round);

/// Which rounds are repeat rounds. A repeat round calls each contestant twice in a row and times
/// the second call, so that each contestant follows itself. `by_chance`: one round in n + 1, drawn
/// from the seed, where n > 1 contestants are active; then each contestant follows each of the n
/// contestants, itself included, equally often.
enum class Repeats { none, by_chance, all };

/// Whether a round that Repeats::by_chance draws is a repeat round; the same on all ranks.
bool is_repeat_round(std::size_t active, std::uint64_t seed, int round);

/// When each rank began and ended one call, in seconds of the global clock since the start that the
/// ranks had agreed on; indexed by rank.
struct RankTimes {
    std::vector<double> arrivals_s;
    std::vector<double> exits_s;
};

/// Samples of consecutive rounds. On rank 0 a sample is the maximum over the ranks; elsewhere
/// samples are empty. Flat, because drawing and keeping an order must cost nothing beside a sample.
struct Batch {
    std::size_t active = 0;               ///< contestants in each round
    std::vector<int> order{};             ///< contestants as they ran, round after round
    std::vector<double> samples_s{};      ///< like order
    std::vector<char> repeats{};          ///< by round: 1 for a repeat round
    std::vector<RankTimes> rank_times{};  ///< like order, where they are kept
    int late_starts = 0;                  ///< samples that some rank started late
    int dropped_rounds = 0;               ///< rounds that were left out because of them
    double clock_error_s = 0.0;           ///< of the global clock, the worst of the ranks
    /// A contestant whose call has returned an error on some rank, in these rounds or before them,
    /// untimed ones included; -1 for none, the number of contestants for the synchronisation.
    int failed = -1;

    std::size_t rounds() const { return active == 0 ? 0 : order.size() / active; }
    std::span<const int> order_of(std::size_t round) const {
        return std::span(order).subspan(round * active, active);
    }
};

/// Runs contestants in rounds: each active one once per round in random order, a synchronisation
/// before each. So drift, frequency changes and neighbours hit all of them alike.
class Rounds {
  public:
    /// `before`, where given, is called for a contestant ahead of the synchronisation, untimed.
    /// `calls` are those of all contestants on one set of buffers, then those on another one ...,
    /// `sets` in all: each call is on the set after that of the call before it, whosever it was.
    Rounds(std::span<const Call> calls, MPI_Comm comm, Clock clock, Synchronisation synchronisation,
           std::uint64_t seed, std::span<const Call> before = {}, std::size_t sets = 1);

    /// From now on the measured calls start together at a time of the global clock, and a sample
    /// is the time from the first start to the last end. A round in which any rank started late is
    /// dropped as a whole: what its other samples would be compared with is missing.
    /// `keeps_rank_times`: Batch::rank_times are kept on rank 0, 16 bytes for each rank and sample.
    void start_in(StartWindow& window, bool keeps_rank_times = false) {
        window_ = &window;
        keeps_rank_times_ = keeps_rank_times;
    }

    /// From now on run() takes the contestants one after the other, as papers do: so many untimed
    /// calls of each, then all its timed ones in a row. Not in a window.
    void repeat_in_a_row(int untimed) { untimed_in_a_row_ = untimed; }

    /// What this rank waits after the agreed start in `rounds` rounds from `first` on, in seconds.
    using Delays = std::function<std::vector<double>(int first, int rounds)>;
    /// In the window only: from now on ranks come at different times, and a sample is the time from
    /// the last start to the last end.
    void delay_by(Delays delays) { delays_ = std::move(delays); }

    /// Runs rounds without keeping the times.
    void warm_up(std::span<const int> active, int rounds);
    /// Runs rounds; the maxima over the ranks are taken once at the end, so that no reduction
    /// stands between two samples. Where ranks are brought together by a barrier, several rounds
    /// begin with an untimed call of the first contestant: after the pause for the reduction, calls
    /// of a microsecond took a fifth longer. In a row there are no repeat rounds. Collective.
    Batch run(std::span<const int> active, int rounds, Repeats repeats = Repeats::none);
    /// The error code that the failed contestant has returned on this rank, if any; asked for once.
    int take_error();

  private:
    /// To be called, on the next set of buffers; valid until the next.
    const Call& next_call(std::size_t contestant);
    void leave(int contestant);
    void note_error(int failed);
    void bring_together(std::size_t contestant);
    void run_untimed(std::size_t contestant);
    Batch drawn_batch(std::span<const int> active, int rounds, Repeats repeats);
    Batch run_apart(std::span<const int> active, int rounds, Repeats repeats);
    Batch run_in_a_row(std::span<const int> active, int rounds);
    double time_of(std::size_t contestant);
    void finish(std::vector<double> local, Batch& batch);
    Batch run_in_window(std::span<const int> active, int rounds, Repeats repeats);
    void run_untimed_in_window(int contestant);

    std::span<const Call> calls_;
    std::span<const Call> before_;
    MPI_Comm comm_;
    Clock clock_;
    Synchronisation synchronisation_;
    std::uint64_t seed_;
    std::size_t contestants_;
    std::size_t first_of_set_ = 0;  ///< among calls_
    Call copied_call_;              ///< of a set among several
    StartWindow* window_ = nullptr;
    bool keeps_rank_times_ = false;
    std::optional<int> untimed_in_a_row_;
    Delays delays_;
    int round_ = 0;
    int warm_up_round_ = 0;
    int failed_ = -1;
    int error_ = MPI_SUCCESS;
};

/// How the rounds before the measured ones went; the same on all ranks.
struct WarmUp {
    int rounds = 0;
    bool has_settled = false;  ///< false when a limit ended it, or when nobody looked
    double round_s = 0.0;      ///< seconds of the last rounds, each; 0 when there were none
};

/// Rounds in windows of five, 25 of them or 5 ms, until the median of a window is no longer clearly
/// below that of the window before: connections are set up, pages touched and caches filled by
/// then. Ends after 50 rounds or when another window would pass the limit of seconds; where one
/// round tells that not even a window fits, after the rounds that do. None without time.
/// Collective.
WarmUp warm_up_until_settled(Rounds& rounds, std::span<const int> active, MPI_Comm comm,
                             double limit_s);

/// A fixed number of rounds, fewer when the first of them tells that they would pass the limit.
/// None without time. Collective.
WarmUp warm_up_for(Rounds& rounds, std::span<const int> active, MPI_Comm comm, int number,
                   double limit_s);

/// Whether the last window of rounds is as fast as warm-up makes them, for windows of equal length
/// in a row of durations. Its median is at least 95 % of the one before: rises are noise.
bool has_settled(std::span<const double> durations_s, std::size_t window);

}  // namespace mpiaudit
