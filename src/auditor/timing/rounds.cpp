// SPDX-License-Identifier: BSD-3-Clause
#include "timing/rounds.h"

#include <algorithm>

#include "messages/agreement.h"
#include "random/random_bits.h"

namespace mpiaudit {

namespace {

void shuffle(std::span<int> contestants, std::uint64_t seed, int round) {
    std::uint64_t state = mix_bits(seed, static_cast<std::uint64_t>(round));
    // Fisher-Yates by hand: std::shuffle differs between standard libraries. The bias of the
    // remainder is below 2^-50 for any number of contestants.
    for (std::size_t left = contestants.size(); left > 1; --left) {
        state = mix_bits(state);
        std::swap(contestants[left - 1], contestants[state % left]);
    }
}

template <class Each>
void append(std::span<const Each> from, std::size_t at, std::size_t count, std::vector<Each>& to) {
    if (from.empty()) return;
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(at),
              from.begin() + static_cast<std::ptrdiff_t>(at + count));
}

/// Returns the rounds without a late start. The caller must set `failed` and `clock_error_s`.
/// \param late 1 for each late sample, in the order of the rounds
Batch without_late(const Batch& all, const std::vector<int>& late) {
    Batch batch{.active = all.active};
    for (std::size_t round = 0; round < all.rounds(); ++round) {
        const std::size_t at = round * all.active;
        int late_here = 0;
        for (std::size_t k = 0; k < all.active; ++k) late_here += late[at + k];
        batch.late_starts += late_here;
        batch.dropped_rounds += late_here > 0;
        if (late_here > 0) continue;
        append<int>(all.order, at, all.active, batch.order);
        append<double>(all.samples_s, at, all.active, batch.samples_s);
        batch.repeats.push_back(all.repeats[round]);
    }
    return batch;
}

/// Moves the number of the failed contestant, which follows the samples on rank 0, to `failed`.
void take_failed(Batch& batch) {
    if (batch.samples_s.empty()) return;
    batch.failed = static_cast<int>(batch.samples_s.back());
    batch.samples_s.pop_back();
}

}  // namespace

std::vector<int> round_order(std::span<const int> active, std::uint64_t seed, int round) {
    std::vector<int> order(active.begin(), active.end());
    shuffle(order, seed, round);
    return order;
}

bool is_repeat_round(std::size_t active, std::uint64_t seed, int round) {
    // Separates these bits from the bits that shuffle the round.
    constexpr std::uint64_t stream = 0x7265706561740000U;
    const std::uint64_t bits = mix_bits(mix_bits(seed ^ stream, static_cast<std::uint64_t>(round)));
    return active > 1 && bits % (active + 1) == 0;
}

Rounds::Rounds(std::span<const Call> calls, MPI_Comm comm, Clock clock,
               Synchronisation synchronisation, std::uint64_t seed, std::span<const Call> before,
               std::size_t sets)
    : calls_{calls},
      before_{before},
      comm_{comm},
      clock_{clock},
      synchronisation_{synchronisation},
      seed_{seed},
      contestants_{calls.size() / sets} {}

const Call& Rounds::next_call(std::size_t contestant) {
    if (contestants_ == calls_.size()) return calls_[contestant];
    first_of_set_ += contestants_;
    if (first_of_set_ >= calls_.size()) first_of_set_ = 0;
    // Copies the call, since only the buffers shall be out of the caches. A call that is not in the
    // caches costs a miss or two, depending on its address: for a whole launch, one side of 4 bytes
    // took 1.09 times the other's time.
    copied_call_ = calls_[first_of_set_ + contestant];
    return copied_call_;
}

void Rounds::bring_together(std::size_t contestant) {
    under_test::arrive(static_cast<int>(contestant));
    if (!before_.empty()) before_[contestant]();
    under_test::synchronise();
    synchronisation_.wait(comm_);
    if (under_test::first_error != MPI_SUCCESS) [[unlikely]]
        note_error(static_cast<int>(contestants_));
    under_test::enter();
}

/// Runs after a call, untimed.
void Rounds::leave(int contestant) {
    under_test::leave();
    if (under_test::first_error != MPI_SUCCESS) [[unlikely]]
        note_error(contestant);
}

void Rounds::note_error(int failed) {
    const int code = under_test::take_error();
    if (failed_ >= 0) return;
    failed_ = failed;
    error_ = code;
}

int Rounds::take_error() {
    failed_ = -1;
    return std::exchange(error_, MPI_SUCCESS);
}

void Rounds::run_untimed(std::size_t contestant) {
    const Call& call = next_call(contestant);
    bring_together(contestant);
    call();
    leave(static_cast<int>(contestant));
}

void Rounds::warm_up(std::span<const int> active, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        // Negative round numbers separate these orders from those of the measured rounds.
        for (const int contestant : round_order(active, seed_, --warm_up_round_))
            run_untimed(static_cast<std::size_t>(contestant));
    }
}

/// Draws the orders and kinds of the next rounds; adds no samples.
Batch Rounds::drawn_batch(std::span<const int> active, int rounds, Repeats repeats) {
    Batch batch{.active = active.size()};
    batch.order.reserve(active.size() * static_cast<std::size_t>(rounds));
    for (int k = 0; k < rounds; ++k, ++round_) {
        batch.order.insert(batch.order.end(), active.begin(), active.end());
        shuffle(std::span(batch.order).last(active.size()), seed_, round_);
        batch.repeats.push_back(
            repeats == Repeats::all ||
            (repeats == Repeats::by_chance && is_repeat_round(active.size(), seed_, round_)));
    }
    return batch;
}

Batch Rounds::run(std::span<const int> active, int rounds, Repeats repeats) {
    if (active.empty() || rounds == 0) return {};
    return window_ != nullptr ? run_in_window(active, rounds, repeats)
                              : run_apart(active, rounds, repeats);
}

/// Each rank times its own call; a sample is the maximum over the ranks.
Batch Rounds::run_apart(std::span<const int> active, int rounds, Repeats repeats) {
    if (untimed_in_a_row_) return run_in_a_row(active, rounds);
    Batch batch = drawn_batch(active, rounds, repeats);
    std::vector<double> local;
    local.reserve(batch.order.size() + 1);
    // Long rounds come one by one. The pause before a long call does not matter.
    if (rounds > 1 && !batch.repeats.front())
        run_untimed(static_cast<std::size_t>(batch.order.front()));
    for (std::size_t round = 0; round < batch.rounds(); ++round) {
        for (const int each : batch.order_of(round)) {
            const auto contestant = static_cast<std::size_t>(each);
            if (batch.repeats[round]) run_untimed(contestant);
            local.push_back(time_of(contestant));
        }
    }
    finish(std::move(local), batch);
    return batch;
}

/// Returns the time of one call on this rank (s).
double Rounds::time_of(std::size_t contestant) {
    const Call& call = next_call(contestant);
    bring_together(contestant);
    if (pause_s_ > 0.0) [[unlikely]] {
        // A rank that sleeps would be late by the time that it needs to wake up.
        const double end_s = wall_time_s() + pause_s_;
        while (wall_time_s() < end_s) {
        }
    }
    const double start = clock_.now();
    call();
    // A clock that was set back gives 0.
    const double time = std::max(clock_.now() - start, 0.0);
    leave(static_cast<int>(contestant));
    return time;
}

/// Takes the maxima of this rank's times and the others' as the samples.
void Rounds::finish(std::vector<double> local, Batch& batch) {
    under_test::enter_harness();
    for (std::size_t i = 0; i < local.size(); ++i) note_own_time(batch.order[i], local[i]);
    local.push_back(failed_);
    batch.samples_s = largest_on_rank_0(std::move(local), comm_);
    take_failed(batch);
    under_test::finish();
}

/// Like run_apart(), but all calls of a contestant come in a row. Sample k of each contestant is in
/// round k of the batch.
Batch Rounds::run_in_a_row(std::span<const int> active, int rounds) {
    Batch batch{.active = active.size()};
    batch.repeats.resize(static_cast<std::size_t>(rounds));
    for (int k = 0; k < rounds; ++k)
        batch.order.insert(batch.order.end(), active.begin(), active.end());
    std::vector<double> local(batch.order.size());
    for (std::size_t i = 0; i < active.size(); ++i) {
        const auto contestant = static_cast<std::size_t>(active[i]);
        for (int k = 0; k < *untimed_in_a_row_; ++k) run_untimed(contestant);
        for (std::size_t at = i; at < local.size(); at += active.size())
            local[at] = time_of(contestant);
    }
    finish(std::move(local), batch);
    return batch;
}

/// Starts all ranks together, as nothing else brings ranks together in a window.
void Rounds::run_untimed_in_window(int contestant) {
    const auto at = static_cast<std::size_t>(contestant);
    const Call& call = next_call(at);
    under_test::arrive(contestant);
    if (!before_.empty()) before_[at]();
    window_->wait(0.0);
    under_test::enter();
    call();
    leave(contestant);
}

/// A sample is the time from the first start (with delays: from the last start) to the last end, in
/// global time. Drops rounds with a late start, and adapts the window to the share of late starts.
Batch Rounds::run_in_window(std::span<const int> active, int rounds, Repeats repeats) {
    const int first = round_;
    Batch all = drawn_batch(active, rounds, repeats);
    const std::vector<double> delays_s =
        delays_ ? delays_(first, rounds) : std::vector<double>(static_cast<std::size_t>(rounds));
    std::vector<double> starts, ends;
    std::vector<int> late;
    for (std::size_t i = 0; i < all.order.size(); ++i) {
        const int contestant = all.order[i];
        const auto at = static_cast<std::size_t>(contestant);
        if (all.repeats[i / active.size()]) run_untimed_in_window(contestant);
        const Call& call = next_call(at);
        under_test::arrive(contestant);
        if (!before_.empty()) before_[at]();
        late.push_back(!window_->wait(delays_s[i / active.size()]));
        // Times since the agreed start, which all ranks know, keep more digits than absolute times.
        under_test::enter();
        starts.push_back(window_->now() - window_->start_s());
        call();
        ends.push_back(window_->now() - window_->start_s());
        leave(contestant);
    }
    under_test::enter_harness();
    for (std::size_t i = 0; i < ends.size(); ++i)
        note_own_time(all.order[i], std::max(ends[i] - starts[i], 0.0));
    take_largest(late, comm_);
    const double clock_error_s = largest_of_ranks(window_->clock_error_s(), comm_);
    const std::vector<double> begun = delays_ ? largest_on_rank_0(std::move(starts), comm_)
                                              : smallest_on_rank_0(std::move(starts), comm_);
    ends.push_back(failed_);
    all.samples_s = largest_on_rank_0(std::move(ends), comm_);
    take_failed(all);
    for (std::size_t i = 0; i < all.samples_s.size(); ++i)
        all.samples_s[i] = std::max(all.samples_s[i] - begun[i], 0.0);
    Batch batch = without_late(all, late);
    batch.failed = all.failed;
    batch.clock_error_s = clock_error_s;
    under_test::finish();
    window_->adapt(static_cast<double>(batch.late_starts) / static_cast<double>(late.size()));
    return batch;
}

}  // namespace mpiaudit
