// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/path.h"

#include <fmt/format.h>

namespace mpiaudit {

std::vector<std::string> Path::describe() const {
    std::vector<std::string> lines;
    for (const PathStep& step : steps) {
        lines.push_back(fmt::format("{}: {} -> {}", step.arrow->name, mpiaudit::name(step.source()),
                                    mpiaudit::name(step.target())));
    }
    return lines;
}

Needs Path::needs() const {
    Needs needs;
    needs.sources.insert(from());
    for (const PathStep& step : steps) {
        // Views and agreements leave the data where they are.
        if (step.arrow->kind == Kind::view) continue;
        if (step.arrow->kind != Kind::agreement)
            needs.targets.insert(step.target());
        else if (step.source() == from())
            needs.sources.insert(step.target());
    }
    return needs;
}

std::optional<std::string> Path::obstacle(const Problem& problem) const {
    for (const PathStep& step : steps) {
        const Condition& condition = step.arrow->condition;
        if (!step.padded && !condition.holds(problem))
            return fmt::format("{} {}", step.arrow->name, condition.text);
        for (const Layout layout : {step.source(), step.target()}) {
            if (const std::string reason = oversize(problem, layout); !reason.empty())
                return reason;
        }
    }
    return std::nullopt;
}

Step Path::prepare(const Setting& setting) const {
    std::vector<Call> calls;
    Place place = setting.workspace.source(from());
    for (const PathStep& step : steps) {
        Step prepared = step.arrow->prepare(setting, place, step.padded);
        if (prepared.call) calls.push_back(std::move(prepared.call));
        place = prepared.result;
    }
    if (calls.size() == 1) return {std::move(calls.front()), place};
    return {[calls = std::move(calls)] {
                for (const Call& call : calls) call();
            },
            place};
}

}  // namespace mpiaudit
