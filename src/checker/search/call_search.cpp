// SPDX-License-Identifier: BSD-3-Clause
#include "search/call_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "catalogue/catalogue.h"
#include "files/shipped_files.h"
#include "measure/protocol.h"
#include "messages/agreement.h"
#include "messages/interruption.h"
#include "messages/messages.h"
#include "messages/under_test.h"
#include "mpi/environment.h"
#include "mpi/part_of_launch.h"
#include "mpi/texts.h"
#include "mpi/watchdog.h"
#include "plan/inputs.h"
#include "random/random_bits.h"
#include "text/console.h"
#include "text/exit_code.h"
#include "text/plain.h"
#include "timing/clock.h"

namespace mpiaudit {
namespace {

using calls::ChosenCall;

/// Longest time in seconds that one generated call is expected to take, for the watchdog.
constexpr double expected_generated_call_s = 0.1;
/// A call that takes longer is suspected to hang; seconds. A suspect ends the launch, and an audit
/// should not end because the machine is busy.
constexpr double suspected_hang_s = 4, suspected_hang_of_audit_s = 20;
/// More findings are not looked for: one fault of the library may have many.
constexpr std::size_t most_findings = 50;
/// Seconds of the search that a crash or a hang counts for.
constexpr double crash_s = 1, hang_s = suspected_hang_s + 1;
/// An audit makes no further generated calls after so many have ended a launch.
constexpr int most_crashes_of_audit = 6;
/// The saved state is at most so old when a call crashes; seconds.
constexpr double save_every_s = 1;

/// Returns the setting of the launch. An audit makes no calls on the communicator that it measures
/// on, where messages of a failed call would disturb the measurement.
calls::Setting setting_for(const SearchConditions& conditions) {
    calls::Setting setting = calls::setting_of_launch();
    setting.leaves_out_world = conditions.limit_of_audit_s.has_value();
    return setting;
}

}  // namespace

ReturnedErrors::ReturnedErrors() {
    for (std::size_t i = 0; i < handlers_.size(); ++i) {
        MPI_Comm_get_errhandler(comms()[i], &handlers_[i]);
        MPI_Comm_set_errhandler(comms()[i], MPI_ERRORS_RETURN);
    }
}

ReturnedErrors::~ReturnedErrors() {
    for (std::size_t i = 0; i < handlers_.size(); ++i) {
        MPI_Comm_set_errhandler(comms()[i], handlers_[i]);
        MPI_Errhandler_free(&handlers_[i]);
    }
}

std::vector<std::uint8_t> operations_of(const std::vector<std::string>& names) {
    check_collectives(names);
    std::vector<std::uint8_t> chosen;
    for (std::size_t i = 0; i < operation_count; ++i) {
        const auto arrow = std::ranges::find(catalogue(), mpi_operations[i].name, &Arrow::name);
        if (names.empty() || (arrow != catalogue().end() && is_of_collectives(*arrow, names)))
            chosen.push_back(static_cast<std::uint8_t>(i));
    }
    return chosen;
}

record::CallFinding finding_of(const ChosenCall& simplest, const ChosenCall& origin, Fault what) {
    return {.operation = std::string(simplest.operation().name),
            .form = calls::form_of(simplest).name(),
            .conditions = calls::conditions_of(simplest),
            .call = calls::print(simplest),
            .origin = calls::print(origin),
            .what = std::move(what)};
}

void take_incident(record::GeneratedCalls& state, const record::Incident& incident) {
    const ChosenCall call = calls::parse_call(incident.operation);
    const ChosenCall origin = state.suspect ? calls::parse_call(state.suspect->origin) : call;
    record::CallFinding crashed = finding_of(call, origin, incident.what);
    const bool is_sure =
        state.is_confirming && state.suspect && state.suspect->call == crashed.call;
    if (is_sure && state.confirmed) {
        state.findings.push_back(std::move(crashed));
        state.suspect.reset();
        state.confirmed.reset();
    } else {
        if (is_sure) state.confirmed = crashed.call;
        state.suspect = std::move(crashed);
    }
    state.is_confirming = false;
    ++state.crashes;
    state.seconds += incident.what.kind == FaultKind::hangs ? hang_s : crash_s;
}

std::vector<calls::KnownFault> known_faults_of_library() {
    const std::string origin = shipped_file("libraries", known_faults_name);
    const std::string text = text_of_rank_0([&] { return library_faults::shipped().text; });
    return or_usage_error([&] {
        return calls::known_faults_of(Environment::name_of_library(), {origin, text});
    });
}

CallSearch::CallSearch(SearchConditions conditions, record::GeneratedCalls state, Save save)
    : conditions_{std::move(conditions)},
      setting_{setting_for(conditions_)},
      coverage_{setting_, conditions_.operations},
      state_{std::move(state)},
      save_{std::move(save)},
      start_s_{wall_time_s() - state_.seconds} {
    state_.ranks = setting_.ranks;
    state_.operations.clear();
    for (const std::uint8_t each : conditions_.operations)
        state_.operations.emplace_back(mpi_operations[each].name);
    for (const record::CallFinding& each : state_.findings)
        known_.push_back({calls::parse_call(each.call), calls::parse_call(each.origin)});
    for (std::uint64_t number = 0; number < state_.calls; ++number)
        coverage_.add(generated(number));
}

void CallSearch::run(double time_s, int most_calls) {
    if (conditions_.limit_of_audit_s && state_.crashes >= most_crashes_of_audit) {
        give_up();
        return;
    }
    if (state_.suspect) examine_suspect();
    const Watchdog watchdog(suspicion_s(), exit_hang, audited_ranks());
    while (!is_over(time_s, most_calls)) {
        end_if_interrupted(audited_ranks());
        const ChosenCall call = generated(state_.calls);
        coverage_.add(call);
        if (const calls::KnownFault* const fault = reason_to_leave_out(call))
            add_finding(
                finding_of(fault->simplest_like(call), fault->simplest_like(call),
                           {FaultKind::not_tried, "known to end the program; not tested here"}));
        else
            count_known(call);
        const std::uint64_t random = mix_bits(state_.seed, state_.calls);
        const auto other = without_known_faults(call, random);
        if (other && calls::obstacle(*other, setting_) == nullptr &&
            !is_among(state_.unconfirmed, calls::print(*other)))
            examine(*other, random);
        ++state_.calls;
        if (wall_time_s() - saved_s_ > save_every_s) save();
    }
    save();
}

/// Keeps the suspect as it is: the time of an audit is for measurements. A call that no launch has
/// tried alone is no finding.
void CallSearch::give_up() {
    if (state_.suspect && state_.confirmed)
        add_finding(finding_of(calls::parse_call(*state_.confirmed),
                               calls::parse_call(state_.suspect->origin), state_.suspect->what));
    else if (state_.suspect)
        state_.unconfirmed.push_back(state_.suspect->origin);
    state_.suspect.reset();
    state_.confirmed.reset();
    save();
}

void CallSearch::examine(const ChosenCall& call, std::uint64_t random) {
    const auto fault = attempt(call, random);
    if (!fault || state_.findings.size() >= most_findings) return;
    if (fault->kind == FaultKind::calls_differ) return remark_on(call, *fault);
    // If a simpler call crashes, the next launch does not begin with this one again.
    ++state_.calls;
    save();
    --state_.calls;
    if (is_right_alone(call, random))
        return add_finding(finding_of(
            call, call,
            {fault->kind,
             fmt::format("{}; only after earlier calls: --order-seed {} repeats the search",
                         fault->text, state_.seed)}));
    // Simpler calls with a known fault would hide a new one, and a known one is not new elsewhere.
    const bool is_known = known_fault_of(call) != nullptr;
    ChosenCall simplest = calls::shrink(call, setting_, [&](const ChosenCall& simpler) {
        if ((known_fault_of(simpler) != nullptr) != is_known) return false;
        const auto found = attempt(simpler, random);
        return found && found->kind == fault->kind;
    });
    if (fault->kind == FaultKind::wrong_communicator) {
        // All operations have this fault: one stands for them.
        ChosenCall first = simplest;
        first[calls::Property::operation] = conditions_.operations.front();
        if (calls::obstacle(first, setting_) == nullptr) simplest = first;
    }
    add_finding(finding_of(simplest, call, attempt(simplest, random).value_or(*fault)));
}

/// Returns whether a call that has failed passes again and again on new communicators.
bool CallSearch::is_right_alone(const ChosenCall& call, std::uint64_t random) {
    constexpr int times = 3;
    for (int k = 0; k < times; ++k)
        if (calls::obstacle(call, setting_) != nullptr || attempt(call, random)) return false;
    return true;
}

/// Tells of a fault that the standard allows, once for each operation.
void CallSearch::remark_on(const ChosenCall& call, const Fault& fault) {
    ChosenCall operation;
    operation[calls::Property::operation] = call[calls::Property::operation];
    const std::string name = calls::form_of(operation).name();
    if (conditions_.limit_of_audit_s || !remarks_.insert(name).second ||
        messages::rank_in(audited_ranks()) != 0)
        return;
    say("Remark: {}, {}: {}, which the standard allows\n    mpiaudit verify --call \"{}\"\n", name,
        calls::conditions_of(call), fault.text, calls::print(call));
}

/// Returns the call, or a similar one without the conditions of known faults; nullopt if there is
/// none.
std::optional<ChosenCall> CallSearch::without_known_faults(ChosenCall call,
                                                           std::uint64_t random) const {
    constexpr std::uint64_t most_changes = 4;
    for (std::uint64_t k = 0; k <= most_changes; ++k) {
        std::optional<ChosenCall> simplest;
        if (const calls::KnownFault* const fault = reason_to_leave_out(call))
            simplest = fault->simplest_like(call);
        for (const Known& each : known_)
            if (calls::has_conditions_of(call, each.simplest, each.origin))
                simplest = each.simplest;
        if (!simplest) return call;
        const auto other = calls::without_conditions_of(call, *simplest, setting_, random + k);
        if (!other) return std::nullopt;
        call = *other;
    }
    return std::nullopt;
}

ChosenCall CallSearch::generated(std::uint64_t number) {
    const std::uint64_t random = mix_bits(state_.seed, number);
    return coverage_.covered() < coverage_.valid()
               ? coverage_.next(random)
               : calls::random_call(setting_, conditions_.operations, random);
}

bool CallSearch::is_over(double time_s, int most_calls) const {
    const bool is_covered =
        conditions_.limit_of_audit_s && coverage_.covered() == coverage_.valid();
    const bool has_made_all =
        most_calls > 0 && state_.calls >= static_cast<std::uint64_t>(most_calls);
    const bool is_over = is_covered || has_made_all || seconds() >= time_s;
    return decided_by_rank_0(is_over ? 1 : 0, audited_ranks()) != 0;
}

double CallSearch::seconds() const {
    return wall_time_s() - start_s_;
}

/// Returns the seconds after which a call is suspected to hang.
double CallSearch::suspicion_s() const {
    return conditions_.hang_limit_s.value_or(
        conditions_.limit_of_audit_s ? suspected_hang_of_audit_s : suspected_hang_s);
}

/// Shrinks the suspect to a call that crashes or hangs, or is wrong. A simpler call that crashes
/// ends this launch, and is the suspect of the next one. \param last the fault of a wrong call
ChosenCall CallSearch::simplest_of_suspect(std::optional<Fault>& last) {
    const ChosenCall suspect = calls::parse_call(state_.suspect->call);
    const double limit_s = conditions_.limit_of_audit_s.value_or(0);
    const bool is_late =
        limit_s > 0 && decided_by_rank_0(seconds() > limit_s, audited_ranks()) != 0;
    if (is_late) return suspect;
    const Watchdog watchdog(suspicion_s(), exit_hang, audited_ranks());
    return calls::shrink(suspect, setting_, [&](const ChosenCall& simpler) {
        if (reason_to_leave_out(simpler) != nullptr) return false;
        auto found = attempt(simpler, state_.seed);
        if (found) last = found;
        return found.has_value();
    });
}

/// Attempts the suspect. If the call ends this launch, take_incident() knows why.
std::optional<Fault> CallSearch::attempt_alone(const ChosenCall& call) {
    state_.is_confirming = true;
    save();
    const Watchdog watchdog(conditions_.hang_limit_s.value_or(hang_of_generated_call_s), exit_hang,
                            audited_ranks());
    auto fault = attempt(call, state_.seed);
    state_.is_confirming = false;
    return fault;
}

/// The suspect has crashed or hung in an earlier launch, maybe because of memory that an earlier
/// call had damaged: this launch has made no call yet.
void CallSearch::examine_suspect() {
    if (state_.confirmed) {
        simplify_suspect();
    } else {
        const ChosenCall suspect = calls::parse_call(state_.suspect->call);
        if (const auto fault = attempt_alone(suspect))
            add_finding(finding_of(suspect, suspect, *fault));
        else
            state_.unconfirmed.push_back(state_.suspect->origin);
    }
    state_.suspect.reset();
    state_.confirmed.reset();
    save();
}

/// If no simpler call than the suspect fails, the suspect is tried again, unless it has ended a
/// launch alone.
void CallSearch::simplify_suspect() {
    std::optional<Fault> last;
    const record::CallFinding suspect = *state_.suspect;
    const ChosenCall origin = calls::parse_call(suspect.origin);
    const ChosenCall simplest = simplest_of_suspect(last);
    if (!last && suspect.call != *state_.confirmed) last = attempt_alone(simplest);
    if (last)
        add_finding(finding_of(simplest, origin, *last));
    else
        add_finding(finding_of(calls::parse_call(*state_.confirmed), origin, suspect.what));
}

void CallSearch::add_finding(record::CallFinding finding) {
    const auto found = std::ranges::find(state_.findings, finding.call, &record::CallFinding::call);
    if (found != state_.findings.end()) {
        ++found->calls;
    } else {
        known_.push_back({calls::parse_call(finding.call), calls::parse_call(finding.origin)});
        state_.findings.push_back(std::move(finding));
        save();
    }
}

/// Counts the call for a finding all of whose conditions the call has.
void CallSearch::count_known(const ChosenCall& call) {
    const auto found = std::ranges::find_if(known_, [&](const Known& each) {
        return calls::has_conditions_of(call, each.simplest, each.origin);
    });
    if (found != known_.end())
        ++state_.findings[static_cast<std::size_t>(found - known_.begin())].calls;
}

/// Returns the known fault that the call has, first of all one that ends the launch; null if there
/// is none.
const calls::KnownFault* CallSearch::known_fault_of(const ChosenCall& call) const {
    const calls::KnownFault* found = nullptr;
    for (const calls::KnownFault& each : conditions_.known_faults)
        if (each.has(call, setting_.ranks) && (found == nullptr || each.ends_launch)) found = &each;
    return found;
}

/// Returns the known fault because of which the search does not make the call; null if there is
/// none.
const calls::KnownFault* CallSearch::reason_to_leave_out(const ChosenCall& call) const {
    const calls::KnownFault* const fault = conditions_.skips_known ? known_fault_of(call) : nullptr;
    return fault != nullptr && fault->ends_launch ? fault : nullptr;
}

std::optional<Fault> CallSearch::attempt(const ChosenCall& call, std::uint64_t random) {
    name_tested({record::generated_calls_problem, {calls::print(call)}, expected_generated_call_s});
    under_test::arrive(0);
    auto fault = calls::perform(call, groups_, random);
    under_test::finish();
    // The fault has the error; no later operation is to blame for the error.
    under_test::take_error();
    // Messages of a call that has failed may still arrive: no later call uses its communicators,
    // and none is freed, since a new communicator could get its number.
    if (fault) {
        new calls::Groups(std::exchange(groups_, {}));
        setting_.leaves_out_world =
            setting_.leaves_out_world || call.communicator() == calls::Communicator::world;
    }
    return fault;
}

void CallSearch::save() {
    saved_s_ = wall_time_s();
    state_.seconds = seconds();
    state_.valid_pairs = coverage_.valid();
    state_.covered_pairs = coverage_.covered();
    for (std::size_t i = 0; i < known_.size(); ++i)
        state_.findings[i].is_known = known_fault_of(known_[i].simplest) != nullptr;
    if (save_) save_(state_);
}

}  // namespace mpiaudit
