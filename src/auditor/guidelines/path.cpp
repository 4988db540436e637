// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/path.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace mpiaudit {

std::vector<std::string> Path::describe() const {
    std::vector<std::string> lines;
    for (const PathStep& step : steps)
        lines.push_back(fmt::format("{}: {} -> {}", step.arrow->name, mpiaudit::name(step.source()),
                                    mpiaudit::name(step.target())));
    return lines;
}

Needs Path::needs() const {
    Needs needs;
    needs.sources.insert(from());
    for (const PathStep& step : steps) {
        if (step.arrow->scratch)
            needs.targets.insert({*step.arrow->scratch, step.padded, step.packed});
        // Views and agreements leave the data where they are.
        if (step.arrow->kind == Kind::view) continue;
        if (step.arrow->kind != Kind::agreement)
            needs.targets.insert(step.target());
        else if (step.source() == from())
            needs.sources.insert(step.target());
    }
    return needs;
}

const LibraryAlgorithm* Path::algorithm() const {
    for (const PathStep& step : steps) {
        if (step.arrow->algorithm) return step.arrow->algorithm.get();
    }
    return nullptr;
}

bool Path::has_reference() const {
    return std::ranges::any_of(
        steps, [](const PathStep& step) { return step.arrow->kind == Kind::reference; });
}

std::optional<std::string> Path::obstacle(const Problem& problem) const {
    for (const PathStep& step : steps) {
        if (auto reason = step.arrow->obstacle(problem, step.padded, step.packed)) return reason;
        if (step.arrow->is_reordered() && steps.size() > 1)
            return fmt::format("{}: on other ranks nothing can come before or after it",
                               step.arrow->name);
        // Between two operations of a path nothing can be selected: the clock is running.
        if (step.arrow->algorithm && step.arrow->algorithm.get() != algorithm())
            return "a path can force one of the library's algorithms only";
        for (const Layout layout : {step.source(), step.target()}) {
            if (std::string reason = oversize(problem, layout); !reason.empty()) return reason;
        }
    }
    return std::nullopt;
}

std::vector<std::optional<Place>> Path::destinations(const Instance& instance) const {
    std::vector<std::optional<Place>> all(steps.size());
    for (std::size_t i = steps.size() - 1; i > 0; --i) {
        if (steps[i].arrow->input == nullptr) continue;
        Instance next = instance;
        if (all[i]) next.destination = &*all[i];
        all[i - 1] = steps[i].input(next, instance.workspace.target(steps[i].source()));
    }
    return all;
}

Step Path::prepare_run(const Instance& instance, std::vector<Call>& calls) const {
    const auto destination = destinations(instance);
    Step path{{}, instance.workspace.source(from())};
    path.targets = needs().targets;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const PathStep& step = steps[i];
        const LibraryAlgorithm* forced = step.arrow->algorithm.get();
        const Variant* variant = step.arrow->called_as;
        const MPI_Comm comm =
            forced != nullptr
                ? forced->communicator(instance.comm)
                : communicator(instance.comm, variant != nullptr ? variant->origin : Origin::given);
        const Instance own{instance.workspace, comm, instance.network, variant,
                           destination[i] ? &*destination[i] : nullptr};
        if (i == 0 && step.arrow->input != nullptr)
            path.source = path.result = step.input(own, path.result);
        Step prepared = step.arrow->prepare(own, path.result, step.target());
        if (prepared.call) calls.push_back(std::move(prepared.call));
        path.result = prepared.result;
        path.data_of_rank = prepared.data_of_rank;
        std::ranges::move(prepared.agreements, std::back_inserter(path.agreements));
    }
    path.used = {path.result, path.source ? *path.source : instance.workspace.source(from())};
    return path;
}

Step Path::prepare(std::span<const Instance> parts) const {
    std::vector<Call> calls;
    Step path = prepare_run(parts.front(), calls);
    for (const Instance& part : parts.subspan(1)) {
        Step next = prepare_run(part, calls);
        std::ranges::move(next.agreements, std::back_inserter(path.agreements));
        std::ranges::move(next.used, std::back_inserter(path.used));
    }
    const int rounds = scale.repeats / static_cast<int>(parts.size());
    if (calls.size() == 1 && rounds == 1) {
        path.call = std::move(calls.front());
    } else {
        path.call = [calls = std::move(calls), rounds] {
            for (int i = 0; i < rounds; ++i) {
                for (const Call& call : calls) call();
            }
        };
    }
    return path;
}

}  // namespace mpiaudit
