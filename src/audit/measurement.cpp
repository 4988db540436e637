// SPDX-License-Identifier: BSD-3-Clause
#include "audit/measurement.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "audit/referee.h"
#include "audit/verification.h"
#include "collectives/bcast/bcast.h"
#include "collectives/types_only.h"
#include "mpi/environment.h"
#include "mpi/private_communicator.h"
#include "problem/contents.h"
#include "report/seeds.h"
#include "simulation/simulation.h"
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

/// The buffers of a problem and of its variants, with the sources filled.
class Workspaces {
  public:
    /// To measure on.
    Workspaces(const PlannedProblem& planned, const Protocol& protocol)
        : Workspaces(planned, planned.variants, protocol,
                     protocol.shared_buffers ? Memory::shared : Memory::own) {}
    /// On the variants, or on those parts of them that are verified.
    Workspaces(const PlannedProblem& planned, const std::vector<Problem>& problems,
               const Protocol& protocol, Memory memory)
        : comm_{protocol.comm}, scheduler_{protocol.scheduler} {
        int rank = 0;
        MPI_Comm_rank(comm_, &rank);
        for (std::size_t i = 0; i < problems.size(); ++i) {
            const Problem& problem = problems[i];
            const Needs needs = planned.needs(i);
            spaces_.push_back(std::make_unique<Workspace>(problem, rank, needs, memory));
            if (memory == Memory::shared) continue;
            for (const Layout layout : needs.sources)
                Contents(problem, layout.holding).write(spaces_[i]->source(layout), rank);
        }
    }
    Setting setting(const Contestant& contestant) const {
        return {*spaces_[contestant.variant], comm_, scheduler_};
    }

  private:
    MPI_Comm comm_;
    const Scheduler* scheduler_;
    std::vector<std::unique_ptr<Workspace>> spaces_;
};

/// The contestants of a problem, prepared and verified.
struct Prepared {
    std::vector<Call> calls;   ///< empty for what is skipped or wrong
    std::vector<Call> before;  ///< selects the algorithm of each contestant; empty when none does
    std::vector<std::optional<std::string>> wrong;
    std::vector<std::optional<std::string>> refused;  ///< by the library: does not fit the problem
    bool can_run(std::size_t contestant) const { return static_cast<bool>(calls[contestant]); }
};

/// Operations in place on reductions would add up their own results round after round: on zeros
/// they keep the values small, and take the same time.
void calm_down(const Step& step, Layout from) {
    if (!step.source || from.holding != Holding::contributed || step.source->data == nullptr)
        return;
    const Place& place = *step.source;
    std::memset(place.data, 0, static_cast<std::size_t>(place.span()) * place.extent);
}

/// Calls that select what each contestant runs, if any of them forces an algorithm.
std::vector<Call> selections(const PlannedProblem& planned) {
    std::vector<Call> before;
    bool is_forced = false;
    for (const Contestant& each : planned.contestants) {
        const LibraryAlgorithm* algorithm = each.path.algorithm();
        is_forced = is_forced || algorithm != nullptr;
        before.emplace_back([algorithm] { select_algorithm(algorithm); });
    }
    return is_forced ? before : std::vector<Call>{};
}

/// Why the library refused the contestant that has just run; the same on every rank.
std::optional<std::string> refusal(const Contestant& contestant, MPI_Comm comm) {
    if (contestant.path.algorithm() == nullptr) return std::nullopt;
    return lowest_error(take_refusal(), comm);
}

Call types_only(const Contestant& contestant, const Setting& setting) {
    const Path& path = contestant.path;
    return prepare_types_only(path.steps.front().arrow->name, setting, path.from(), path.to());
}

Prepared prepare(const PlannedProblem& planned, const Workspaces& workspaces,
                 const Protocol& protocol) {
    const std::size_t contestants = planned.contestants.size();
    Prepared prepared;
    prepared.refused.resize(contestants);
    // What the reference algorithms need is made while no algorithm is forced.
    private_communicator(protocol.comm);
    std::optional<Workspaces> with_data;  // in the copy of the process that makes the attempts
    const auto attempt = [&](int contestant) -> std::optional<std::string> {
        const auto i = static_cast<std::size_t>(contestant);
        const Contestant& each = planned.contestants[i];
        if (each.skipped || protocol.no_communication) return std::nullopt;
        const Activity activity("verifying " + each.name + " on " + planned.problem().id());
        if (protocol.shared_buffers && !with_data)
            with_data.emplace(planned, planned.verified, protocol, Memory::own);
        const Setting setting = (with_data ? *with_data : workspaces).setting(each);
        const Step step = each.path.prepare(setting);
        select_algorithm(each.path.algorithm());
        const auto wrong = verify(step, each.path.from(), each.path.to(), setting);
        prepared.refused[i] = refusal(each, setting.comm);
        return prepared.refused[i] ? std::nullopt : wrong;
    };
    prepared.wrong = simulation::attempt_each(static_cast<int>(contestants), attempt);
    prepared.calls.resize(contestants);
    for (std::size_t i = 0; i < contestants; ++i) {
        const Contestant& each = planned.contestants[i];
        if (each.skipped || prepared.wrong[i] || prepared.refused[i]) continue;
        const Setting setting = workspaces.setting(each);
        if (protocol.no_communication) {
            prepared.calls[i] = types_only(each, setting);
            continue;
        }
        Step step = each.path.prepare(setting);
        calm_down(step, each.path.from());
        prepared.calls[i] = std::move(step.call);
    }
    select_algorithm(nullptr);
    prepared.before = selections(planned);
    return prepared;
}

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

/// Samples of one problem as they come in; complete on rank 0.
struct Record {
    std::vector<std::vector<int>> order;
    std::vector<std::vector<double>> samples_s;
    std::string stopped;  ///< decided, rounds or budget
    WarmUp warm_up;
    int late_starts = 0, dropped_rounds = 0;

    void add(const Batch& batch, Referee& referee) {
        std::vector<double> by_contestant(samples_s.size(), 0.0);
        late_starts += batch.late_starts;
        dropped_rounds += batch.dropped_rounds;
        for (std::size_t round = 0; round < batch.samples_s.size(); ++round) {
            for (std::size_t k = 0; k < batch.order[round].size(); ++k) {
                const auto contestant = static_cast<std::size_t>(batch.order[round][k]);
                by_contestant[contestant] = batch.samples_s[round][k];
                samples_s[contestant].push_back(batch.samples_s[round][k]);
            }
            referee.add_round(by_contestant);
            order.push_back(batch.order[round]);
        }
    }
};

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
    Record record;
    record.samples_s.resize(planned.contestants.size());
    Rounds rounds(prepared.calls, protocol.comm, protocol.clock, protocol.starts.barrier,
                  rounds_seed(protocol.order_seed, planned.problem().id()), prepared.before);
    if (window != nullptr) rounds.start_in(*window);
    const double start = wall_time_s();
    Next next{referee.needed()};
    record.warm_up = warm_up(rounds, next, protocol, limit_s);
    double round_s = record.warm_up.round_s > 0 ? record.warm_up.round_s : batch_s;
    for (int done = 0;;) {
        if (rank == 0) {
            next.active = referee.needed();
            const int wanted = done == 0 ? first_batch : later_batch;
            const int bearable = static_cast<int>(std::clamp(batch_s / round_s, 1.0, 1e6));
            next.rounds = std::min({wanted, bearable, protocol.max_rounds - done});
            record.stopped = next.active.empty()                         ? "decided"
                             : done >= protocol.max_rounds               ? "rounds"
                             : wall_time_s() - start + round_s > limit_s ? "budget"
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

json contestants_json(const PlannedProblem& planned, const Prepared& prepared,
                      const Record& record) {
    json contestants = json::array();
    for (std::size_t i = 0; i < planned.contestants.size(); ++i) {
        const Contestant& each = planned.contestants[i];
        json entry = {{"name", each.name},
                      {"from", name(each.path.from())},
                      {"to", name(each.path.to())},
                      {"steps", each.path.describe()}};
        if (each.path.algorithm() != nullptr) entry["forced"] = true;
        if (each.skipped) entry["skipped"] = *each.skipped;
        if (prepared.refused[i])
            entry["skipped"] = "refused by the MPI library: " + *prepared.refused[i];
        // A simulator's faults are no finding about the library that it imitates.
        if (prepared.wrong[i] && simulation::is_running())
            entry["skipped"] = "wrong on this library: " + *prepared.wrong[i];
        else if (prepared.wrong[i])
            entry["wrong"] = *prepared.wrong[i];
        if (!record.samples_s[i].empty()) entry["samples_s"] = record.samples_s[i];
        contestants.push_back(std::move(entry));
    }
    return contestants;
}

json problem_json(const Problem& problem) {
    return {{"kind", "problem"},
            {"id", problem.id()},
            {"distribution", problem.distribution},
            {"block_size", problem.block_size},
            {"ranks", problem.ranks()},
            {"root", problem.root},
            {"element", problem.element->name()},
            {"element_bytes", problem.element->data_bytes()},
            {"operator", problem.op->name()},
            {"total", problem.total()},
            {"padded_total", problem.padded_total()},
            {"smallest", problem.smallest()},
            {"largest", problem.largest()},
            {"counts", problem.counts}};
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

/// What the second way to start samples has measured, for the same contestants.
json second_json(const Record& record) {
    return {{"synchronisation", "global"},
            {"order", record.order},
            {"stopped", record.stopped},
            {"samples_s", record.samples_s}};
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
    Record record, second;
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
        record.samples_s.resize(planned.contestants.size());
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
    if (both && !window.is_null()) line["second"] = second_json(second);
    line["elapsed_s"] = MPI_Wtime() - start;
    return line;
}

double probe_round(const PlannedProblem& planned, const Protocol& protocol) {
    const Workspaces workspaces(planned, protocol);
    std::vector<Call> calls;
    for (const Contestant& each : planned.contestants) {
        if (each.skipped) continue;
        const Setting setting = workspaces.setting(each);
        calls.push_back(protocol.no_communication ? types_only(each, setting)
                                                  : each.path.prepare(setting).call);
    }
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
