// SPDX-License-Identifier: BSD-3-Clause
#include "measure/measurement.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "measure/prepared.h"
#include "measure/rounds_record.h"
#include "measure/referee.h"
#include "collectives/bcast/bcast.h"
#include "mpi/environment.h"
#include "random/seeds.h"
#include "timing/rounds.h"
#include "timing/warm_up.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

// Before 7 rounds nothing can be decided at the default level (the mirrored process reaches 20 at
// seven equal answers); later, looking every few rounds wastes little.
constexpr int first_batch = 7;
constexpr int later_batch = 4;
// A reduction every so often is negligible, so long rounds are looked at one by one.
constexpr double batch_s = 0.1;

Referee make_referee(const PlannedProblem& planned, const std::vector<Guideline>& guidelines,
                     const Protocol& protocol, const Prepared& prepared) {
    std::vector<Referee::Check> checks;
    for (const PlannedCheck& check : planned.checks) {
        if (!prepared.can_run(check.left) || !prepared.can_run(check.right)) continue;
        const std::uint64_t seed =
            coin_seed(protocol.order_seed, planned.problem().id(), guidelines[check.guideline].id);
        checks.push_back({check.left, check.right, {protocol.rule, seed}});
    }
    return {std::move(checks), protocol.rule.criterion};
}

/// What rank 0 decides after each batch, and all ranks follow.
struct Next {
    std::vector<int> active;
    int rounds = 0;  ///< 0: enough

    void broadcast(MPI_Comm comm) {
        int header[2] = {static_cast<int>(active.size()), rounds};
        binomial_Bcast(header, 2, MPI_INT, 0, comm);
        active.resize(static_cast<std::size_t>(header[0]));
        rounds = header[1];
        binomial_Bcast(active.data(), header[0], MPI_INT, 0, comm);
    }
};

/// Half of the limit is for the measured rounds.
WarmUp warm_up(Rounds& rounds, Next next, const Protocol& protocol, double limit_s) {
    next.broadcast(protocol.comm);
    if (next.active.empty()) return {};
    if (!protocol.warmup)
        return warm_up_until_settled(rounds, next.active, protocol.comm, limit_s / 2);
    return warm_up_for(rounds, next.active, protocol.comm, *protocol.warmup, limit_s / 2);
}

/// Samples after a barrier, or in the window where there is one.
Record run_rounds(const PlannedProblem& planned, const Protocol& protocol, const Prepared& prepared,
                  Referee referee, double limit_s, StartWindow* window) {
    const Activity activity("timing " + planned.problem().id());
    int rank = 0;
    MPI_Comm_rank(protocol.comm, &rank);
    Record record(planned.contestants.size());
    Rounds rounds(prepared.calls, protocol.comm, protocol.clock, protocol.starts.barrier,
                  rounds_seed(protocol.order_seed, planned.problem().id()), prepared.before);
    if (window != nullptr) rounds.start_in(*window, protocol.keeps_rank_times);
    const double start = wall_time_s();
    Next next{referee.needed()};
    record.warm_up = warm_up(rounds, next, protocol, limit_s);
    double round_s = record.warm_up.round_s > 0 ? record.warm_up.round_s : batch_s;
    for (int done = 0;;) {
        if (rank == 0) {
            const double elapsed_s = wall_time_s() - start;
            const bool is_decided = referee.is_decided();
            referee.give_up_hopeless(protocol.max_rounds);
            next.active = referee.needed();
            const int wanted = done == 0 ? first_batch : later_batch;
            const int bearable = static_cast<int>(std::clamp(batch_s / round_s, 1.0, 1e6));
            next.rounds = std::min({wanted, bearable, protocol.max_rounds - done});
            record.stopped = is_decided                                           ? "decided"
                             : done >= protocol.max_rounds || next.active.empty() ? "rounds"
                             : elapsed_s + round_s > limit_s                      ? "budget"
                                                                                  : "";
            if (!record.stopped.empty()) next.rounds = 0;
        }
        next.broadcast(protocol.comm);
        if (next.rounds == 0) return record;
        const double batch_start = wall_time_s();
        const Batch batch = rounds.run(next.active, next.rounds);
        round_s = (wall_time_s() - batch_start) / next.rounds;
        if (rank == 0) record.add(batch, referee);
        done += next.rounds;
    }
}

/// The rounds in the window of the global clock, with what is recorded of it. `line` of
/// samples.jsonl on rank 0.
Record run_in_window(const PlannedProblem& planned, const std::vector<Guideline>& guidelines,
                     const Protocol& protocol, const Prepared& prepared, double limit_s,
                     json& about) {
    protocol.global_clock->refresh();
    StartWindow window(protocol.comm, *protocol.global_clock);
    const Record record =
        run_rounds(planned, protocol, prepared,
                   make_referee(planned, guidelines, protocol, prepared), limit_s, &window);
    const ClockAgreement agreement = protocol.global_clock->check();
    about = {{"late_starts", record.late_starts},
             {"dropped_rounds", record.dropped_rounds},
             {"ahead_s", window.ahead_s()},
             {"clock_error_s", agreement.error_s},
             {"clock_round_trip_s", agreement.round_trip_s}};
    return record;
}

}  // namespace

json measure_problem(const PlannedProblem& planned, const std::vector<Guideline>& guidelines,
                     const Protocol& protocol, double limit_s) {
    int rank = 0;
    MPI_Comm_rank(protocol.comm, &rank);
    const double start = MPI_Wtime();
    const double wall_start = wall_time_s();
    const SampleStarts& starts = protocol.starts;
    const bool both = starts.after_barrier && starts.in_window;
    Record record(planned.contestants.size()), second;
    Prepared prepared;
    json window;
    if (limit_s > 0) {
        const Workspaces workspaces(planned, protocol);
        prepared = prepare(planned, workspaces, protocol);
        const double left_s = (limit_s - (wall_time_s() - wall_start)) / (both ? 2 : 1);
        if (starts.after_barrier)
            record =
                run_rounds(planned, protocol, prepared,
                           make_referee(planned, guidelines, protocol, prepared), left_s, nullptr);
        Protocol again = protocol;
        again.order_seed = protocol.order_seed + (both ? second_way : 0);
        if (starts.in_window)
            (both ? second : record) =
                run_in_window(planned, guidelines, again, prepared, left_s, window);
    } else {
        record.stopped = "budget";
        prepared.wrong.resize(planned.contestants.size());
        prepared.refused.resize(planned.contestants.size());
    }
    if (rank != 0) return json::object();
    json line = problem_json(planned.problem());
    line["contestants"] = contestants_json(planned, prepared, record);
    line["order"] = record.order;
    line["checks"] = json::array();
    for (const PlannedCheck& check : planned.checks) {
        line["checks"].push_back({{"guideline", guidelines[check.guideline].id},
                                  {"left", check.left},
                                  {"right", check.right}});
    }
    line["stopped"] = record.stopped;
    line["warm_up"] = {{"rounds", record.warm_up.rounds}};
    if (!protocol.warmup) line["warm_up"]["settled"] = record.warm_up.has_settled;
    if (!window.is_null()) line["window"] = window;
    if (both && !window.is_null()) line["second"] = second_json(second, protocol.keeps_rank_times);
    line["elapsed_s"] = MPI_Wtime() - start;
    return line;
}

double probe_round(const PlannedProblem& planned, const Protocol& protocol) {
    const Workspaces workspaces(planned, protocol);
    const std::vector<Call> calls = prepare_calls(planned, workspaces, protocol);
    std::vector<int> all(calls.size());
    std::iota(all.begin(), all.end(), 0);
    Rounds rounds(calls, protocol.comm, protocol.clock, protocol.starts.barrier, 0);
    rounds.warm_up(all, 1);
    const double start = wall_time_s();
    rounds.warm_up(all, 1);
    double round_s = wall_time_s() - start;
    MPI_Allreduce(MPI_IN_PLACE, &round_s, 1, MPI_DOUBLE, MPI_MAX, protocol.comm);
    return round_s;
}

}  // namespace mpiaudit
