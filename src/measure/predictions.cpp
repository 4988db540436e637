// SPDX-License-Identifier: BSD-3-Clause
#include "measure/predictions.h"

#include <nlohmann/json.hpp>

#include "cost/prediction.h"

namespace mpiaudit {

using nlohmann::json;

json cost_model_json(const LinearModel& model) {
    return {{"alpha_s", model.alpha},
            {"beta_s_per_byte", model.beta},
            {"gamma_s_per_byte", model.gamma}};
}

std::optional<LinearModel> cost_model(const json& header) {
    if (!header.contains("cost_model")) return std::nullopt;
    const json& model = header["cost_model"];
    return LinearModel{model["alpha_s"], model["beta_s_per_byte"], model["gamma_s_per_byte"]};
}

void add_predictions(json& line, const PlannedProblem& planned, const LinearModel& model) {
    for (std::size_t i = 0; i < planned.contestants.size(); ++i) {
        const Contestant& contestant = planned.contestants[i];
        json& entry = line["contestants"][i];
        if (!entry.contains("samples_s")) continue;
        const Problem& problem = planned.variants[contestant.variant];
        if (const auto time_s = predict(contestant.path, problem, model))
            entry["predicted_s"] = *time_s;
        if (const auto time_s =
                lower_bound(contestant.path.from(), contestant.path.to(), problem, model))
            entry["lower_bound_s"] = *time_s;
    }
}

}  // namespace mpiaudit
