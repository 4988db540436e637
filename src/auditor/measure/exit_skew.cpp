// SPDX-License-Identifier: BSD-3-Clause
#include "measure/exit_skew.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "judge/statistics.h"
#include "messages/agreement.h"
#include "messages/messages.h"
#include "messages/under_test.h"
#include "mpi/environment.h"
#include "simulation/simulation.h"
#include "timing/clock.h"
#include "timing/synchronisation.h"

namespace mpiaudit {
namespace {

/// Calls of each barrier, and the fewest whose median counts. The first call warms up.
constexpr int calls_of_a_barrier = 31;
constexpr std::size_t fewest_calls = 5;
/// Seconds for all calls. Clocks of different nodes drift apart by about 1 us meanwhile.
constexpr double longest_s = 0.2;

/// Returns whether the contestant is one call of a barrier, by the library or by an algorithm.
bool is_barrier_call(const Contestant& contestant) {
    const Path& path = contestant.path;
    const Kind kind = path.steps.front().arrow->kind;
    if (kind != Kind::native && kind != Kind::reference && kind != Kind::chosen) return false;
    return path.steps.size() == 1 && contestant.variant == 0 && path.scale.is_plain() &&
           path.from().holding == Holding::apart && path.to().holding == Holding::together &&
           path.steps.front().arrow->form.operation == "MPI_Barrier";
}

/// Calls barriers of ranks that enter together, and keeps the times at which this rank leaves.
class ExitTimes {
  public:
    ExitTimes(const PreparedProblem& problem, std::vector<std::size_t> barriers)
        : problem_{problem}, comm_{problem.protocol.comm}, barriers_{std::move(barriers)} {
        if (platform().starts_simultaneously) return;
        clock_.emplace(comm_, *problem.protocol.options.clock, GlobalClock::Base::moment);
        window_.emplace(comm_, *clock_);
    }

    /// Calls each barrier in turn until the calls are made or the time is over.
    void run() {
        const double end_s = wall_time_s() + longest_s;
        // All calls of a simulation are alike.
        const int calls = platform().is_deterministic ? 2 : calls_of_a_barrier;
        for (int call = 0; call < calls; ++call) {
            for (const std::size_t each : barriers_) take(each, call > 0);
            if (!platform().is_deterministic && is_over(end_s, comm_)) break;
        }
        under_test::finish();
    }

    /// Returns the skew of each barrier in seconds, on rank 0: the median over the calls, and no
    /// less than the error of the clocks. Collective.
    std::vector<std::optional<double>> skews() {
        under_test::enter_harness();
        take_largest(late_, comm_);
        const double error_s = clock_ ? clock_->check().error_s : 0.0;
        const std::vector<double> last = largest_on_rank_0(exits_s_, comm_),
                                  first = smallest_on_rank_0(exits_s_, comm_);
        under_test::finish();
        std::vector<std::optional<double>> skews(barriers_.size());
        for (std::size_t at = 0; at < barriers_.size(); ++at) {
            std::vector<double> samples_s;
            for (std::size_t i = at; i < last.size(); i += barriers_.size())
                if (late_[i] == 0) samples_s.push_back(last[i] - first[i]);
            const std::size_t fewest = platform().is_deterministic ? 1 : fewest_calls;
            if (samples_s.size() >= fewest) skews[at] = std::max(judge::median(samples_s), error_s);
        }
        return skews;
    }

  private:
    void take(std::size_t barrier, bool is_kept) {
        const Prepared& prepared = problem_.prepared;
        if (!prepared.before.empty()) prepared.before[barrier]();
        under_test::arrive(static_cast<int>(barrier));
        under_test::synchronise();
        const bool is_in_time = start_together();
        under_test::enter();
        prepared.calls[barrier]();
        const double exit_s = now() - start_s_;
        under_test::leave();
        // Errors of these calls were found when the barriers were timed.
        std::ignore = under_test::take_error();
        if (!is_kept) return;
        exits_s_.push_back(exit_s);
        late_.push_back(is_in_time ? 0 : 1);
    }

    /// Returns whether this rank is in time.
    bool start_together() {
        if (!window_) {
            simulation::wait_together();
            start_s_ = now();
            return true;
        }
        const bool is_in_time = window_->wait();
        start_s_ = window_->start_s();
        return is_in_time;
    }

    double now() const { return window_ ? window_->now() : problem_.protocol.options.clock->now(); }

    const PreparedProblem& problem_;
    MPI_Comm comm_;
    std::vector<std::size_t> barriers_;  ///< contestants
    std::optional<GlobalClock> clock_;   ///< none in a simulation, whose ranks have one clock
    std::optional<StartWindow> window_;
    double start_s_ = 0.0;
    std::vector<double> exits_s_;  ///< barrier after barrier, call after call
    std::vector<int> late_;        ///< like exits_s_; 1: this rank entered late
};

}  // namespace

void measure_exit_skew(const PreparedProblem& problem, bool is_recorded,
                       record::ProblemRecord& record) {
    const Protocol& protocol = problem.protocol;
    if (protocol.arrivals != nullptr || protocol.options.no_communication) return;
    if (messages::size_of(protocol.comm) == 1) return;
    std::vector<std::size_t> barriers;
    bool has_native = false;
    for (std::size_t i = 0; i < problem.planned.contestants.size(); ++i) {
        const Contestant& each = problem.planned.contestants[i];
        if (!is_barrier_call(each) || !problem.prepared.can_run(i)) continue;
        barriers.push_back(i);
        has_native = has_native || each.path.steps.front().arrow->kind == Kind::native;
    }
    if (!has_native) return;
    const Activity activity("measuring when ranks leave barriers on " +
                            problem.planned.problem().id());
    ExitTimes times(problem, barriers);
    times.run();
    const auto skews = times.skews();
    for (std::size_t at = 0; is_recorded && at < barriers.size(); ++at)
        record.contestants[barriers[at]].exit_skew_s = skews[at];
}

}  // namespace mpiaudit
