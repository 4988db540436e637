// SPDX-License-Identifier: BSD-3-Clause
// Defines problems_file() of written.h.
#include <cmath>
#include <nlohmann/json.hpp>

#include "recording/written.h"
#include "text/json_text.h"

namespace mpiaudit::application {
namespace {

using Json = nlohmann::ordered_json;

/// Writes blocks as runs [how often, bytes] if this is shorter.
Json json_of(const std::vector<std::int64_t>& blocks) {
    Json runs = Json::array();
    for (std::size_t i = 0; i < blocks.size();) {
        std::size_t end = i;
        while (end < blocks.size() && blocks[end] == blocks[i]) ++end;
        runs.push_back({end - i, blocks[i]});
        i = end;
    }
    if (2 * runs.size() < blocks.size()) return Json{{"runs", runs}};
    return Json{{"exact", blocks}};
}

/// Returns null if nothing is known about the sizes.
Json json_of(const Bytes& bytes) {
    if (bytes.block) return Json{{"block", *bytes.block}};
    if (!bytes.blocks.empty()) return json_of(bytes.blocks);
    if (bytes.summary)
        return Json{{"sum", bytes.summary->sum},
                    {"largest", bytes.summary->largest},
                    {"zeros", bytes.summary->zeros},
                    {"blocks", bytes.summary->blocks}};
    if (bytes.rows)
        return Json{{"sent_mean", bytes.rows->sent_bytes},
                    {"largest", bytes.rows->largest_bytes},
                    {"partners_mean", bytes.rows->partners}};
    return nullptr;
}

Json json_of(const Operation& op) {
    if (!op.name.empty()) return op.name;
    return Json{{"user", true}, {"commutative", op.is_commutative}};
}

Json json_of(const Element& element) {
    return {{"name", element.name},
            {"size", element.size},
            {"extent", element.extent},
            {"class", element.kind}};
}

/// Rounds to nanoseconds; no clock is finer.
double to_nanoseconds(double seconds) {
    return std::round(seconds * 1e9) / 1e9;
}

Json json_of(const Seconds& seconds) {
    Json json{{"sum", to_nanoseconds(seconds.sum)},
              {"max_rank", to_nanoseconds(seconds.max_rank)},
              {"min_rank", to_nanoseconds(seconds.min_rank)},
              {"min_call", to_nanoseconds(seconds.min_call)}};
    if (seconds.root) json["root"] = to_nanoseconds(*seconds.root);
    if (seconds.waiting) json["waiting"] = to_nanoseconds(*seconds.waiting);
    return json;
}

Json json_of(const Problem& problem) {
    Json json{{"collective", problem.collective}, {"mode", problem.mode}, {"group", problem.group}};
    if (problem.root) json["root"] = *problem.root;
    if (problem.is_in_place) json["in_place"] = true;
    if (problem.is_inter) json["inter"] = true;
    if (problem.op) json["op"] = json_of(*problem.op);
    if (problem.element) json["element"] = json_of(*problem.element);
    const Json bytes = json_of(problem.bytes);
    if (!bytes.is_null()) json["bytes"] = bytes;
    json["calls"] = problem.calls;
    json["seconds"] = json_of(problem.seconds);
    if (problem.buffers)
        json["buffers"] = {{"calls", problem.buffers->calls},
                           {"same", problem.buffers->same},
                           {"untouched", problem.buffers->untouched}};
    if (problem.buffers && !problem.buffers->memory.are_host())
        json["buffers"]["memory"] = problem.buffers->memory.text();
    return json;
}

/// Names the rank with the least time only if all ranks have called here. Without synchronised
/// clocks, waiting times are left out.
Json json_of(const Share& share, int ranks, bool is_synchronised) {
    Json json = Json::object();
    if (!share.function.empty()) json["function"] = share.function;
    if (!share.object.empty()) {
        json["object"] = share.object;
        json["offset"] = share.offset;
    }
    if (!share.symbol.empty()) json["symbol"] = share.symbol;
    json["calls"] = share.calls;
    json["ranks"] = share.ranks;
    json["sum"] = to_nanoseconds(share.sum);
    json["max_rank"] = to_nanoseconds(share.max_rank);
    json["most_on"] = share.most_on;
    json["min_rank"] = to_nanoseconds(share.min_rank);
    if (share.ranks == ranks) json["least_on"] = share.least_on;
    if (is_synchronised) json["waiting"] = to_nanoseconds(share.waiting);
    return json;
}

/// Returns a JSON list with one element per line.
template <class Elements>
std::string lines_of(const char* name, const Elements& elements) {
    std::string text = ",\n \"" + std::string(name) + "\": [";
    const char* separator = "\n  ";
    for (const Json& element : elements) {
        text += separator + json_text(element);
        separator = ",\n  ";
    }
    return text + "]";
}

/// Returns ranks as 0-3,8.
std::string ranges_of(const Ranks& ranks) {
    std::string text;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t end = i + 1;
        while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
        if (i > 0) text += ',';
        text += std::to_string(ranks[i]);
        if (end > i + 1) text += '-' + std::to_string(ranks[end - 1]);
        i = end;
    }
    return text;
}

}  // namespace

std::string problems_file(const Recording& recording) {
    Json head{
        {"format", "mpiaudit-problems"},
        {"version", 1},
        {"library", recording.library},
        {"program", recording.program},
        {"ranks", recording.ranks},
        {"threads", recording.threads},
        {"wall_seconds", to_nanoseconds(recording.wall_seconds)},
        {"delayed_seconds", to_nanoseconds(recording.delayed_seconds)},
        {"synchronised", recording.is_synchronised},
        {"lost",
         {{"calls", recording.lost.calls}, {"seconds", to_nanoseconds(recording.lost.seconds)}}}};
    if (recording.part)
        head["part"] = {{"rank", recording.part->rank}, {"reason", recording.part->reason}};
    std::vector<Json> hosts, groups, problems, shares;
    for (const Host& host : recording.hosts)
        hosts.push_back({{"name", host.name}, {"ranks", ranges_of(host.ranks)}});
    for (const Group& group : recording.groups)
        groups.push_back({{"ranks", ranges_of(group.ranks)},
                          {"size", group.ranks.size()},
                          {"communicators", group.communicators}});
    for (const Problem& problem : recording.problems) problems.push_back(json_of(problem));
    for (const Share& share : recording.shares)
        shares.push_back(json_of(share, recording.ranks, recording.is_synchronised));
    std::string text = json_text(head, 1);
    text.erase(text.rfind('\n'));
    return text + lines_of("hosts", hosts) + lines_of("groups", groups) +
           lines_of("problems", problems) + (shares.empty() ? "" : lines_of("shares", shares)) +
           "\n}\n";
}

}  // namespace mpiaudit::application
