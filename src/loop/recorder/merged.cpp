// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/merged.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "interposition/library.h"
#include "text/packed.h"

namespace mpiaudit {

MPIAUDIT_MEMBERS(application::Element, (name, size, extent, kind))
MPIAUDIT_MEMBERS(application::Summary, (sum, largest, zeros, blocks))
MPIAUDIT_MEMBERS(application::Group, (ranks, communicators))
MPIAUDIT_MEMBERS(application::Lost, (calls, seconds))
MPIAUDIT_MEMBERS(application::Share, (function, object, symbol, offset, calls, ranks, sum, max_rank,
                                      min_rank, waiting, most_on, least_on))

/// Packs the members that identify a problem on all ranks.
void pass_identity(auto& io, auto& problem) {
    MPIAUDIT_REQUIRED(io, problem, collective, op, type, mode, known, group, counts_hash, bytes,
                      root, element_bytes, is_in_place, is_inter, is_commutative, is_reduction)
}
template <>
constexpr auto members_of<recorder::MergedProblem> = [](auto& io, auto& problem) {
    pass_identity(io, problem);
    MPIAUDIT_REQUIRED(io, problem, has_element, is_root_in_place, element, blocks, summary, calls,
                      rank_calls, ranks, same, untouched, sent_in, received_in, sent_bytes,
                      largest_bytes, partners, sum_s, max_rank_s, min_rank_s, min_call_s, root_s,
                      waiting_s)
};

}  // namespace mpiaudit

namespace mpiaudit::recorder {
namespace {

/// Limit on the problems of all ranks together.
constexpr std::size_t most_merged = 100'000;

std::string identity_of(const MergedProblem& problem) {
    Packer packer;
    pass_identity(packer, problem);
    return std::move(packer.bytes);
}

/// Returns the seconds per tick, from the system clock and the counter over the whole run.
double seconds_per_tick() {
    const std::int64_t passed = ticks() - session.start_ticks;
    return passed <= 0 ? 1e-9
                       : 1e-9 * static_cast<double>(monotonic_ns() - session.start_ns) /
                             static_cast<double>(passed);
}

/// Converts an entry of this rank; ids become names, and ticks become seconds.
MergedProblem merged_of(const Entry& entry, double tick_s) {
    const Key& key = entry.key;
    const Group& group = session.groups[key.group];
    MergedProblem problem{key, entry, key.collective, key.op == 0 ? "" : op_name(key.op),
                          key.type == 0 ? "" : type_name(key.type)};
    problem.group = group.hash;
    problem.calls = problem.rank_calls = entry.totals.calls;
    problem.ranks = 1;
    problem.same = entry.memory.same;
    problem.untouched = entry.memory.untouched;
    problem.sent_in.assign(entry.memory.sent_in.begin(), entry.memory.sent_in.end());
    problem.received_in.assign(entry.memory.received_in.begin(), entry.memory.received_in.end());
    problem.sum_s = tick_s * static_cast<double>(entry.totals.ticks);
    problem.max_rank_s = problem.min_rank_s = problem.sum_s;
    problem.min_call_s = tick_s * static_cast<double>(entry.totals.min_ticks);
    problem.root_s = group.own_rank == key.root ? problem.sum_s : 0;
    problem.waiting_s = tick_s * static_cast<double>(entry.totals.waiting_ticks);
    return problem;
}

void lose(Merged& merged, const MergedProblem& problem) {
    merged.lost.calls += problem.rank_calls;
    merged.lost.seconds += problem.sum_s;
}

void add(MergedProblem& into, const MergedProblem& other) {
    into.is_root_in_place |= other.is_root_in_place;
    if (into.blocks.empty()) into.blocks = other.blocks;
    into.calls = std::max(into.calls, other.calls);
    into.ranks += other.ranks;
    into.max_rank_s = std::max(into.max_rank_s, other.max_rank_s);
    into.min_rank_s = std::min(into.min_rank_s, other.min_rank_s);
    merge_into(into, other);
}

void add(Merged& into, std::string identity, const MergedProblem& problem) {
    const auto found = into.problems.find(identity);
    if (found != into.problems.end())
        add(found->second, problem);
    else if (into.problems.size() < most_merged)
        into.problems.emplace(std::move(identity), problem);
    else
        lose(into, problem);
}

/// Describes a call site for addr2line: the file and the offset in it. A program at a fixed address
/// has the address itself as offset.
application::Share share_of(const Site& site, const Totals& totals, double tick_s) {
    application::Share share;
    share.function = site.function;
    Dl_info info{};
    const char* const address = static_cast<const char*>(site.address);
    if (address != nullptr && dladdr(address - 1, &info) != 0 && info.dli_fname != nullptr) {
        const auto* header = static_cast<const ElfW(Ehdr)*>(info.dli_fbase);
        const char* const base =
            header->e_type == ET_EXEC ? nullptr : static_cast<const char*>(info.dli_fbase);
        std::error_code failure;
        share.object = std::filesystem::canonical(info.dli_fname, failure);
        if (failure) share.object = session.program;
        share.offset =
            reinterpret_cast<std::intptr_t>(address) - reinterpret_cast<std::intptr_t>(base);
        if (info.dli_sname != nullptr) share.symbol = info.dli_sname;
    } else {
        share.object = "unknown";
    }
    share.calls = totals.calls;
    share.ranks = 1;
    share.sum = share.max_rank = share.min_rank = tick_s * static_cast<double>(totals.ticks);
    share.waiting = tick_s * static_cast<double>(totals.waiting_ticks);
    share.most_on = share.least_on = session.rank;
    return share;
}

/// Adds the times of a call site, either of the same rank or of other ranks.
void add(application::Share& into, const application::Share& other, bool is_same_rank) {
    into.calls += other.calls;
    into.sum += other.sum;
    into.waiting += other.waiting;
    if (is_same_rank) {
        into.max_rank = into.min_rank = into.sum;
        return;
    }
    into.ranks += other.ranks;
    if (other.max_rank > into.max_rank) {
        into.max_rank = other.max_rank;
        into.most_on = other.most_on;
    }
    if (other.min_rank < into.min_rank) {
        into.min_rank = other.min_rank;
        into.least_on = other.least_on;
    }
}

void add(Merged& into, const application::Share& share, bool is_same_rank) {
    const auto [at, is_new] = into.shares.try_emplace(
        {share.function, {share.object, share.symbol, share.offset}}, share);
    if (!is_new) add(at->second, share, is_same_rank);
}

/// Adds this rank's times by call site, by function, and in total.
void add_shares(Merged& merged, double tick_s) {
    for (const auto& [site, totals] : session.sites.all()) {
        application::Share share = share_of(site, totals, tick_s);
        add(merged, share, true);
        share.object = share.symbol = "";
        share.offset = 0;
        add(merged, share, true);
        share.function = "";
        add(merged, share, true);
    }
}

}  // namespace

void merge_into(MergedProblem& into, const MergedProblem& other) {
    into.rank_calls += other.rank_calls;
    into.same += other.same;
    into.untouched += other.untouched;
    for (std::size_t kind = 0; kind < into.sent_in.size(); ++kind) {
        into.sent_in[kind] += other.sent_in[kind];
        into.received_in[kind] += other.received_in[kind];
    }
    into.sent_bytes += other.sent_bytes;
    into.largest_bytes = std::max(into.largest_bytes, other.largest_bytes);
    into.partners += other.partners;
    into.sum_s += other.sum_s;
    into.min_call_s = std::min(into.min_call_s, other.min_call_s);
    into.root_s += other.root_s;
    into.waiting_s += other.waiting_s;
}

Merged own_records() {
    const double tick_s = seconds_per_tick();
    Merged merged;
    for (const Group& group : session.groups)
        merged.groups[group.hash] = {group.ranks, group.communicators};
    for (const Entry& entry : session.table.entries()) {
        if (entry.totals.calls == 0) continue;
        MergedProblem problem = merged_of(entry, tick_s);
        std::string identity = identity_of(problem);
        add(merged, std::move(identity), problem);
    }
    add_shares(merged, tick_s);
    merged.hosts[session.host] = {session.rank};
    merged.lost = {session.lost.calls, tick_s * static_cast<double>(session.lost.ticks)};
    merged.wall_seconds = 1e-9 * static_cast<double>(monotonic_ns() - session.start_ns);
    merged.delayed_s = 1e-9 * static_cast<double>(delay_ns() - session.start_delay_ns);
    return merged;
}

void merge(Merged& into, const Merged& other) {
    for (const auto& [identity, problem] : other.problems) add(into, identity, problem);
    for (const auto& [hash, group] : other.groups) {
        auto& known = into.groups[hash];
        if (known.ranks.empty()) known.ranks = group.ranks;
        known.communicators = std::max(known.communicators, group.communicators);
    }
    for (const auto& [name, ranks] : other.hosts) {
        auto& known = into.hosts[name];
        known.insert(known.end(), ranks.begin(), ranks.end());
    }
    for (const auto& [key, share] : other.shares) add(into, share, false);
    into.lost.calls += other.lost.calls;
    into.lost.seconds += other.lost.seconds;
    into.wall_seconds = std::max(into.wall_seconds, other.wall_seconds);
    into.delayed_s += other.delayed_s;
}

/// Returns the bytes of what this rank knows. Leaves out blocks that a lower rank of the group
/// packs.
std::string packed(const Merged& merged) {
    Packer packer;
    packer.put(merged.problems.size());
    for (const auto& [identity, problem] : merged.problems) {
        // All ranks have the same blocks; only the lowest rank of the group packs them.
        const auto& ranks = merged.groups.at(problem.group).ranks;
        if (problem.root == Arguments::no_root && ranks.front() < session.rank &&
            !problem.blocks.empty()) {
            MergedProblem without = problem;
            without.blocks.clear();
            packer.put(without);
        } else {
            packer.put(problem);
        }
    }
    packer.put(std::vector(merged.groups.begin(), merged.groups.end()));
    packer.put(std::vector(merged.hosts.begin(), merged.hosts.end()));
    packer.put(merged.shares.size());
    for (const auto& [key, share] : merged.shares) packer.put(share);
    packer.put(merged.lost);
    packer.put(merged.wall_seconds);
    packer.put(merged.delayed_s);
    return std::move(packer.bytes);
}

/// Reads what packed() wrote.
Merged unpacked(const std::string& text) {
    Unpacker unpacker(text);
    Merged merged;
    std::vector<MergedProblem> problems;
    std::vector<std::pair<std::uint64_t, application::Group>> groups;
    std::vector<std::pair<std::string, application::Ranks>> hosts;
    std::vector<application::Share> shares;
    unpacker.take(problems);
    unpacker.take(groups);
    unpacker.take(hosts);
    unpacker.take(shares);
    unpacker.take(merged.lost);
    unpacker.take(merged.wall_seconds);
    unpacker.take(merged.delayed_s);
    for (MergedProblem& each : problems) {
        std::string identity = identity_of(each);
        merged.problems.emplace(std::move(identity), std::move(each));
    }
    merged.groups = {groups.begin(), groups.end()};
    merged.hosts = {hosts.begin(), hosts.end()};
    for (const application::Share& each : shares) add(merged, each, false);
    return merged;
}

}  // namespace mpiaudit::recorder
