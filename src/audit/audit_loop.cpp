// SPDX-License-Identifier: BSD-3-Clause
#include "audit/audit_loop.h"

#include <unistd.h>

#include <numeric>
#include <optional>

#include "audit/interruption.h"
#include "measure/measurement.h"
#include "measure/predictions.h"
#include "mpi/rank_0.h"
#include "report/console.h"
#include "report/progress.h"
#include "simulation/platform.h"

namespace mpiaudit {
namespace {

/// In proportion to the time that each problem takes, as far as it can be known before.
std::vector<double> works_of(const Plan& plan) {
    std::vector<double> works;
    for (const PlannedProblem& planned : plan.problems) {
        const Problem& problem = planned.problem();
        const Count bytes = problem.padded_total() * static_cast<Count>(problem.element->extent());
        works.push_back(platform().work_of_problem +
                        platform().work_of_byte * static_cast<double>(bytes));
    }
    return works;
}

/// 1 for each problem that the session does not have; the same on every rank.
std::vector<char> problems_left(const Plan& plan, const Session* session) {
    std::vector<char> left(plan.problems.size(), 1);
    for (std::size_t i = 0; session != nullptr && i < left.size(); ++i)
        left[i] = !session->has(plan.problems[i].problem().id());
    broadcast_bytes(left.data(), left.size());
    return left;
}

/// On rank 0.
void keep(record::ProblemRecord measured, const PlannedProblem& planned, Session& session) {
    // The model of the first session, also in a resumed audit.
    if (const auto& model = session.header().cost_model) add_predictions(measured, planned, *model);
    session.add(std::move(measured));
}

bool moves(When moving_progress) {
    return moving_progress == When::always ||
           (moving_progress == When::automatic && is_terminal(STDERR_FILENO));
}

}  // namespace

Progression measure_problems(const Plan& plan, const std::vector<Guideline>& guidelines,
                             const Protocol& protocol, double budget_s, Session* session,
                             When moving_progress) {
    const double deadline_s = wall_time_s() + budget_s;
    std::optional<Progress> progress;  // on rank 0
    if (session != nullptr) progress.emplace(works_of(plan), moves(moving_progress));
    const std::vector<char> left = problems_left(plan, session);
    auto problems = static_cast<int>(std::accumulate(left.begin(), left.end(), 0));
    Progression progression;
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (!left[i]) {
            if (progress) progress->end(i, 0.0);
            continue;
        }
        progression.signal = Interruption::requested(protocol.comm);
        if (progression.signal != 0) break;
        const PlannedProblem& planned = plan.problems[i];
        if (progress) progress->begin(i, planned.problem().id());
        const double start = wall_time_s();
        const double limit_s = from_rank_0((deadline_s - start) / problems--);
        record::ProblemRecord measured = measure_problem(planned, guidelines, protocol, limit_s);
        ++progression.measured;
        if (session != nullptr) keep(std::move(measured), planned, *session);
        if (progress) progress->end(i, wall_time_s() - start);
    }
    if (progress) progress->finish();
    return progression;
}

}  // namespace mpiaudit
