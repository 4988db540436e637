// SPDX-License-Identifier: BSD-3-Clause
#include "measure/verification.h"

#include <fmt/format.h>

#include <mpi.h>
#include <algorithm>
#include <utility>
#include <vector>

#include "collectives/bcast/bcast.h"
#include "machine/machine.h"
#include "messages/agreement.h"
#include "messages/under_test.h"
#include "mpi/environment.h"
#include "mpi/incident.h"
#include "mpi/texts.h"
#include "problem/workspace.h"
#include "simulation/simulation.h"
#include "timing/clock.h"

namespace mpiaudit {
namespace {

/// Verifies one prepared path, which may be called several times.
class Verification {
  public:
    Verification(const Step& prepared, Layout from, Layout to, const Instance& instance,
                 bool asks_for_growth)
        : prepared_{prepared},
          instance_{instance},
          asks_for_growth_{asks_for_growth},
          rank_{instance.workspace.rank()},
          data_of_rank_{prepared.data_of_rank.value_or(rank_)},
          contents_{instance.problem(), from.holding},
          source_{prepared.source.value_or(instance.workspace.source(from))},
          result_{prepared.result} {
        result_.layout = to;
    }

    /// Calls the path once. Returns the error on this rank; nullopt if there is none.
    std::optional<Fault> run() {
        prepare();
        std::optional<Fault> error;
        if (!is_barrier(result_.layout.holding))
            call();
        else if (const auto left =
                     find_early_leaver([this] { call(); }, instance_.comm, ranks_that_wait()))
            error = {FaultKind::left_early, *left};
        if (auto returned = returned_error(rank_)) return returned;
        if (!error) error = find_error();
        for (const Agreement& agreement : prepared_.agreements) {
            if (!error) error = agreement.find_error();
        }
        return error;
    }

    /// Returns whether all ranks receive sums that are rounded, and whose bits depend on the order
    /// of the operands.
    bool has_equal_rounding_results() const {
        return contents_.rounds() && result_.layout.holding == Holding::replicated &&
               !platform().ranks_share_memory;
    }
    /// Calls the path on values whose sums are rounded. Returns an error on this rank if an element
    /// differs from that of rank 0. Collective.
    std::optional<Fault> run_on_rounding_values() {
        prepare();
        contents_.write_rounding(source_, data_of_rank_);
        call();
        if (auto returned = returned_error(rank_)) return returned;
        if (auto difference = difference_from_rank_0())
            return Fault{FaultKind::ranks_differ, std::move(*difference)};
        return std::nullopt;
    }

    /// Returns whether calls since the last time have allocated memory that is not freed, on any
    /// rank, so that more calls have to tell. Collective.
    bool may_lose() {
        if (calls_ >= suspicious) return false;
        const std::int64_t before = std::exchange(allocated_, allocated_bytes());
        return largest_of_ranks(allocated_ > before ? 1.0 : 0.0, instance_.comm) > 0;
    }

    /// Makes many calls without checking results and notes the memory lost per call in the later
    /// half: pools that fill up end before, and a pool that grows once affects one window only.
    /// Gives up if the calls would take longer than `limit_s`. Collective.
    void measure_loss(double limit_s) {
        if (calls_ < suspicious) return;
        std::vector<double> lost;
        for (int window = 0; window < windows; ++window) {
            const double start_s = wall_time_s();
            const std::int64_t before = allocated_bytes();
            for (int i = 0; i < calls_of_window; ++i) prepared_.call();
            const bool is_slow = windows * (wall_time_s() - start_s) > limit_s;
            // The reduction makes sure that no rank holds messages which others have sent early.
            if (largest_of_ranks(is_slow ? 1.0 : 0.0, instance_.comm) > 0) {
                growth_.is_loss_unknown = true;
                return;
            }
            lost.push_back(static_cast<double>(allocated_bytes() - before) / calls_of_window);
        }
        const auto later = lost.begin() + windows / 2;
        std::nth_element(later, later + (lost.end() - later) / 2, lost.end());
        const double middle = later[(lost.end() - later) / 2];
        if (middle >= least_bytes) growth_.lost_bytes = middle;
    }

    /// Returns the growth over all calls so far. Collective.
    Growth growth() const {
        const double further = std::max(1, calls_ - 1);
        const auto most = [&](double bytes) {
            return std::max(0.0, largest_of_ranks(bytes, instance_.comm));
        };
        return {most(growth_.first_bytes), most(growth_.further_bytes / further),
                most(growth_.lost_bytes), growth_.is_loss_unknown};
    }

  private:
    /// Number of verified calls after which a path is suspected of losing memory: all of them, or
    /// some of each dozen, kept memory.
    static constexpr int suspicious = 100;
    /// Calls to measure a loss: ten times as many in all.
    static constexpr int windows = 10, calls_of_window = 100;
    /// The smallest block of malloc takes 32 bytes; less per call is a pool that grows now and
    /// then.
    static constexpr double least_bytes = 24.0;

    void prepare() {
        instance_.workspace.clear_targets(prepared_.targets);
        for (const Agreement& agreement : prepared_.agreements) agreement.forget();
        // The result of a view is a part of the target of the path: without this, the data of the
        // previous call could pass for its result.
        contents_.write_stale(result_, data_of_rank_);
        // The sources come last, because a path may leave blocks where they are.
        contents_.write(source_, data_of_rank_);
    }

    /// Returns the first element that differs from rank 0, in words; nullopt if all are equal.
    /// Compares without operations of the library, which may be wrong. Collective.
    std::optional<std::string> difference_from_rank_0() const {
        std::optional<std::string> difference;
        const Element& element = *instance_.problem().element;
        const HostView view(result_);
        for (std::size_t block = 0; block < result_.counts.size(); ++block) {
            const auto count = static_cast<std::size_t>(result_.counts[block]);
            const std::byte* own = view.place().block(block);
            std::vector<std::byte> of_rank_0(own, own + count * result_.extent);
            {
                const under_test::InHarness in_harness;
                binomial_Bcast(of_rank_0.data(), static_cast<int>(of_rank_0.size()), MPI_BYTE, 0,
                               instance_.comm);
            }
            const std::size_t i = element.first_difference(own, of_rank_0.data(), count);
            if (difference || i == count) continue;
            difference = fmt::format(
                "ranks get different sums: element {} of block {} is {} on rank {}, {} on rank 0",
                i, block, element.describe(own + i * result_.extent), rank_,
                element.describe(of_rank_0.data() + i * result_.extent));
        }
        return difference;
    }

    int ranks_that_wait() const {
        const Problem& problem = instance_.problem();
        return result_.layout.holding == Holding::half_together ? problem.first_half()
                                                                : problem.ranks();
    }

    void call() {
        const std::int64_t resident = asks_for_growth_ ? resident_bytes() : 0;
        under_test::enter();
        prepared_.call();
        under_test::leave();
        const auto grown = static_cast<double>(asks_for_growth_ ? resident_bytes() - resident : 0);
        if (calls_++ > 0) {
            growth_.further_bytes += grown;
            return;
        }
        growth_.first_bytes = grown;
        // Asking malloc walks over the heap, which takes longer than many calls.
        if (asks_for_growth_) allocated_ = allocated_bytes();
    }

    std::optional<Fault> find_error() const {
        const auto of_rank = [this](FaultKind kind, const char* what) {
            return Fault{kind, fmt::format("rank {}: {}", rank_, what)};
        };
        if (const char* broken = incident::take_broken_bound())
            return of_rank(FaultKind::outside_buffers, broken);
        // Simulated ranks are many and share the counts.
        if (!platform().ranks_share_memory && instance_.workspace.restore_extents())
            return of_rank(FaultKind::arguments_changed,
                           "changed the counts or displacements of the call");
        if (auto error = contents_.find_error(result_, data_of_rank_))
            return Fault{FaultKind::wrong_value, std::move(*error)};
        // An in-place operation overwrites its input with the result.
        if (!prepared_.source) {
            if (auto error = contents_.find_error(source_, data_of_rank_))
                return Fault{FaultKind::send_buffer_changed,
                             *error + " (the send buffer was changed)"};
        }
        if (const char* damage = instance_.workspace.damage())
            return of_rank(FaultKind::outside_buffers, damage);
        return std::nullopt;
    }

    const Step& prepared_;
    const Instance& instance_;
    bool asks_for_growth_;
    int rank_, data_of_rank_;
    Contents contents_;
    Place source_, result_;
    int calls_ = 0;
    Growth growth_;  // sums, except for lost_bytes
    std::int64_t allocated_ = 0;
};

/// Returns the number of further calls, as decided by rank 0.
int further_runs(double first_run_s, Repetition repetition, MPI_Comm comm) {
    // All calls of a simulation are alike.
    if (repetition.most_runs == 1 || platform().time_stands_still) return 0;
    const double fit = repetition.seconds / std::max(first_run_s, 1e-9);
    return decided_by_rank_0(static_cast<int>(std::min(fit, repetition.most_runs - 1.0)), comm);
}

/// Factor on the time of repeated calls for paths that seem to lose memory; few do.
constexpr double seconds_for_loss = 250.0;

}  // namespace

std::optional<Fault> returned_error(int rank) {
    const int code = under_test::take_error();
    if (code == MPI_SUCCESS) return std::nullopt;
    return Fault{FaultKind::error_returned,
                 fmt::format("rank {}: returned the error {}", rank, error_text(code))};
}

std::optional<Fault> verify(const Step& prepared, Layout from, Layout to, const Instance& instance,
                            Repetition repetition, Growth* growth) {
    Verification verification(prepared, from, to, instance, growth != nullptr);
    const double start_s = wall_time_s();
    std::optional<Fault> error = verification.run();
    const int more = further_runs(wall_time_s() - start_s, repetition, instance.comm);
    int calls = 1;
    const auto go_on_to = [&](int last) {
        while (calls < last) {
            auto later = verification.run();
            ++calls;
            if (error || !later) continue;
            error = later;
            error->text += fmt::format(" (in call {} of {})", calls, last);
        }
    };
    go_on_to(std::max(1 + more, platform().time_stands_still ? 1 : repetition.fewest_runs));
    if (verification.has_equal_rounding_results()) {
        const auto difference = verification.run_on_rounding_values();
        if (!error) error = difference;
    }
    while (growth != nullptr && more > 0 && verification.may_lose())
        go_on_to(calls + repetition.most_runs);
    if (growth != nullptr && more > 0)
        verification.measure_loss(seconds_for_loss * repetition.seconds);
    under_test::finish();
    if (growth != nullptr) *growth = verification.growth();
    if (growth != nullptr && more == 0) growth->is_loss_unknown = true;
    return of_lowest_rank(error, instance.comm);
}

}  // namespace mpiaudit
