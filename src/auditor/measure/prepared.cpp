// SPDX-License-Identifier: BSD-3-Clause
#include "measure/prepared.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "messages/agreement.h"
#include "messages/kept_with.h"
#include "messages/messages.h"
#include "messages/under_test.h"
#include "mpi/environment.h"
#include "mpi/texts.h"
#include "mpi/watchdog.h"
#include "problem/workspace.h"
#include "record/audit_record.h"
#include "simulation/simulation.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// Share of the verification's time limit for repeated calls.
constexpr double share_of_repetition = 0.25;

/// Fills the buffers of an in-place reduction with zeros: repeated calls would add up their own
/// results, but zeros stay zeros and take the same time.
void write_zeros_where_results_add_up(const Step& step, Layout from) {
    if (!step.source || from.holding != Holding::contributed) return;
    for (const Place& place : step.used)
        if (place.data != nullptr)
            messages::fill(place.data, std::byte{0},
                           static_cast<std::size_t>(place.span()) * place.extent);
}

/// Returns the memory blocks that the step uses; adds them to `known` if no equal list is there.
const MemoryBlocks* used_by(const Step& step,
                            std::vector<std::unique_ptr<const MemoryBlocks>>& known) {
    MemoryBlocks blocks = memory_of(step.used);
    const auto is_same = [&](const auto& other) {
        return std::ranges::equal(*other, blocks, [](const auto& a, const auto& b) {
            return a.data() == b.data() && a.size() == b.size();
        });
    };
    const auto found = std::ranges::find_if(known, is_same);
    if (found != known.end()) return found->get();
    return known.emplace_back(std::make_unique<const MemoryBlocks>(std::move(blocks))).get();
}

/// Fills prepared.before with functions that select the forced algorithm of each contestant and
/// bring its buffers into the state of --buffers. Leaves it empty if nothing is to be done.
void prepare_calls_before(const PlannedProblem& planned, const Workspaces& workspaces,
                          BufferChoice buffers, Prepared& prepared) {
    const auto forces = [](const Contestant& each) { return each.path.algorithm() != nullptr; };
    const bool is_used = buffers == BufferChoice::used, is_cold = buffers == BufferChoice::cold;
    if (!is_used && !is_cold && std::ranges::none_of(planned.contestants, forces)) return;
    for (std::size_t i = 0; i < planned.contestants.size(); ++i) {
        const Contestant& each = planned.contestants[i];
        const LibraryAlgorithm* algorithm = each.path.algorithm();
        if (is_cold) {
            prepared.before.emplace_back([algorithm, parts = workspaces.parts(each)] {
                select_algorithm(algorithm);
                for (const Instance& part : parts) part.workspace.flush();
            });
            continue;
        }
        static const MemoryBlocks none;
        const MemoryBlocks* used = is_used ? used_by(prepared.steps[i], prepared.used) : &none;
        prepared.before.emplace_back([algorithm, used] {
            select_algorithm(algorithm);
            touch(*used);
        });
    }
}

/// Returns the call that only creates the datatypes of an algorithm (--no-communication).
Call datatype_work(const Contestant& contestant, const Instance& instance) {
    const Path& path = contestant.path;
    return (*path.steps.front().arrow->types_only)(instance, instance.workspace.source(path.from()),
                                                   path.to())
        .call;
}

/// Returns the contestants in the order of the checks that need them, one check of each operation
/// in turn.
std::vector<std::size_t> turns_of_contestants(const PlannedProblem& planned) {
    std::vector<std::size_t> turns;
    std::vector<bool> known(planned.contestants.size());
    const auto add = [&](std::size_t contestant) {
        if (!known[contestant]) turns.push_back(contestant);
        known[contestant] = true;
    };
    for (const std::size_t check : in_turns(planned)) {
        add(planned.checks[check].left);
        add(planned.checks[check].right);
    }
    for (std::size_t i = 0; planned.checks.empty() && i < known.size(); ++i) add(i);
    return turns;
}

/// Returns, for each turn, whether the contestant is an operation on the left side of a check that
/// the library offers as it is.
std::vector<bool> are_audited(const PlannedProblem& planned,
                              const std::vector<std::size_t>& turns) {
    std::vector<bool> audited(planned.contestants.size());
    for (const PlannedCheck& check : planned.checks) {
        const auto& steps = planned.contestants[check.left].path.steps;
        audited[check.left] = std::ranges::none_of(
            steps, [](const PathStep& step) { return step.arrow->kind == Kind::variant; });
    }
    std::vector<bool> by_turn;
    for (const std::size_t each : turns) by_turn.push_back(audited[each]);
    return by_turn;
}

/// Returns the operation of a path that calls exactly one operation, else null.
const Arrow* only_operation(const Path& path) {
    const Arrow* only = nullptr;
    for (const PathStep& step : path.steps) {
        if (step.arrow->is_silent()) continue;
        if (only != nullptr) return nullptr;
        only = step.arrow;
    }
    return only;
}

/// Returns whether a step is the call `form`, or the same function called in another way.
bool uses(const Path& path, const Form& form) {
    return std::ranges::any_of(path.steps, [&](const PathStep& step) {
        const Form& called = step.arrow->form;
        return called == form || (form.has_no_brackets() && called.function() == form.function());
    });
}

/// Returns, for each contestant, the earlier incident because of which it must not run again: it
/// hung or crashed, or it calls an operation that did.
std::vector<std::optional<Fault>> known_wrong(const PlannedProblem& planned,
                                              const std::vector<KnownIncident>& incidents) {
    std::vector<std::optional<Fault>> wrong(planned.contestants.size());
    for (const KnownIncident& incident : incidents) {
        for (std::size_t i = 0; incident.form && i < wrong.size(); ++i) {
            if (uses(planned.contestants[i].path, *incident.form)) wrong[i] = incident.what;
        }
        const auto* const guilty =
            find_in(planned.contestants, incident.operation, &Contestant::name);
        if (guilty == nullptr) continue;
        const Arrow* operation = only_operation(guilty->path);
        for (std::size_t i = 0; i < wrong.size(); ++i) {
            const bool calls_it =
                std::ranges::any_of(planned.contestants[i].path.steps,
                                    [&](const PathStep& step) { return step.arrow == operation; });
            if (calls_it || &planned.contestants[i] == guilty) wrong[i] = incident.what;
        }
    }
    return wrong;
}

/// Prepares the step that is timed.
Step timed_step(const Contestant& contestant, const std::vector<Instance>& parts,
                const Protocol& protocol) {
    if (protocol.options.no_communication) return {datatype_work(contestant, parts.front()), {}};
    under_test::enter();
    Step step = contestant.path.prepare(parts);
    under_test::leave();
    write_zeros_where_results_add_up(step, contestant.path.from());
    return step;
}

/// Calls a contestant once on the whole problem, in shared buffers and without data. Returns the
/// error that the call returns. Collective.
std::optional<Fault> call_on_whole(const Contestant& contestant, const Workspaces& workspaces,
                                   const Protocol& protocol) {
    const Step step = timed_step(contestant, workspaces.parts(contestant), protocol);
    // All ranks change the treatment of messages at one instant, while no message is under way.
    simulation::wait_together();
    simulation::leave_data_out();
    under_test::enter();
    step.call();
    under_test::leave();
    const auto error = returned_error(messages::rank_in(protocol.comm));
    simulation::wait_together();
    simulation::carry_data();
    return of_lowest_rank(error, protocol.comm);
}

/// Runs each contestant on sources with known contents and notes errors, refusals and growth.
/// Collective.
void verify_contestants(const PlannedProblem& planned, const Workspaces& workspaces,
                        const Protocol& protocol, double limit_s, Prepared& prepared) {
    const double end_s = wall_time_s() + limit_s;
    const auto contestants = static_cast<double>(planned.contestants.size());
    const Repetition repetition{
        usual_repetition.most_runs,
        std::min(usual_repetition.seconds, share_of_repetition * limit_s / contestants), 1};
    const std::vector<std::size_t> turns = turns_of_contestants(planned);
    std::optional<Workspaces> with_data;  // used in the process that makes the attempts
    const auto attempt = [&](int turn) -> simulation::Outcome {
        const std::size_t i = turns[static_cast<std::size_t>(turn)];
        const Contestant& each = planned.contestants[i];
        if (each.skipped) return {};
        if (prepared.wrong[i]) return {prepared.wrong[i]};
        const bool is_of_first_check = platform().time_stands_still && turn < 2;
        if (!is_of_first_check && is_over(end_s, protocol.comm)) return {.is_late = true};
        const Activity activity("verifying " + each.name + " on " + planned.problem().id());
        if (protocol.options.shared_buffers && !with_data)
            with_data.emplace(planned, planned.verified(), protocol, Memory::own);
        const Instance instance = (with_data ? *with_data : workspaces).instance(each);
        // Launchers give ranks one second to end after a signal.
        if (!platform().time_stands_still) end_if_interrupted(protocol.comm);
        under_test::arrive(static_cast<int>(i));
        const Verified verified = verify_guarded(each.path, instance, repetition);
        if (verified.refused) prepared.left_out[i] = Reason{ReasonKind::refused, *verified.refused};
        prepared.growth[i] = verified.growth;
        // The library may choose another algorithm for the whole problem than for the part, and
        // this algorithm may not fit the number of ranks.
        const bool is_part =
            planned.verified()[each.variant].counts != planned.variants[each.variant].counts;
        if (!is_part || verified.wrong || verified.refused) return {verified.wrong};
        return {call_on_whole(each, workspaces, protocol)};
    };
    const std::vector<std::string> names =
        names_of(turns, [&](std::size_t i) { return planned.contestants[i].name; });
    const auto outcomes = simulation::attempt_each(names, attempt, are_audited(planned, turns));
    for (std::size_t turn = 0; turn < turns.size(); ++turn) {
        const std::size_t i = turns[turn];
        const auto& [fault, is_too_slow, is_late] = outcomes[turn];
        if (is_late)
            prepared.late[i] = 1;
        else if (is_too_slow)
            prepared.left_out[i] = too_slow_to_simulate(fault->text);
        else
            prepared.wrong[i] = fault;
    }
}

}  // namespace

Prepared prepare(const PlannedProblem& planned, const Workspaces& workspaces,
                 const Protocol& protocol, double limit_s,
                 const std::vector<KnownIncident>& incidents) {
    const double start_s = wall_time_s();
    Prepared prepared;
    prepared.left_out.resize(planned.contestants.size());
    prepared.growth.resize(planned.contestants.size());
    prepared.late.resize(planned.contestants.size());
    prepared.wrong = known_wrong(planned, incidents);
    name_tested({planned.problem().id(), names_of(planned.contestants, &Contestant::name),
                 expected_call_s(planned.problem())});
    // The communicator of the reference algorithms is created while no algorithm is forced.
    private_communicator(protocol.comm);
    // No data moves without communication, and there is nothing to verify.
    if (!protocol.options.no_communication)
        verify_contestants(planned, workspaces, protocol, limit_s, prepared);
    prepared.sets = workspaces.sets();
    for (std::size_t set = 0; set < prepared.sets; ++set) {
        for (std::size_t i = 0; i < planned.contestants.size(); ++i) {
            const Contestant& each = planned.contestants[i];
            const bool is_out =
                each.skipped || prepared.wrong[i] || prepared.left_out[i] || prepared.late[i];
            prepared.steps.push_back(
                is_out ? Step{} : timed_step(each, workspaces.parts(each, set), protocol));
            prepared.calls.push_back(prepared.steps.back().call);
        }
    }
    prepared.verification_s = wall_time_s() - start_s;
    select_algorithm(nullptr);
    prepare_calls_before(planned, workspaces, protocol.options.buffers, prepared);
    return prepared;
}

bool is_over(double end_s, MPI_Comm comm) {
    if (std::isinf(end_s)) return false;
    return decided_by_rank_0(wall_time_s() > end_s, comm) != 0;
}

double expected_call_s(const Problem& problem) {
    constexpr double slow_bytes_per_s = 100e6;
    const double bytes = static_cast<double>(problem.padded_total()) *
                         static_cast<double>(problem.element->extent()) * problem.ranks();
    return bytes / slow_bytes_per_s;
}

bool verify_again(std::size_t contestant, const PlannedProblem& planned,
                  const Workspaces& workspaces, Repetition repetition, Prepared& prepared) {
    const Contestant& each = planned.contestants[contestant];
    const Activity activity("looking again at " + each.name + " on " + planned.problem().id());
    const Path& path = each.path;
    const std::size_t set = ++prepared.reverifications % prepared.sets;
    const Step& step = prepared.steps[set * planned.contestants.size() + contestant];
    under_test::arrive(static_cast<int>(contestant));
    select_algorithm(path.algorithm());
    prepared.wrong[contestant] =
        verify(step, path.from(), path.to(), workspaces.instance(each, set), repetition);
    select_algorithm(nullptr);
    write_zeros_where_results_add_up(step, path.from());
    return !prepared.wrong[contestant];
}

}  // namespace mpiaudit
