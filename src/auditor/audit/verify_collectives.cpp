// SPDX-License-Identifier: BSD-3-Clause
// `mpiaudit verify`, declared in audit/commands.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <thread>

#include "audit/commands.h"
#include "catalogue/catalogue.h"
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
#include "simulation/simulation.h"
#include "text/console.h"
#include "text/plain.h"
#include "timing/clock.h"

namespace mpiaudit {
namespace {

/// Calls in a row are timed in this number of parts. The first part has the set-up and the late
/// rank.
constexpr std::size_t parts = 8;
using Parts = std::array<double, parts>;
// Calls become slower if each part takes longer than the part before, twice in a row, and the last
// part takes at least this many times as long as the second. Of 5040^2 operations with random times
// one has its parts in this order twice.
constexpr double least_growth = 1.5, least_growth_again = 1.1;
/// Time by which the last rank is late, in which the other ranks can send before it receives.
constexpr std::chrono::milliseconds delay_of_last_rank{50};

/// Returns the last part over the second part; 1 unless each part takes longer than the part
/// before.
double growth(const Parts& seconds) {
    return std::ranges::is_sorted(seconds.begin() + 1, seconds.end()) ? seconds.back() / seconds[1]
                                                                      : 1.0;
}

/// `verify --calls`: calls a path `calls` times in a row with a late last rank, and verifies the
/// last call. Returns the error of the result, or that calls become slower; nothing if all is
/// right, alike on every rank. Collective. \param operation number of the path, for the watchdog
std::optional<std::string> endure_calls(const Path& path, const Instance& instance, int calls,
                                        int operation) {
    const int of_part = std::max(1, calls / static_cast<int>(parts));
    under_test::enter();
    const Step prepared = path.prepare(instance);
    under_test::leave();
    const auto seconds_of_parts = [&] {
        Parts seconds{};
        for (double& part_s : seconds) {
            end_if_interrupted(instance.comm);
            const double start_s = wall_time_s();
            for (int call = 0; call < of_part; ++call) {
                under_test::arrive(operation);
                under_test::enter();
                prepared.call();
                under_test::leave();
            }
            part_s = wall_time_s() - start_s;
        }
        under_test::finish();
        take_largest(seconds, instance.comm);
        return seconds;
    };
    if (messages::rank_in(instance.comm) == messages::size_of(instance.comm) - 1)
        std::this_thread::sleep_for(delay_of_last_rank);
    const double slower = growth(seconds_of_parts());
    const bool becomes_slower =
        slower > least_growth && growth(seconds_of_parts()) > least_growth_again;
    if (auto wrong = verify(prepared, path.from(), path.to(), instance))
        return fmt::format("{} (after {} calls in a row)", *wrong, calls);
    if (!becomes_slower) return std::nullopt;
    return fmt::format(
        "calls become slower: the last {0} of {1} took {2:.2f} times as long as the second {0}",
        of_part, calls, slower);
}

/// `verify --communicators`: makes `wanted` communicators of all ranks and of overlapping groups.
/// Returns why no further communicator can be made; nothing if all were made, alike on every rank.
/// Collective.
std::optional<std::string> endure_communicators(int wanted) {
    const int rank = messages::rank_in(audited_ranks());
    std::vector<MPI_Comm> made;
    std::optional<std::string> ends;
    // Overlapping groups and freed communicators leave different context numbers free on ranks.
    for (int k = 0; !ends && static_cast<int>(made.size()) < wanted; ++k) {
        end_if_interrupted(audited_ranks());
        const bool is_of_all = k % 2 == 0;
        MPI_Comm comm = MPI_COMM_NULL;
        under_test::arrive(0);
        under_test::enter();
        const int code = is_of_all
                             ? MPI_Comm_dup(audited_ranks(), &comm)
                             : MPI_Comm_split(audited_ranks(), (rank >> (k / 2 % 4)) & 1, 0, &comm);
        under_test::leave();
        const auto failure = text_of_lowest_rank(
            code == MPI_SUCCESS ? std::nullopt : std::optional(error_text(code)), audited_ranks());
        if (failure) {
            ends =
                fmt::format("{} fails beside {} communicators: {}",
                            is_of_all ? "MPI_Comm_dup" : "MPI_Comm_split", made.size(), *failure);
            if (comm == MPI_COMM_NULL) break;
        }
        made.push_back(comm);
        if (k % 5 == 4) {
            const auto old = made.begin() + static_cast<std::ptrdiff_t>(made.size() / 2);
            MPI_Comm_free(&*old);
            made.erase(old);
        }
    }
    under_test::finish();
    for (MPI_Comm& each : made) MPI_Comm_free(&each);
    return ends;
}

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
                    std::uint64_t memory_bytes, int calls, Tally& tally) {
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
    const auto attempt = [&](int i) {
        const Path& path = *applicable[static_cast<std::size_t>(i)];
        const Activity activity("verifying " + path.name + " on " + problem.id());
        if (!platform().time_stands_still) end_if_interrupted(audited_ranks());
        under_test::arrive(i);
        const Verified verified = verify_guarded(path, instance);
        refused[static_cast<std::size_t>(i)] = verified.refused;
        if (verified.wrong || verified.refused || calls == 0 || path.has_reference())
            return verified.wrong;
        return endure_calls(path, instance, calls, i);
    };
    const auto errors = simulation::attempt_each(names, attempt);
    for (std::size_t i = 0; i < applicable.size(); ++i) {
        ++(refused[i] ? tally.refused : errors[i] ? tally.wrong : tally.verified);
        if (refused[i] && environment.rank() == 0)
            say("refused by the MPI library: {} on {}: {}\n", applicable[i]->name, problem.id(),
                *refused[i]);
        if (errors[i] && environment.rank() == 0)
            say("WRONG {} on {}, root {}: {}\n", applicable[i]->name, problem.id(), problem.root,
                *errors[i]);
    }
}

}  // namespace

int verify_collectives(const RunOptions& given, const Environment& environment,
                       const OtherProducts& other_products) {
    for (const char* each : {"output", "resume", "order-seed"})
        if (given.is_given(each))
            throw UsageError("--{} belongs to the generated calls of --time: give --time", each);
    RunOptions options = given;
    // Each algorithm of the library is the right side of a guideline.
    const bool algorithms_only = !options.algorithms.empty();
    options.guidelines.clear();
    if (!algorithms_only) options.guidelines = {"all", "derived"};
    options.collectives.clear();
    const Inputs inputs = read_inputs(options, other_products.put_stand_ins);
    const std::unique_ptr<const RankNetwork> network = other_products.network(options.network);
    const Types types(options.element, options.op);
    set_ranks_per_node(options.node_size);
    const NodeSplit nodes = node_split(audited_ranks());
    const std::uint64_t memory_bytes =
        given.memory_bytes(examine_machine(Binding::none).memory_limit_bytes);
    std::vector<Path> paths = all_paths(inputs, algorithms_only);
    if (!given.collectives.empty()) keep_collectives_of(paths, given.collectives);
    Tally tally;
    const Watchdog watchdog(given.hang_limit_s(), exit_hang, audited_ranks());
    int signal = 0;
    const Problems problems(inputs, options, types, environment.ranks(), nodes);
    for (std::size_t i = 0; i < problems.size(); ++i) {
        try {
            verify_problem(problems.make(i), paths, environment, network.get(), memory_bytes,
                           given.calls, tally);
        } catch (const Interrupted& by) {
            signal = by.signal;
            break;
        }
    }
    if (signal == 0 && given.communicators > 0) {
        name_tested({"communicators", {"making communicators"}, {}});
        const auto limit = endure_communicators(given.communicators);
        tally.wrong += limit.has_value();
        if (environment.rank() == 0)
            say("{}\n", limit ? "WRONG " + *limit
                              : fmt::format("{} communicators at once", given.communicators));
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

}  // namespace mpiaudit
