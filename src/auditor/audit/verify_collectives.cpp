// SPDX-License-Identifier: BSD-3-Clause
// `mpiaudit verify`, declared in audit/commands.h.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "audit/commands.h"
#include "catalogue/catalogue.h"
#include "device_trial/device_support.h"
#include "measure/prepared.h"
#include "measure/protocol.h"
#include "measure/verification.h"
#include "messages/agreement.h"
#include "messages/interruption.h"
#include "messages/messages.h"
#include "messages/under_test.h"
#include "mpi/part_of_launch.h"
#include "mpi/texts.h"
#include "mpi/watchdog.h"
#include "plan/plan.h"
#include "problem/workspace.h"
#include "record/audit_record.h"
#include "simulation/simulation.h"
#include "text/console.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

struct Tally {
    int verified = 0, wrong = 0, skipped = 0, refused = 0;
};

/// Returns a path for every arrow and the right side of every guideline; with `guidelines_only`
/// only the right sides.
std::vector<Path> all_paths(const Inputs& inputs, bool guidelines_only) {
    std::vector<Path> paths;
    std::set<std::vector<std::string>> known;
    const auto add = [&](const Path& path) {
        if (known.insert(path.describe()).second) paths.push_back(path);
    };
    for (const Arrow& arrow : catalogue()) {
        if (guidelines_only) break;
        const bool stands_alone = arrow.kind == Kind::native || arrow.kind == Kind::nonblocking ||
                                  arrow.kind == Kind::persistent || arrow.kind == Kind::in_place ||
                                  arrow.kind == Kind::variant || arrow.kind == Kind::reference;
        if (stands_alone) add({Way{{{.form = arrow.form}}}.name(), {{&arrow, false, false}}, {}});
    }
    for (const Guideline& each : inputs.guidelines) {
        if (each.inequality.right.scale.is_plain()) add(each.inequality.right);
    }
    return paths;
}

/// Keeps the paths whose operations are all among the named ones.
void keep_collectives_of(std::vector<Path>& paths, const std::vector<std::string>& names) {
    check_collectives(names);
    std::erase_if(paths, [&](const Path& path) {
        return std::ranges::any_of(path.steps, [&](const PathStep& step) {
            return !step.arrow->is_silent() && !is_of_collectives(*step.arrow, names);
        });
    });
}

void verify_problem(const Problem& problem, const std::vector<Path>& paths,
                    const Environment& environment, const RankNetwork* network,
                    std::uint64_t memory_bytes, Tally& tally) {
    std::vector<const Path*> applicable;
    Needs needs;
    for (const Path& path : paths) {
        if (path.obstacle(problem)) {
            ++tally.skipped;
            continue;
        }
        applicable.push_back(&path);
        needs.add(path.needs());
    }
    if (const auto obstacle = memory_obstacle(needs, problem, memory_bytes)) {
        tally.skipped += static_cast<int>(applicable.size());
        if (environment.rank() == 0) say("skipped {}: {}\n", problem.id(), *obstacle);
        return;
    }
    const std::vector<std::string> names = names_of(applicable, &Path::name);
    name_tested({problem.id(), names, expected_call_s(problem)});
    Workspace workspace(problem, environment.rank(), needs);
    const Instance instance{workspace, audited_ranks(), network};
    for (const Layout layout : needs.sources)
        Contents(problem, layout.holding).write(workspace.source(layout), environment.rank());
    std::vector<std::optional<std::string>> refused(applicable.size());
    const auto attempt = [&](int i) -> simulation::Outcome {
        const Path& path = *applicable[static_cast<std::size_t>(i)];
        const Activity activity("verifying " + path.name + " on " + problem.id());
        if (!platform().time_stands_still) end_if_interrupted(audited_ranks());
        under_test::arrive(i);
        const Verified verified = verify_guarded(path, instance);
        refused[static_cast<std::size_t>(i)] = verified.refused;
        return {verified.wrong};
    };
    const auto outcomes = simulation::attempt_each(names, attempt);
    for (std::size_t i = 0; i < applicable.size(); ++i) {
        const auto& [fault, is_too_slow, is_late] = outcomes[i];
        ++(refused[i]    ? tally.refused
           : is_too_slow ? tally.skipped
           : fault       ? tally.wrong
                         : tally.verified);
        if (environment.rank() != 0) continue;
        if (refused[i])
            say("refused by the MPI library: {} on {}: {}\n", applicable[i]->name, problem.id(),
                *refused[i]);
        else if (is_too_slow)
            say("skipped {} on {}: {}\n", applicable[i]->name, problem.id(),
                in_words(too_slow_to_simulate(fault->text)));
        else if (fault)
            say("WRONG {} on {}, root {}: {}\n", applicable[i]->name, problem.id(), problem.root,
                fault->text);
    }
}

/// Whether the options ask for generated calls.
bool generates(const RunOptions& options) {
    return options.calls_time->count > 0 || options.calls > 0 || !options.call.empty();
}

int verify_collectives(const RunOptions& given, const Environment& environment,
                       const OtherProducts& other_products) {
    for (const char* each : {"output", "resume", "order-seed", "known"})
        if (given.is_given(each))
            throw UsageError("--{} belongs to the generated calls: give --check-calls or --calls",
                             each);
    RunOptions options = given;
    use_devices(*options.memory_kind);
    // Each algorithm of the library is the right side of a guideline.
    const bool algorithms_only = !options.algorithms.empty();
    options.guidelines.clear();
    if (!algorithms_only) options.guidelines = {"all", "derived"};
    options.collectives.clear();
    const Inputs inputs = read_inputs(options);
    const std::unique_ptr<const RankNetwork> network = other_products.network(options.network);
    const Types types(options.element, options.op);
    set_ranks_per_node(options.node_size);
    const NodeSplit nodes = node_split(audited_ranks());
    const std::uint64_t memory_bytes =
        given.memory_bytes(examine_machine(Binding::none).memory_limit_bytes);
    std::vector<Path> paths = all_paths(inputs, algorithms_only);
    if (!given.collectives.empty()) keep_collectives_of(paths, given.collectives);
    Tally tally;
    simulation::limit_attempts(given.hang_limit_s(), given.budget_s());
    const Watchdog watchdog(given.hang_limit_s(), exit_hang, audited_ranks());
    int signal = 0;
    if (environment.rank() == 0) {
        for (const std::string& warning : device_warnings(*options.memory_kind))
            remark("warning: {}", warning);
    }
    const Problems problems(inputs, options, types, environment.ranks(), nodes);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        try {
            verify_problem(problems.make(i), paths, environment, network.get(), memory_bytes,
                           tally);
        } catch (const Interrupted& by) {
            signal = by.signal;
            break;
        }
    }
    if (environment.rank() == 0 && network) {
        for (const std::string& warning : network->warnings()) remark("warning: {}", warning);
    }
    if (environment.rank() == 0)
        say("{} ranks, {} implementations: {} runs verified, {} wrong, {} do not apply{}\n",
            environment.ranks(), paths.size(), tally.verified, tally.wrong, tally.skipped,
            tally.refused == 0 ? "" : fmt::format(", {} refused", tally.refused));
    if (signal != 0 && environment.rank() == 0)
        remark("{}: not all problems are verified", interruption::name(signal));
    if (signal != 0 && tally.wrong == 0) return exit_interrupted;
    return tally.wrong > 0 ? exit_wrong_result : exit_done;
}

}  // namespace

int verify(const RunOptions& options, const Environment& environment,
           const OtherProducts& other_products) {
    for (const std::string each : {"call", "calls", "known"})
        if (options.is_given(each)) other_products.require_checker("--" + each);
    if (options.calls_time->count > 0) other_products.require_checker("--check-calls");
    return generates(options) ? other_products.verify_calls(options, environment)
                              : verify_collectives(options, environment, other_products);
}

}  // namespace mpiaudit
