// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>
#include <random>

#include "audit/commands.h"
#include "audit/confirmation.h"
#include "audit/header.h"
#include "audit/interruption.h"
#include "plan/job_network.h"
#include "measure/predictions.h"
#include "options/recorded_options.h"
#include "record/options_json.h"
#include "record/session.h"
#include "collectives/allreduce/allreduce.h"
#include "collectives/bcast/bcast.h"
#include "cost/fit.h"
#include "mpi/rank_0.h"
#include "options/size_range.h"
#include "report/choices.h"
#include "report/console.h"
#include "report/progress.h"
#include "report/report.h"
#include "simulation/simulation.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

template <class T>
T from_rank_0(T value, MPI_Datatype type) {
    binomial_Bcast(&value, 1, type, 0, MPI_COMM_WORLD);
    return value;
}

double budget_s(const RunOptions& options) {
    if (options.budget.empty()) return std::numeric_limits<double>::infinity();
    try {
        return parse_duration("--budget", options.budget);
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
}

std::uint64_t memory_limit(const RunOptions& options, const Machine& machine) {
    if (options.memory.empty()) return machine.memory_per_rank_bytes;
    try {
        return parse_bytes("--memory", options.memory);
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
}

Protocol make_protocol(const RunOptions& options, const Plan& plan) {
    std::uint64_t seed = options.order_seed.value_or(0);
    // The guarantee of a verdict rests on this draw: launches must not share it.
    if (!options.order_seed && !simulation::is_running()) seed = std::random_device{}();
    return {MPI_COMM_WORLD,
            find_clock(options.clock).value(),
            find_sample_starts(options.sync).value(),
            nullptr,
            options.warmup,
            options.max_rounds,
            options.rule(std::max(1, plan.checkable)),
            from_rank_0(seed, MPI_UINT64_T),
            nullptr,
            options.rank_times,
            options.no_communication,
            options.shared_buffers};
}

/// The worst quality over the ranks.
ClockQuality measure_clock(const Clock& clock) {
    if (simulation::is_running()) return {};  // simulated time stands still between messages
    ClockQuality quality = measure(clock);
    recursive_doubling_Allreduce(MPI_IN_PLACE, &quality.resolution_s, 1, MPI_DOUBLE, MPI_MAX,
                                 MPI_COMM_WORLD);
    return quality;
}

/// In proportion to the time that a problem takes, as far as it can be known before: the start-ups
/// of some rounds, and the data. A simulator's work is in the messages, not in their lengths.
double work_of(const PlannedProblem& planned) {
    if (simulation::is_running()) return 1.0;
    constexpr double startup_bytes = 50e3;
    return startup_bytes +
           static_cast<double>(planned.problem().padded_total() *
                               static_cast<Count>(planned.problem().element->extent()));
}

/// The plan in words, and its duration from a round of the smallest and of the largest problem.
int print_plan(const Plan& plan, const RunOptions& options, const Protocol& protocol, int rank) {
    // Clear cases take 10 to 20 rounds, close ones 40 to all; what the audits of this suite took.
    constexpr int typical_rounds = 40;
    constexpr int typical_warm_up = 10;
    double estimate_s = 0.0;
    for (const PlannedProblem& planned : plan.problems) {
        const double round_s = probe_round(planned, protocol);
        const int rounds = protocol.rule.criterion == judge::Criterion::evidence
                               ? std::min(typical_rounds, protocol.max_rounds)
                               : protocol.max_rounds;
        estimate_s += round_s * (protocol.warmup.value_or(typical_warm_up) + rounds + 1);
    }
    if (rank != 0) return exit_done;
    std::size_t checks = 0;
    for (const PlannedProblem& planned : plan.problems) {
        checks += planned.checks.size();
        fmt::print("{}: m = {}, m' = {}\n", planned.problem().id(), planned.problem().total(),
                   planned.problem().padded_total());
        for (const Contestant& each : planned.contestants)
            fmt::print("  {}{}\n", each.name, each.skipped ? "  skipped: " + *each.skipped : "");
    }
    fmt::print("{} problems, {} checks, {} of them to be measured; about {}", plan.problems.size(),
               checks, plan.checkable, clock_time(estimate_s));
    if (!options.budget.empty()) fmt::print(", at most --budget {}", options.budget);
    fmt::print("\n");
    return exit_done;
}

/// A plan with what its problems refer to.
struct TypedPlan {
    explicit TypedPlan(const RunOptions& options) : types{options} {}
    Types types;
    Plan plan;
};

/// Measures every problem that the session does not have yet.
class Audit {
  public:
    Audit(const Plan& plan, const Inputs& inputs, const Protocol& protocol, double budget,
          std::unique_ptr<Session> session, bool moving_progress)
        : plan_{plan},
          inputs_{inputs},
          protocol_{protocol},
          deadline_s_{wall_time_s() + budget},
          session_{std::move(session)},
          progress_{works(plan), moving_progress} {}

    /// Returns the signal that ended it before the last problem, or 0; the same on every rank.
    int measure() {
        std::vector<char> todo(plan_.problems.size(), 1);
        for (std::size_t i = 0; session_ && i < todo.size(); ++i)
            todo[i] = !session_->has(plan_.problems[i].problem().id());
        binomial_Bcast(todo.data(), static_cast<int>(todo.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
        auto left = static_cast<int>(std::accumulate(todo.begin(), todo.end(), 0));
        for (std::size_t i = 0; i < todo.size(); ++i) {
            if (!todo[i]) {
                if (session_) progress_.end(i, 0.0);
                continue;
            }
            if (const int signal = Interruption::requested(protocol_.comm); signal != 0) {
                if (session_) progress_.finish();
                return signal;
            }
            measure(i, left--);
            ++measured_;
        }
        if (session_) progress_.finish();
        return 0;
    }
    Session* session() const { return session_.get(); }
    /// How many problems measure() has measured; the same on every rank.
    int measured() const { return measured_; }

  private:
    static std::vector<double> works(const Plan& plan) {
        std::vector<double> works;
        for (const PlannedProblem& planned : plan.problems) works.push_back(work_of(planned));
        return works;
    }
    void measure(std::size_t index, int left) {
        const PlannedProblem& planned = plan_.problems[index];
        if (session_) progress_.begin(index, planned.problem().id());
        const double start = wall_time_s();
        const double limit_s = from_rank_0((deadline_s_ - start) / left, MPI_DOUBLE);
        json line = measure_problem(planned, inputs_.guidelines, protocol_, limit_s);
        if (!session_) return;
        // The model of the first session, also in a resumed audit.
        if (const auto model = cost_model(session_->header()))
            add_predictions(line, planned, *model);
        session_->add(std::move(line));
        progress_.end(index, wall_time_s() - start);
    }

    const Plan& plan_;
    const Inputs& inputs_;
    const Protocol& protocol_;
    double deadline_s_;
    std::unique_ptr<Session> session_;  ///< on rank 0 only
    Progress progress_;
    int measured_ = 0;
};

/// What --confirm is about, on all ranks; an empty object without it. The audit's options become
/// those of `options`.
json take_suspicions(RunOptions& options, const Environment& environment) {
    if (options.confirm.empty()) return json::object();
    json suspicions = json::parse(text_of_rank_0(
        [&] { return read_suspicions(options, environment.ranks()).dump(); }));
    take_audit_options(options, as_options(suspicions["options"]));
    if (options.output.empty())
        options.output = std::filesystem::path(options.confirm) / "confirmation";
    return suspicions;
}

/// On rank 0: report.json, tables and conclusions.
int conclude(const Session& session, const RunOptions& options, const judge::Rule& rule) {
    const json report = make_report(session.samples(), rule);
    const std::string file = std::filesystem::path(session.folder()) / "report.json";
    write_report(report, file);
    Terminal terminal = standard_output();
    if (options.color != When::automatic) terminal.colour = options.color == When::always;
    if (options.confirm.empty())
        fmt::print("{}{}{}{}", tables(report, terminal), model_table(report),
                   choices_table(report, terminal), conclusions(report, terminal));
    else
        fmt::print("{}", conclusions(joint_report(options, session.samples()), terminal));
    fmt::print("\nreport: {}\n", file);
    if (report["summary"]["wrong"] > 0) return exit_wrong_result;
    if (options.fail_on == "violation" && report["summary"]["violated"] > 0) return exit_violations;
    return exit_done;
}

int say_interrupted(int signal, const Session& session, std::size_t problems) {
    fmt::print(stderr, "mpiaudit: {}: {} of {} problems are measured; --resume goes on\n",
               signal == SIGUSR1 ? "SIGUSR1" : "SIGTERM", session.samples().problems.size(),
               problems);
    return exit_interrupted;
}

}  // namespace

int run_audit(const Command& given, const Environment& environment) {
    Command command = given;
    const json suspicions = take_suspicions(command.run, environment);
    const RunOptions& options = command.run;
    if (!suspicions.empty() && suspicions["confirms"]["suspects"].empty()) {
        if (environment.rank() == 0)
            fmt::print("{} has no violation to confirm\n", options.confirm);
        return exit_done;
    }
    const double budget = budget_s(options);
    const Inputs inputs = read_inputs(options);
    if (inputs.guidelines.empty() || inputs.distributions.empty()) {
        if (environment.rank() == 0)
            fmt::print(stderr,
                       "mpiaudit: nothing selected: no guideline is left after --only and "
                       "--collectives\n");
        return exit_nothing_selected;
    }
    const std::unique_ptr<const Scheduler> scheduler = read_network(options);
    Machine machine = examine_machine(find_binding(options.bind).value());
    if (scheduler) {
        for (std::string& each : network_warnings(*scheduler))
            machine.warnings.push_back(std::move(each));
    }
    const auto planned = simulation::alike<TypedPlan>([&] {
        auto made = std::make_shared<TypedPlan>(options);
        made->plan = make_plan(inputs, options, made->types, environment.ranks(),
                               memory_limit(options, machine));
        if (!suspicions.empty()) keep_suspicions(made->plan, inputs.guidelines, suspicions);
        return made;
    });
    const Types& types = planned->types;
    const Plan& plan = planned->plan;
    Protocol protocol = make_protocol(options, plan);
    protocol.scheduler = scheduler.get();
    if (options.dry_run) return print_plan(plan, options, protocol, environment.rank());

    const Interruption interruption;
    const ClockQuality clock = measure_clock(protocol.clock);
    std::optional<GlobalClock> global_clock;
    ClockAgreement agreement;
    if (protocol.starts.in_window) {
        protocol.global_clock = &global_clock.emplace(MPI_COMM_WORLD, protocol.clock);
        agreement = global_clock->check();
    }
    const bool can_reduce = types.op.is_defined_for(types.element);
    std::optional<LinearModel> model;
    if (!options.no_communication)
        model = fit_model(protocol.comm, types.element.type(),
                          can_reduce ? types.op.op() : MPI_OP_NULL);
    std::unique_ptr<Session> session;
    on_rank_0([&] {
        const std::string folder = options.output.empty() ? default_folder() : options.output;
        json header = make_header(command, inputs, plan, machine, protocol, clock);
        if (options.no_communication)
            header["warnings"].push_back(
                "times are those of the datatypes of a call alone (--no-communication)");
        if (options.shared_buffers)
            header["warnings"].push_back(fmt::format(
                "buffers are shared and long messages carry no data (--shared-buffers); what has "
                "blocks of more than {} elements is verified on parts of it",
                verified_block_size));
        if (model) header["cost_model"] = cost_model_json(*model);
        if (global_clock)
            header["clock"]["global"] = {{"error_s", agreement.error_s},
                                         {"round_trip_s", agreement.round_trip_s},
                                         {"drift", agreement.drift}};
        if (!suspicions.empty()) {
            require_same_inputs(suspicions, header);
            header["confirms"] = suspicions["confirms"];
        }
        if (simulation::is_running()) header["simulation"] = simulation::description();
        session = std::make_unique<Session>(folder, options, std::move(header));
        protocol.order_seed = session->header()["options"]["order-seed"];
        if (!session->warning().empty())
            fmt::print(stderr, "mpiaudit: warning: {}\n", session->warning());
    });
    protocol.order_seed = from_rank_0(protocol.order_seed, MPI_UINT64_T);
    const bool moving = options.progress == When::always ||
                        (options.progress == When::automatic && is_terminal(STDERR_FILENO));
    if (options.shared_buffers) simulation::leave_data_out();
    Audit audit(plan, inputs, protocol, budget, std::move(session), moving);
    const int signal = audit.measure();
    if (audit.measured() > 0 && !simulation::is_running()) {
        json machine_after = examine_again(machine);
        if (audit.session() != nullptr) audit.session()->end(std::move(machine_after));
    }
    int code = exit_done;
    if (audit.session() != nullptr) {
        code = conclude(*audit.session(), options, protocol.rule);
        if (signal != 0) code = say_interrupted(signal, *audit.session(), plan.problems.size());
    }
    return from_rank_0(code, MPI_INT);
}

}  // namespace mpiaudit
