// SPDX-License-Identifier: BSD-3-Clause
#include "measure/predictions.h"

#include "cost/prediction.h"

namespace mpiaudit {

void add_predictions(record::ProblemRecord& record, const PlannedProblem& planned,
                     const LinearModel& model) {
    for (std::size_t i = 0; i < planned.contestants.size(); ++i) {
        record::Contestant& measured = record.contestants[i];
        if (measured.samples_s.empty()) continue;
        const Contestant& contestant = planned.contestants[i];
        const Problem& problem = planned.variants[contestant.variant];
        measured.predicted_s = predict(contestant.path, problem, model);
        measured.lower_bound_s =
            lower_bound(contestant.path.from(), contestant.path.to(), problem, model);
    }
}

}  // namespace mpiaudit
