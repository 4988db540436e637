// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Members of the types of an audit, as samples and reports have them. audit_record.h includes this
// file.
#include "record/audit_record.h"

namespace mpiaudit {

// The keys in JSON, see json_form.h.
MPIAUDIT_MEMBERS(record::Tool, (name, version, commit), (program))
MPIAUDIT_MEMBERS(record::Library, (library, standard), (file, checksum))
MPIAUDIT_MEMBERS(record::Job, (), (launcher, record))
MPIAUDIT_MEMBERS(record::Continued, (started, hosts, job))
MPIAUDIT_MEMBERS(record::Simulation, (simulator, platform, platform_parameters, start, settings))

template <>
inline constexpr auto members_of<record::ClockRecord::Global> = [](auto& io, auto& clock) {
    io.required("error_s", clock.error_s, any_number);
    io.required("drift", clock.drift, any_number);
    MPIAUDIT_REQUIRED(io, clock, round_trip_s)
    MPIAUDIT_OPTIONAL(io, clock, worst_error_s)
};

MPIAUDIT_MEMBERS(record::ClockRecord, (name, resolution_s, read_s, synchronisation), (global))

// Members that follow from the simulation are left out.
MPIAUDIT_MEMBERS(record::RuleRecord, (criterion, tolerance, alpha, checks, max_rounds), (outliers))

template <>
inline constexpr auto members_of<NodeModel> = [](auto& io, auto& nodes) {
    io.required("ranks_per_node", nodes.ranks_per_node, 1);
    io.required("alpha_s", nodes.alpha);
    io.required("beta_s_per_byte", nodes.beta);
    io.required("send_within_s", nodes.within.send);
    io.required("receive_within_s", nodes.within.receive);
    io.required("send_between_s", nodes.between.send);
    io.required("receive_between_s", nodes.between.receive);
    MPIAUDIT_REQUIRED(io, nodes, memory, eager_bytes)
    MPIAUDIT_OPTIONAL(io, nodes, waits_to_be_asked, processors)
};

template <>
inline constexpr auto members_of<LinearModel> = [](auto& io, auto& model) {
    io.required("alpha_s", model.alpha);
    io.required("beta_s_per_byte", model.beta);
    io.required("gamma_s_per_byte", model.gamma);
    io.optional("copying_s_per_byte", model.copying);
    io.optional("nodes", model.nodes);
};

template <>
inline constexpr auto members_of<record::DistributionRecord> = [](auto& io, auto& distribution) {
    io.required("parameters", distribution.parameters, any_number);
    MPIAUDIT_REQUIRED(io, distribution, name, summary, source)
    MPIAUDIT_OPTIONAL(io, distribution, formula, counts, repeats)
};

MPIAUDIT_MEMBERS(record::GuidelineRecord, (id, statement, source, advice, file))
MPIAUDIT_MEMBERS(record::Implementation, (name, collective, from, to, native, summary),
                 (written_as, stands_for))
MPIAUDIT_MEMBERS(record::DuplicateRecord, (problem, equal_to))

template <>
inline constexpr auto members_of<record::PlanLimits> = [](auto& io, auto& limits) {
    io.required("references", limits.references, 1);
    MPIAUDIT_REQUIRED(io, limits, memory_bytes)
};

template <>
inline constexpr auto members_of<application::SelectedProblem> = [](auto& io, auto& problem) {
    io.optional("operator", problem.op);
    MPIAUDIT_REQUIRED(io, problem, name, collective, counts, element, root, calls, seconds, share)
    MPIAUDIT_OPTIONAL(io, problem, depends_on_order, stand_ins)
};

MPIAUDIT_MEMBERS(application::LeftOutProblem, (name, collective, calls, seconds, reason),
                 (command, is_elsewhere, is_here, is_placed_otherwise))

template <>
inline constexpr auto members_of<application::Selection> = [](auto& io, auto& selection) {
    io.required("ranks", selection.ranks, 1);
    MPIAUDIT_REQUIRED(io, selection, program, library, seconds, problems, left_out)
};

MPIAUDIT_MEMBERS(record::Header,
                 (schema_version, tool, started, command, options, default_options, mpi, machine,
                  job, simulated, clock, environment, warnings, rule, distributions, guidelines,
                  implementations),
                 (simulation, cost_model, confirms, duplicates, not_audited, with_choice,
                  application, limits, known_faults, settings, launch_ranks))
MPIAUDIT_MEMBERS(record::WarmUpRecord, (rounds), (settled))
MPIAUDIT_MEMBERS(record::BarrierTimes, (before_s, after_s))

template <>
inline constexpr auto members_of<record::WindowRecord> = [](auto& io, auto& window) {
    io.required("clock_error_s", window.clock_error_s, any_number);
    MPIAUDIT_REQUIRED(io, window, late_starts, dropped_rounds, ahead_s, clock_round_trip_s)
    MPIAUDIT_OPTIONAL(io, window, unclear_rounds, own_time_s, instead)
};

MPIAUDIT_MEMBERS(record::RankMedians, (fastest, slowest, fastest_s, slowest_s))
/// A fault as words, with its kind beside them, which files before version 2.3 lack.
template <class Io, class AnyFault>
void name_fault(Io& io, const char* words, AnyFault& fault) {
    std::string text = fault.text;
    std::optional<FaultKind> kind = fault.kind;
    if constexpr (!std::is_const_v<AnyFault>) kind.reset();
    io.required(words, text);
    io.optional("fault", kind);
    if constexpr (!std::is_const_v<AnyFault>)
        fault = kind ? Fault{*kind, std::move(text)} : fault_of_old_text(text);
}
/// A reason as words, with its kind and its numbers beside them, which files before version 2.3
/// lack.
template <class Io, class AnyReason>
void name_reason(Io& io, const char* words, AnyReason& reason) {
    std::optional<std::string> text;
    std::optional<ReasonKind> kind;
    std::vector<double> numbers;
    if (reason) {
        text = in_words(*reason);
        kind = reason->kind;
        numbers = reason->numbers;
    }
    io.optional(words, text);
    io.optional("reason_kind", kind);
    io.optional("reason_numbers", numbers);
    if constexpr (!std::is_const_v<AnyReason>) {
        reason.reset();
        if (text)
            reason =
                kind ? reason_of_text(*kind, *text, std::move(numbers)) : reason_of_old_text(*text);
    }
}
/// Of a contestant that is known to fail, the words of the fault are in `skipped`.
template <class Io, class AnyContestant>
void name_faults(Io& io, AnyContestant& contestant) {
    bool is_known = contestant.known_to_fail.has_value();
    std::optional<std::string> wrong;
    std::optional<FaultKind> kind;
    if (contestant.wrong) wrong = contestant.wrong->text;
    for (const std::optional<Fault>* each : {&contestant.wrong, &contestant.known_to_fail})
        if (*each) kind = (*each)->kind;
    io.optional("known_to_fail", is_known);
    io.optional("wrong", wrong);
    io.optional("fault", kind);
    if constexpr (!std::is_const_v<AnyContestant>) {
        const auto fault = [&](const std::string& text) {
            return kind ? Fault{*kind, text} : fault_of_old_text(text);
        };
        if (wrong) contestant.wrong = fault(*wrong);
        if (is_known)
            contestant.known_to_fail =
                fault(contestant.skipped ? in_words(*contestant.skipped) : "");
    }
}

template <>
inline constexpr auto members_of<record::ContestantDescription> = [](auto& io, auto& contestant) {
    MPIAUDIT_REQUIRED(io, contestant, name, from, to, steps)
    MPIAUDIT_OPTIONAL(io, contestant, forced)
    name_reason(io, "skipped", contestant.skipped);
    name_faults(io, contestant);
    MPIAUDIT_OPTIONAL(io, contestant, predicted_s, lower_bound_s, first_call_bytes,
                      further_call_bytes, lost_bytes, loss_unknown, call_bytes, ranks, exit_skew_s)
};

template <>
inline constexpr auto members_of<record::Contestant> = [](auto& io, auto& contestant) {
    members_of<record::ContestantDescription>(io, contestant);
    MPIAUDIT_OPTIONAL(io, contestant, samples_s)
};

MPIAUDIT_MEMBERS(record::Check, (guideline, left, right))
MPIAUDIT_MEMBERS(record::MoreRounds, (order, samples_s, stopped))

template <>
inline constexpr auto members_of<record::TailRecord> = [](auto& io, auto& tail) {
    MPIAUDIT_REQUIRED(io, tail, left, right, after_pause)
    io.required("left_s", tail.calls.usual.left_s);
    io.required("right_s", tail.calls.usual.right_s);
    io.required("rounds", tail.calls.rounds);
    io.required("left_long_s", tail.calls.left_long_s);
    io.required("right_long", tail.calls.right_long);
    io.required("left_all_s", tail.calls.left_all_s);
};

template <>
inline constexpr auto members_of<record::ProblemDescription> = [](auto& io, auto& problem) {
    io.required("ranks", problem.ranks, 1);
    io.required("element_bytes", problem.element_bytes, 1);
    io.required("operator", problem.op);
    MPIAUDIT_REQUIRED(io, problem, id, distribution, block_size, root, element, total, padded_total,
                      smallest, largest)
    MPIAUDIT_OPTIONAL(io, problem, verification, chosen, next_block_size)
};

template <>
inline constexpr auto members_of<record::MeasuredProblem> = [](auto& io, auto& problem) {
    members_of<record::ProblemDescription>(io, problem.problem);
    MPIAUDIT_REQUIRED(io, problem, warm_up, elapsed_s)
    MPIAUDIT_OPTIONAL(io, problem, barrier, window, buffer_sets, continued)
};

template <>
inline constexpr auto members_of<record::ProblemRecord> = [](auto& io, auto& problem) {
    members_of<record::MeasuredProblem>(io, problem);
    MPIAUDIT_REQUIRED(io, problem, counts, contestants, order, checks, stopped)
    MPIAUDIT_OPTIONAL(io, problem, young_heap, tails)
};

MPIAUDIT_MEMBERS(record::End, (ended, machine))
MPIAUDIT_MEMBERS(record::CheckKey, (problem, guideline))
MPIAUDIT_MEMBERS(record::Confirms, (folder, started, order_seed, suspects, controls))

template <>
inline constexpr auto members_of<record::CallFinding> = [](auto& io, auto& finding) {
    MPIAUDIT_REQUIRED(io, finding, operation, form, conditions, call, origin)
    name_fault(io, "what", finding.what);
    MPIAUDIT_REQUIRED(io, finding, calls)
    io.optional("known", finding.is_known);
};
template <>
inline constexpr auto members_of<record::GeneratedCalls> = [](auto& io, auto& generated) {
    MPIAUDIT_REQUIRED(io, generated, seed, calls, seconds, valid_pairs, covered_pairs, operations,
                      findings)
    MPIAUDIT_OPTIONAL(io, generated, ranks, suspect)
    io.optional("crashes", generated.crashes);
    io.optional("confirming", generated.is_confirming);
    io.optional("confirmed", generated.confirmed);
    io.optional("unconfirmed", generated.unconfirmed);
};

template <>
inline constexpr auto members_of<record::Incident> = [](auto& io, auto& incident) {
    io.optional("unclear", incident.is_unclear);
    MPIAUDIT_REQUIRED(io, incident, problem, operation)
    name_fault(io, "what", incident.what);
};

}  // namespace mpiaudit
