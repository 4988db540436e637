// SPDX-License-Identifier: BSD-3-Clause
#include "measure/predictions.h"

#include <map>

#include "cost/prediction.h"
#include "messages/agreement.h"
#include "plan/order.h"
#include "simulation/platform.h"

namespace mpiaudit {
namespace {

constexpr double unknown = -1.0;

}  // namespace

void predict_contestants(PlannedProblem& planned, const LinearModel& model, MPI_Comm comm) {
    int rank = 0, ranks = 1;
    if (!platform().ranks_share_memory) {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &ranks);
    }
    planned.predicted_s.assign(planned.contestants.size(), unknown);
    for (auto i = static_cast<std::size_t>(rank); i < planned.contestants.size();
         i += static_cast<std::size_t>(ranks)) {
        const Contestant& each = planned.contestants[i];
        if (!each.skipped)
            planned.predicted_s[i] =
                predict(each.path, planned.variants[each.variant], model).value_or(unknown);
    }
    if (!platform().ranks_share_memory) take_largest(planned.predicted_s, comm);
}

void leave_slower_references(PlannedProblem& planned, const std::vector<Guideline>& guidelines,
                             int references) {
    std::map<std::size_t, int> taken;  // by the left side
    for (const std::size_t i : in_turns(planned)) {
        const PlannedCheck& check = planned.checks[i];
        if (!planned.is_checkable(check) || !guidelines[check.guideline].is_one_of_many()) continue;
        if (++taken[check.left] > references)
            planned.contestants[check.right].skipped = record::slower_reference;
    }
}

void add_predictions(record::ProblemRecord& record, const PlannedProblem& planned,
                     const LinearModel& model) {
    for (std::size_t i = 0; i < planned.contestants.size(); ++i) {
        record::Contestant& measured = record.contestants[i];
        if (measured.samples_s.empty()) continue;
        const Contestant& contestant = planned.contestants[i];
        const Problem& problem = planned.variants[contestant.variant];
        if (planned.predicted_s[i] >= 0) measured.predicted_s = planned.predicted_s[i];
        measured.lower_bound_s =
            lower_bound(contestant.path.from(), contestant.path.to(), problem, model);
    }
}

}  // namespace mpiaudit
