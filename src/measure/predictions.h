// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "plan/plan.h"
#include "trace/linear_model.h"

namespace mpiaudit {

/// The model as the header of an audit keeps it, and back; nothing of an audit without one.
nlohmann::json cost_model_json(const LinearModel& model);
std::optional<LinearModel> cost_model(const nlohmann::json& header);

/// Adds to every measured contestant of a problem's line what the model predicts for it, where its
/// algorithm is known, and the lower bound for what it does. On rank 0.
void add_predictions(nlohmann::json& line, const PlannedProblem& planned, const LinearModel& model);

}  // namespace mpiaudit
