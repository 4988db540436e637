// SPDX-License-Identifier: BSD-3-Clause
#include "audit/audit_loop.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include "audit/budget.h"
#include "audit/launcher_terminal.h"
#include "measure/barrier_verification.h"
#include "measure/measurement.h"
#include "measure/predictions.h"
#include "messages/agreement.h"
#include "messages/interruption.h"
#include "messages/under_test.h"
#include "mpi/rank_0.h"
#include "mpi/texts.h"
#include "mpi/watchdog.h"
#include "plan/order.h"
#include "report/progress.h"
#include "simulation/platform.h"
#include "simulation/simulation.h"

namespace mpiaudit {
namespace {

/// In proportion to the time that each problem takes, as far as it can be known before.
std::vector<double> works_of(const Plan& plan) {
    std::vector<double> works;
    for (const ProblemOutline& problem : plan.problems) {
        const Count bytes = problem.padded_total * static_cast<Count>(problem.element_bytes);
        works.push_back(platform().work_of_problem +
                        platform().work_of_byte * static_cast<double>(bytes));
    }
    return works;
}

/// 1 for each problem that the session does not have; the same on every rank.
std::vector<char> problems_left(const Plan& plan, const Session* session) {
    std::vector<char> left(plan.problems.size(), 1);
    for (std::size_t i = 0; session != nullptr && i < left.size(); ++i)
        left[i] = !session->has(plan.problems[i].id);
    broadcast_bytes(left.data(), left.size());
    return left;
}

/// What rank 0 knows about the progress of the audit.
struct Course {
    Course(const Plan& plan, const std::vector<char>& left, double budget_s, bool moves)
        : progress{works_of(plan), moves, budget_s},
          budget{works_left(plan, left), budget_s, weights(plan)} {
        for (std::size_t i = 0; i < left.size(); ++i) {
            if (!left[i]) progress.end(i, 0.0);
        }
    }
    static std::vector<double> works_left(const Plan& plan, const std::vector<char>& left) {
        std::vector<double> works = works_of(plan);
        for (std::size_t i = 0; i < left.size(); ++i) works[i] *= left[i];
        return works;
    }
    /// Of an application's problems what they are worth to it.
    static std::vector<double> weights(const Plan& plan) {
        std::vector<double> weights;
        for (const ProblemOutline& each : plan.problems) {
            if (each.worth_s) weights.push_back(*each.worth_s);
        }
        return weights;
    }
    Progress progress;
    Budget budget;
};

/// `session`: null but on rank 0, which writes while the others wait for it. A disk may take longer
/// than they wait for a host that is lost: so they hear again and again that it is there.
/// Collective.
void keep(record::ProblemRecord measured, const PlannedProblem& planned, MPI_Comm comm,
          Session* session) {
    enum : int { written, still_writing };
    const bool is_told = !platform().time_stands_still;
    if (session == nullptr) {
        while (is_told && decided_by_rank_0(written, comm) == still_writing) {
        }
        return;
    }
    if (const auto& model = session->header().cost_model)
        add_predictions(measured, planned, *model);
    const auto tell = [comm] { decided_by_rank_0(still_writing, comm); };
    session->add(std::move(measured), is_told ? Meanwhile(tell) : Meanwhile());
    if (is_told) decided_by_rank_0(written, comm);
}

/// By problem, as the session knows it from those before; the same on every rank. Collective.
using Incidents = std::map<std::string, std::vector<KnownIncident>>;
Incidents known_incidents(const Session* session) {
    std::string lines;
    for (std::size_t i = 0; session != nullptr && i < session->audit().incidents.size(); ++i) {
        const record::Incident& each = session->audit().incidents[i];
        if (each.is_unclear) continue;
        lines += fmt::format("{}\n{}\n{}\n", each.problem, each.operation, each.what);
    }
    std::istringstream text(broadcast(lines));
    Incidents incidents;
    std::string problem;
    for (KnownIncident each; std::getline(text, problem) && std::getline(text, each.operation) &&
                             std::getline(text, each.what);)
        incidents[problem].push_back(each);
    return incidents;
}

/// Before and after it was needed; throws WrongBarrier.
record::ProblemRecord measure_with_right_barrier(const PlannedProblem& planned,
                                                 const std::vector<Guideline>& guidelines,
                                                 const Protocol& protocol, double limit_s,
                                                 const std::vector<KnownIncident>& incidents) {
    if (protocol.no_communication)
        return measure_problem(planned, guidelines, protocol, limit_s, incidents);
    name_tested({planned.id, {}, expected_call_s(planned.problem())});
    require_right_barrier(protocol);
    record::ProblemRecord measured =
        measure_problem(planned, guidelines, protocol, limit_s, incidents);
    require_right_barrier(protocol);
    return measured;
}

/// same/b=10: MPI_Gather, MPI_Bcast
std::string in_words(const ProblemOutline& planned) {
    constexpr std::size_t most_names = 3;
    std::vector<std::string> operations;
    for (const PlannedCheck& check : planned.checks) {
        const Path& left = planned.contestants[check.left].path;
        std::string name(left.steps.front().arrow->name);
        if (std::ranges::find(operations, name) == operations.end())
            operations.push_back(std::move(name));
    }
    const std::string names = operations.size() > most_names
                                  ? fmt::format("{} operations", operations.size())
                                  : fmt::format("{}", fmt::join(operations, ", "));
    return planned.id + ": " + names;
}

/// Of the first session, also in a resumed audit; the same on every rank. Collective.
std::optional<LinearModel> cost_model(const Session* session) {
    std::optional<LinearModel> model;
    if (session != nullptr) model = session->header().cost_model;
    broadcast_bytes(&model, sizeof model);
    return model;
}

/// What rank 0 has given a problem.
double share_of(double limit_s) {
    const under_test::Steering steering;
    return from_rank_0(limit_s);
}

bool moves(When moving_progress) {
    return moving_progress == When::always ||
           (moving_progress == When::automatic && errors_reach_a_terminal());
}

}  // namespace

Progression measure_problems(const Plan& plan, const std::vector<Guideline>& guidelines,
                             const Protocol& protocol, double budget_s, Session* session,
                             When moving_progress) {
    const double begin_s = wall_time_s();
    const std::vector<char> left = problems_left(plan, session);
    std::optional<Course> course;  // on rank 0
    if (session != nullptr) course.emplace(plan, left, budget_s, moves(moving_progress));
    Incidents incidents = known_incidents(session);
    const std::optional<LinearModel> model = cost_model(session);
    Progression progression;
    for (const std::size_t i : by_value(plan)) {
        if (!left[i]) continue;
        progression.signal = largest_of_ranks(interruption::received(), protocol.comm);
        if (progression.signal != 0) break;
        const ProblemOutline& outline = plan.problems[i];
        if (course) course->progress.begin(in_words(outline));
        const double start_s = wall_time_s();
        const auto planned = simulation::alike<PlannedProblem>(
            [&] {
                const auto made = std::make_shared<PlannedProblem>(plan.in_turn(i));
                if (model) predict_contestants(*made, *model, protocol.comm);
                leave_slower_references(*made, guidelines, plan.references);
                return made;
            },
            i);
        const double limit_s =
            share_of(course ? course->budget.limit_s(i, wall_time_s() - begin_s) : 0);
        record::ProblemRecord measured;
        try {
            measured = measure_with_right_barrier(*planned, guidelines, protocol, limit_s,
                                                  incidents[outline.id]);
        } catch (const Interrupted& by) {
            // It is measured again as a whole.
            progression.signal = by.signal;
            break;
        } catch (const WrongBarrier& error) {
            progression.wrong_barrier = error.what();
            break;
        }
        ++progression.measured;
        if (course) {
            course->budget.measured(i, measured);
            course->progress.end(i, wall_time_s() - start_s);
        }
        keep(std::move(measured), *planned, protocol.comm, session);
    }
    if (course) course->progress.finish();
    return progression;
}

}  // namespace mpiaudit
