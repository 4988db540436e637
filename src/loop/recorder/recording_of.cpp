// SPDX-License-Identifier: BSD-3-Clause
// Defines recording_of() of merged.h: turns the merged recordings of all ranks into the contents of
// problems.json.
#include <algorithm>
#include <set>
#include <tuple>

#include "recorder/merged.h"

namespace mpiaudit::recorder {
namespace {

using Problems = std::vector<MergedProblem>;

/// Identifies a collective on a group, whatever its sizes.
auto kind_of(const MergedProblem& problem) {
    return std::tuple(problem.collective, problem.mode, problem.group, problem.root,
                      problem.is_inter, problem.is_in_place);
}
using Kind = decltype(kind_of(MergedProblem{}));

/// Distributes the time of ranks that know no sizes over the problems that the root has recorded,
/// in proportion to the calls: these ranks do not know which of the root's problems a call belongs
/// to.
void give_to_roots(Problems& problems) {
    std::map<Kind, std::vector<MergedProblem*>> of_roots;
    for (MergedProblem& problem : problems)
        if (problem.known == KnownBytes::blocks && problem.root != Arguments::no_root)
            of_roots[kind_of(problem)].push_back(&problem);
    std::set<Kind> given;
    for (const MergedProblem& others : problems) {
        const auto found = of_roots.find(kind_of(others));
        if (others.known != KnownBytes::nothing || found == of_roots.end()) continue;
        given.insert(found->first);
        double calls = 0;
        for (const MergedProblem* each : found->second) calls += static_cast<double>(each->calls);
        for (MergedProblem* each : found->second) {
            const double share = static_cast<double>(each->calls) / calls;
            each->sum_s += share * others.sum_s;
            each->waiting_s += share * others.waiting_s;
            each->max_rank_s = std::max(each->max_rank_s, share * others.max_rank_s);
            each->min_rank_s = std::min(each->min_rank_s, share * others.min_rank_s);
            each->min_call_s = std::min(each->min_call_s, others.min_call_s);
        }
    }
    std::erase_if(problems, [&](const MergedProblem& each) {
        return each.known == KnownBytes::nothing && given.contains(kind_of(each));
    });
}

/// Returns whether the problem is an MPI_Alltoallv or MPI_Alltoallw.
bool is_of_rows(const MergedProblem& problem) {
    return problem.known == KnownBytes::row || problem.known == KnownBytes::rows;
}

/// Joins irregular MPI_Alltoallv and MPI_Alltoallw problems of a group into one. A rank with blocks
/// of one size does not know the blocks of other ranks: only if all ranks of the group made the
/// same number of such calls, the problem is regular.
void merge_irregular_rows(Problems& problems, const Merged& merged) {
    std::map<Kind, MergedProblem> irregular;
    const auto is_irregular = [&](MergedProblem& problem) {
        if (!is_of_rows(problem)) return false;
        const auto size = static_cast<std::int64_t>(merged.groups.at(problem.group).ranks.size());
        const bool is_regular = problem.known == KnownBytes::row && problem.ranks == size &&
                                problem.rank_calls == size * problem.calls;
        if (is_regular) return false;
        if (problem.known == KnownBytes::row) {
            problem.sent_bytes = problem.rank_calls * problem.bytes * size;
            problem.largest_bytes = problem.bytes;
            problem.partners = problem.bytes == 0 ? 0 : problem.rank_calls * size;
        }
        const auto [at, is_new] = irregular.emplace(kind_of(problem), problem);
        if (!is_new) {
            MergedProblem& sum = at->second;
            sum.max_rank_s += problem.max_rank_s;
            sum.min_rank_s += problem.min_rank_s;
            merge_into(sum, problem);
        }
        return true;
    };
    // Every problem is checked exactly once, in order.
    Problems regular;
    for (MergedProblem& problem : problems)
        if (!is_irregular(problem)) regular.push_back(std::move(problem));
    problems = std::move(regular);
    for (auto& [kind, problem] : irregular) {
        const auto size = static_cast<std::int64_t>(merged.groups.at(problem.group).ranks.size());
        problem.known = KnownBytes::rows;
        problem.calls = std::max<std::int64_t>(1, problem.rank_calls / size);
        // max_rank_s is a time of one rank, but the sum of several problems may exceed it.
        problem.max_rank_s = std::min(problem.max_rank_s, problem.sum_s);
        problems.push_back(problem);
    }
}

/// Returns what the ranks know about the sizes; all members empty if they know nothing.
application::Bytes bytes_of(const MergedProblem& problem) {
    application::Bytes bytes;
    switch (problem.known) {
        case KnownBytes::block:
        case KnownBytes::row:
            bytes.block = problem.bytes;
            break;
        case KnownBytes::blocks:
            bytes.blocks = problem.blocks;
            if (problem.blocks.empty()) bytes.summary = problem.summary;
            break;
        case KnownBytes::rows:
            bytes.rows = {
                static_cast<double>(problem.sent_bytes) / static_cast<double>(problem.rank_calls),
                problem.largest_bytes,
                static_cast<double>(problem.partners) / static_cast<double>(problem.rank_calls)};
            break;
        case KnownBytes::nothing:
            break;
    }
    return bytes;
}

/// Returns the kinds of memory in which most calls have their buffers. A buffer that no call has is
/// in the memory of the other one.
MemoryKinds kinds_of(const MergedProblem& problem) {
    const auto most = [](const std::vector<std::int64_t>& calls) -> std::optional<MemoryKind> {
        const auto found = std::ranges::max_element(calls);
        if (found == calls.end() || *found == 0) return std::nullopt;
        return static_cast<MemoryKind>(found - calls.begin());
    };
    const auto sent = most(problem.sent_in), received = most(problem.received_in);
    return {sent.value_or(received.value_or(MemoryKind::host)),
            received.value_or(sent.value_or(MemoryKind::host))};
}

application::Problem written(const MergedProblem& from, int group) {
    constexpr const char* modes[] = {"blocking", "nonblocking", "persistent"};
    application::Problem problem;
    problem.collective = "MPI_" + from.collective;
    problem.mode = modes[static_cast<int>(from.mode)];
    problem.group = group;
    if (from.root != Arguments::no_root) problem.root = from.root;
    problem.is_in_place = from.is_in_place || from.is_root_in_place;
    problem.is_inter = from.is_inter;
    if (from.is_reduction) problem.op = application::Operation{from.op, from.is_commutative};
    if (from.has_element) problem.element = from.element;
    problem.bytes = bytes_of(from);
    problem.calls = from.calls;
    problem.buffers =
        application::Buffers{from.rank_calls, from.same, from.untouched, kinds_of(from)};
    problem.seconds = {from.sum_s, from.max_rank_s, from.min_rank_s, from.min_call_s, {}, {}};
    if (problem.root) problem.seconds.root = from.root_s;
    if (session.is_synchronised) problem.seconds.waiting = from.waiting_s;
    return problem;
}

}  // namespace

application::Recording recording_of(const Merged& merged) {
    application::Recording recording;
    recording.library = session.library;
    recording.program = session.program;
    recording.ranks = session.ranks;
    recording.threads = session.threads;
    recording.wall_seconds = merged.wall_seconds;
    recording.delayed_seconds = std::max(0.0, merged.delayed_s);
    recording.is_synchronised = session.is_synchronised;
    recording.lost = merged.lost;
    for (const auto& [name, ranks] : merged.hosts) recording.hosts.push_back({name, ranks});
    // The largest group comes first, so that all ranks are mostly group 0.
    std::vector<std::pair<std::uint64_t, application::Group>> groups(merged.groups.begin(),
                                                                     merged.groups.end());
    std::ranges::sort(groups, {}, [](const auto& group) {
        return std::pair(-static_cast<std::int64_t>(group.second.ranks.size()), group.second.ranks);
    });
    std::map<std::uint64_t, int> places;
    for (const auto& [hash, group] : groups) {
        places[hash] = static_cast<int>(recording.groups.size());
        recording.groups.push_back(group);
    }
    Problems problems;
    for (const auto& [identity, problem] : merged.problems) problems.push_back(problem);
    give_to_roots(problems);
    merge_irregular_rows(problems, merged);
    for (const MergedProblem& problem : problems)
        recording.problems.push_back(written(problem, places.at(problem.group)));
    std::ranges::stable_sort(recording.problems, std::ranges::greater{},
                             [](const application::Problem& each) { return each.seconds.sum; });
    std::int64_t ranks = 0;
    for (const application::Host& host : recording.hosts)
        ranks += static_cast<std::int64_t>(host.ranks.size());
    for (const auto& [key, share] : merged.shares) {
        recording.shares.push_back(share);
        // A rank that never made the call spent no time in it.
        if (share.ranks < ranks) recording.shares.back().min_rank = 0;
    }
    std::ranges::stable_sort(recording.shares, std::ranges::greater{}, &application::Share::sum);
    return recording;
}

}  // namespace mpiaudit::recorder
