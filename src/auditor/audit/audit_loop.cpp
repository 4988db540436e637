// SPDX-License-Identifier: BSD-3-Clause
// measure_problems() of audit/steps.h.
#include "audit/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "audit/budgeted_progress.h"
#include "audit/known_incidents.h"
#include "audit/results_of_checks.h"
#include "collectives/bcast/bcast.h"
#include "machine/machine.h"
#include "measure/measurement.h"
#include "measure/verification.h"
#include "messages/agreement.h"
#include "messages/interruption.h"
#include "messages/under_test.h"
#include "mpi/texts.h"
#include "mpi/watchdog.h"
#include "report/report.h"
#include "report/wrong_results.h"
#include "screens/console.h"
#include "screens/progress.h"
#include "screens/times.h"
#include "simulation/simulation.h"
#include "text/console.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// Returns 1 for each problem without a record in the session, alike on every rank. Collective.
std::vector<char> problems_left(const Plan& plan, const Session* session) {
    std::vector<char> left(plan.problems.size(), 1);
    for (std::size_t i = 0; session != nullptr && i < left.size(); ++i)
        left[i] = !session->has(plan.problems[i].id);
    broadcast_bytes(left.data(), left.size());
    return left;
}

/// Adds the record to the session on rank 0; all other ranks wait. Writing may take longer than the
/// watchdog allows for a lost host, so the watchdog does not watch the message at the end.
/// Collective. \param session null on all ranks but rank 0
void keep(record::ProblemRecord measured, MPI_Comm comm, Session* session) {
    if (session != nullptr) session->add(std::move(measured));
    int written = 1;
    if (!platform().time_stands_still) binomial_Bcast(&written, 1, MPI_INT, 0, comm);
}

/// Measures the problem and verifies MPI_Barrier before and after. Throws WrongBarrier.
record::ProblemRecord measure_with_right_barrier(const PlannedProblem& planned,
                                                 const std::vector<Guideline>& guidelines,
                                                 const Protocol& protocol, double limit_s,
                                                 const std::vector<KnownIncident>& incidents) {
    // Verifying the barrier takes milliseconds, which a problem without time does not have.
    if (protocol.options.no_communication || limit_s <= 0)
        return measure_problem(planned, guidelines, protocol, limit_s, incidents);
    name_tested({planned.id, {}, expected_call_s(planned.problem())});
    require_right_barrier(protocol);
    record::ProblemRecord measured =
        measure_problem(planned, guidelines, protocol, limit_s, incidents);
    require_right_barrier(protocol);
    return measured;
}

/// Returns the cost model of the first session on every rank, also in a resumed audit; nullopt if
/// it has none. Collective.
std::optional<LinearModel> cost_model(const Session* session) {
    return from_rank_0(session != nullptr ? session->header().cost_model : std::nullopt);
}

/// Returns the limit that rank 0 passes. Collective.
double limit_of_rank_0(double limit_s) {
    const under_test::InHarness in_harness;
    return from_rank_0(limit_s);
}

bool moves(When moving_progress) {
    return moving_progress == When::always ||
           (moving_progress == When::automatic && errors_reach_a_terminal());
}

/// Skips the contestants that only other guidelines need.
void skip_other_guidelines(PlannedProblem& planned, const std::vector<std::size_t>& guidelines) {
    std::vector<bool> is_needed(planned.contestants.size());
    for (const PlannedCheck& check : planned.checks) {
        if (is_among(guidelines, check.guideline))
            is_needed[check.left] = is_needed[check.right] = true;
    }
    for (std::size_t i = 0; i < is_needed.size(); ++i) {
        if (!is_needed[i] && !planned.contestants[i].skipped)
            planned.contestants[i].skipped = Reason{ReasonKind::no_time};
    }
}

// Shares of the time that a problem needs to be measured well.
constexpr double enough_for_all = 0.5;        ///< from here on all guidelines are measured
constexpr double enough_for_strongest = 0.2;  ///< the strongest of each operation; below: one

/// Measures the problems of a plan one by one.
class AuditLoop {
  public:
    explicit AuditLoop(OpenAudit& opened)
        : plan_{opened.plan},
          guidelines_{opened.known.inputs.guidelines},
          session_{opened.session.get()},
          protocol_{with_trusted_barrier(opened.protocol, session_)},
          budget_s_{opened.options().budget_s()},
          shows_times_{opened.options().has_table()},
          left_{problems_left(plan_, session_)},
          incidents_{known_incidents(session_)},
          failing_forms_{forms_that_end_launches(session_)},
          model_{cost_model(session_)} {
        if (session_ == nullptr) return;
        budgeted_.emplace(plan_, left_, budget_s_, moves(opened.options().progress));
        if (protocol_.rule.criterion != judge::Criterion::evidence && plan_.may_be_chosen == 0)
            return;
        results_.emplace(*plan_.inputs, session_->header(), protocol_.rule);
        for (const record::ProblemRecord& each : session_->audit().problems)
            count_decided(results_->of(each));
        if (plan_.may_be_chosen == 0) return;
        std::vector<std::string> distributions;
        for (const Distribution& each : plan_.inputs->distributions)
            distributions.push_back(each.name);
        refinement_.emplace(std::move(distributions), plan_.may_be_chosen);
        for (const record::ProblemRecord& each : session_->audit().problems)
            refinement_->add(results_->of(each));
    }

    Progression run() {
        if (run(by_value(plan_)) && plan_.may_be_chosen > 0) refine();
        if (budgeted_) budgeted_->progress.finish();
        return std::move(progression_);
    }

  private:
    /// Measures the planned problems in this order. Returns false if a signal ended the audit.
    bool run(const std::vector<std::size_t>& order) {
        for (const std::size_t i : order) {
            if (!left_[i]) continue;
            const double limit_s =
                limit_of_rank_0(budgeted_ ? budgeted_->budget.limit_s(i, elapsed_s()) : 0);
            if (!measure(i, limit_s, from_rank_0(enough_for(i, limit_s)))) return false;
            left_[i] = 0;
        }
        return true;
    }

    double elapsed_s() const { return wall_time_s() - begin_s_; }
    bool has_ended() const { return progression_.signal != 0; }

    /// Measures chosen problems until no further size tells more or the time is over.
    void refine() {
        while (!has_ended()) {
            const double left_s = budget_s_ - elapsed_s();
            const auto choice = from_rank_0(refinement_ ? refinement_->next(left_s) : std::nullopt);
            if (!choice) return;
            const std::size_t chosen = plan_.choose(choice->place, choice->guidelines);
            const double limit_s = limit_of_rank_0(
                refinement_ ? std::min(left_s, refinement_->expected_s(*choice)) : 0.0);
            measure(chosen, limit_s, {});
        }
    }

    /// Returns, on rank 0, the strongest guidelines at the nearest size if `limit_s` is too short
    /// for all guidelines of the problem; nothing if all are measured.
    std::vector<std::size_t> enough_for(std::size_t i, double limit_s) const {
        const ProblemOutline& outline = plan_.problems[i];
        if (!refinement_) return {};
        const double part = budgeted_->budget.part_of_needed(i, limit_s);
        if (part > enough_for_all) return {};
        return refinement_->strongest_near(
            outline.distribution, outline.block_size,
            part > enough_for_strongest ? strongest_of_operation : 1);
    }

    void count_decided(const ProblemResult& result) {
        using enum CheckResult::Answer;
        for (const CheckResult& each : result.checks) {
            const bool is_decided = each.answer == violated || each.answer == holds;
            decided_ += is_decided;
            asked_ += is_decided || each.answer == undecided || each.answer == no_time;
        }
    }

    /// Returns false if a signal ended the audit.
    /// \param only the guidelines that are measured; empty: all
    bool measure(std::size_t i, double limit_s, const std::vector<std::size_t>& only) {
        progression_.signal = largest_of_ranks(interruption::received(), protocol_.comm);
        if (has_ended()) return false;
        const ProblemOutline& outline = plan_.problems[i];
        if (budgeted_)
            budgeted_->progress.begin(in_words(outline),
                                      asked_ > 0 ? 1.0 * decided_ / asked_ : -1.0);
        const double begin_s = wall_time_s();
        const int references = references_within(i, limit_s);
        const auto planned = simulation::alike<PlannedProblem>(
            [&] {
                const auto made = std::make_shared<PlannedProblem>(plan_.instantiate(i));
                // The predictions choose the reference algorithms that are measured.
                if (model_ && limit_s > 0) predict_contestants(*made, *model_, protocol_.comm);
                keep_fastest_references(*made, guidelines_, plan_.references, references);
                if (!only.empty()) skip_other_guidelines(*made, only);
                return made;
            },
            i);
        record::ProblemRecord measured;
        const auto measure_once = [&] {
            return measure_with_right_barrier(*planned, guidelines_, protocol_, limit_s,
                                              incidents_of(outline.id));
        };
        try {
            try {
                measured = measure_once();
            } catch (const WrongBarrier& error) {
                avoid_native_barrier(outline.id, error.fault);
                measured = measure_once();
            }
        } catch (const Interrupted& by) {
            // A resumed audit measures the whole problem again.
            progression_.signal = by.signal;
            return false;
        }
        ++progression_.measured;
        if (budgeted_ && !outline.is_chosen) {
            const double taken_s =
                platform().time_stands_still ? wall_time_s() - begin_s : measured.elapsed_s;
            budgeted_->budget.measured(i, measured, taken_s, planned->further_references);
            budgeted_->progress.end(i, taken_s);
        }
        if (session_ != nullptr && model_) add_predictions(measured, *planned, *model_);
        if (results_) {
            const ProblemResult result = results_->of(measured);
            count_decided(result);
            if (refinement_) refinement_->add(result);
        }
        if (shows_times_ && session_ != nullptr) say_times(measured);
        keep(std::move(measured), protocol_.comm, session_);
        return true;
    }

    /// Prints the times of a problem while the other problems are measured.
    void say_times(const record::ProblemRecord& measured) const {
        record::Audit alone;
        alone.header = session_->header();
        alone.problems = {measured};
        const std::string line = times_in_words(times_of(make_report(alone, protocol_.rule)));
        if (!line.empty()) budgeted_->progress.say(line);
    }

    /// Returns the number of reference algorithms of each operation that the problem has time for:
    /// those of the plan, and more if `limit_s` is longer than the problem needs. An audit that
    /// chooses problems keeps the time for these. Collective.
    int references_within(std::size_t i, double limit_s) const {
        constexpr int all = ReferencesInBudget{}.most;
        if (plan_.problems[i].is_chosen) return all;  // chosen with their guidelines
        const int planned = plan_.references.most;
        if (planned == all || plan_.may_be_chosen > 0) return planned;
        const under_test::InHarness in_harness;
        const bool is_known = budgeted_ && std::isfinite(limit_s);
        const double part = is_known ? budgeted_->budget.part_of_needed(i, limit_s) : 0.0;
        return from_rank_0(static_cast<int>(std::clamp<double>(planned * part, planned, all)));
    }

    /// Uses mpiaudit's own barrier from now on, since samples behind a wrong barrier mean nothing.
    void avoid_native_barrier(const std::string& problem, const Fault& fault) {
        protocol_.avoids_native_barrier = true;
        if (session_ == nullptr) return;
        remark(
            "WRONG: MPI_Barrier, which brings the ranks together (--sync): {}; the audit goes on "
            "as with --sync dissemination",
            fault.text);
        session_->add(record::Incident{problem, under_test::name_of_barrier, fault});
    }

    /// Returns the incidents of the problem, and the forms that ended a launch as generated calls.
    std::vector<KnownIncident> incidents_of(const std::string& id) {
        std::vector<KnownIncident> all = incidents_[id];
        all.insert(all.end(), failing_forms_.begin(), failing_forms_.end());
        return all;
    }

    Plan& plan_;
    const std::vector<Guideline>& guidelines_;
    Session* session_;  ///< null on all ranks but rank 0
    Protocol protocol_;
    double budget_s_;
    bool shows_times_;  ///< each problem as soon as it is measured
    double begin_s_ = wall_time_s();
    std::vector<char> left_;
    Incidents incidents_;
    std::vector<KnownIncident> failing_forms_;
    std::optional<LinearModel> model_;
    Progression progression_;
    // Empty on all ranks but rank 0.
    std::optional<BudgetedProgress> budgeted_;
    std::optional<Refinement> refinement_;
    std::optional<ResultsOfChecks> results_;
    int decided_ = 0, asked_ = 0;  ///< checks so far: with an answer, and those that had samples or
                                   ///< lacked time
};

}  // namespace

Progression measure_problems(OpenAudit& opened) {
    const auto& session = opened.session;
    // The last session had measured all that its budget had time for when a call ended it.
    if (from_rank_0(session && session->call_incident() ? 1 : 0) != 0) return {};
    const Progression progression = AuditLoop(opened).run();
    if (progression.measured > 0) {
        std::optional<MachineAfter> after = examine_again(opened.known.around.machine);
        if (after) session->end(std::move(*after));
    }
    return progression;
}

}  // namespace mpiaudit
