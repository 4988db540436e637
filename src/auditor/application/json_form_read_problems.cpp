// SPDX-License-Identifier: BSD-3-Clause
// Defines parse_problems() of recording.h.
#include <array>
#include <charconv>
#include <limits>
#include <stdexcept>

#include "application/recording.h"
#include "text/exit_code.h"
#include "text/json_text.h"

namespace mpiaudit::application {
namespace {

using Type = LocatedJson::Type;

// Limits on ranks and bytes: more than any machine has, and small enough that sums do not overflow.
constexpr std::int64_t most_ranks = std::int64_t{1} << 22;
constexpr std::int64_t most_bytes = std::int64_t{1} << 40;

/// Limits the numbers that a file expands to: short texts can stand for many ranks and blocks.
class Capacity {
  public:
    void take(std::size_t numbers, const LocatedJson& from) {
        if (numbers > left_)
            from.refuse("makes the file too large: it has more than 2^26 ranks and blocks");
        left_ -= numbers;
    }

  private:
    std::size_t left_ = std::size_t{1} << 26;
};

int rank_in(const LocatedJson& from, std::string_view text, int ranks) {
    int rank = -1;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), rank);
    if (failure != std::errc{} || end != text.data() + text.size() || rank < 0 || rank >= ranks)
        from.refuse("must be ranks below " + std::to_string(ranks) + " as in 0-3,8");
    return rank;
}

/// Reads ranks written as 0-3,8. Refuses more than `most` ranks.
Ranks ranks_of(const LocatedJson& from, int ranks, std::size_t most) {
    const std::string written = from.text();
    std::string_view left = written;
    Ranks read;
    while (!left.empty()) {
        const std::string_view range = left.substr(0, left.find(','));
        left.remove_prefix(std::min(left.size(), range.size() + 1));
        const std::size_t dash = range.find('-');
        const int first = rank_in(from, range.substr(0, dash), ranks);
        const int last = dash == range.npos ? first : rank_in(from, range.substr(dash + 1), ranks);
        if (last < first || read.size() + static_cast<std::size_t>(last - first) >= most)
            from.refuse("has more than " + std::to_string(most) +
                        " ranks, or a range that runs backwards");
        for (int rank = first; rank <= last; ++rank) read.push_back(rank);
    }
    return read;
}

/// Reads a group. Refuses the group if `size` is not the number of its ranks.
Group group_of(const LocatedJson& from, int ranks, Capacity& capacity) {
    const auto size = static_cast<std::size_t>(from.at("size").integer(1, ranks));
    capacity.take(size, from);
    Group group{ranks_of(from.at("ranks"), ranks, size), from.at("communicators").integer(0)};
    if (group.ranks.size() != size)
        from.at("size").refuse("is not the number of its ranks, " +
                               std::to_string(group.ranks.size()));
    return group;
}

/// Reads an operator: a text names a predefined one, which commutes; an object describes one of the
/// application.
Operation operation_of(const LocatedJson& from) {
    if (from.is(Type::text)) return {from.text(), true};
    return {"", from.at("commutative").boolean()};
}

/// Reads a type; the member `class` of the file is `kind` here.
Element element_of(const LocatedJson& from) {
    constexpr std::array<std::string_view, 3> kinds = {"predefined", "contiguous", "gapped"};
    return {from.at("name").text(), from.at("size").integer(0),
            from.at("extent").integer(std::numeric_limits<std::int64_t>::min()),
            std::string(kinds[from.at("class").choice(kinds)])};
}

std::vector<std::int64_t> blocks_of_runs(const LocatedJson& from, std::size_t most) {
    std::vector<std::int64_t> blocks;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const LocatedJson run = from.element(i);
        if (run.size() != 2) run.refuse("must be [number of blocks, bytes]");
        const auto times = static_cast<std::size_t>(
            run.element(0).integer(1, static_cast<std::int64_t>(most - blocks.size())));
        blocks.insert(blocks.end(), times, run.element(1).integer(0, most_bytes));
    }
    return blocks;
}

/// Reads one of five descriptions of sizes. Refuses a number of blocks that is not the number of
/// ranks.
Bytes bytes_of(const LocatedJson& from, std::size_t ranks, Capacity& capacity) {
    Bytes bytes;
    if (const auto block = from.find("block")) {
        bytes.block = block->integer(0, most_bytes);
    } else if (const auto runs = from.find("runs")) {
        capacity.take(ranks, from);
        bytes.blocks = blocks_of_runs(*runs, ranks);
    } else if (const auto exact = from.find("exact")) {
        bytes.blocks =
            exact->list([](const LocatedJson& each) { return each.integer(0, most_bytes); });
    } else if (from.contains("sum")) {
        bytes.summary = {from.at("sum").integer(0), from.at("largest").integer(0),
                         from.at("zeros").integer(0), from.at("blocks").integer(0)};
    } else {
        bytes.rows = {from.at("sent_mean").number(0), from.at("largest").integer(0),
                      from.at("partners_mean").number(0)};
    }
    const bool has_blocks = !bytes.block && !bytes.summary && !bytes.rows;
    if (has_blocks && bytes.blocks.size() != ranks)
        from.refuse("has " + std::to_string(bytes.blocks.size()) + " blocks for a group of " +
                    std::to_string(ranks));
    return bytes;
}

Seconds seconds_of(const LocatedJson& from) {
    Seconds seconds{from.at("sum").number(0),
                    from.at("max_rank").number(0),
                    from.at("min_rank").number(0),
                    from.at("min_call").number(0),
                    {},
                    {}};
    if (const auto root = from.find("root")) seconds.root = root->number(0);
    if (const auto waiting = from.find("waiting")) seconds.waiting = waiting->number(0);
    return seconds;
}

MemoryKinds memory_of(const LocatedJson& from) {
    try {
        return MemoryKinds::read(from.text());
    } catch (const std::invalid_argument&) {
        from.refuse("is no value of --memory-kind");
    }
}

Problem problem_of(const LocatedJson& from, const std::vector<Group>& groups, Capacity& capacity) {
    constexpr std::array<std::string_view, 3> modes = {"blocking", "nonblocking", "persistent"};
    Problem problem;
    problem.collective = from.at("collective").text();
    problem.mode = modes[from.at("mode").choice(modes)];
    if (groups.empty()) from.refuse("needs a group, but there are no groups");
    problem.group =
        static_cast<int>(from.at("group").integer(0, static_cast<std::int64_t>(groups.size()) - 1));
    const std::size_t ranks = groups[static_cast<std::size_t>(problem.group)].ranks.size();
    problem.is_inter = from.contains("inter");
    if (const auto root = from.find("root")) {
        const auto last = static_cast<std::int64_t>(ranks) - 1;
        // The root of an inter-communicator is a rank of the other group, MPI_ROOT or
        // MPI_PROC_NULL.
        problem.root =
            static_cast<int>(problem.is_inter ? root->integer(std::numeric_limits<int>::min(),
                                                              std::numeric_limits<int>::max())
                                              : root->integer(0, last));
    }
    problem.is_in_place = from.contains("in_place");
    if (const auto op = from.find("op")) problem.op = operation_of(*op);
    if (const auto element = from.find("element")) problem.element = element_of(*element);
    if (const auto bytes = from.find("bytes")) problem.bytes = bytes_of(*bytes, ranks, capacity);
    problem.calls = from.at("calls").integer(0);
    problem.seconds = seconds_of(from.at("seconds"));
    if (const auto buffers = from.find("buffers")) {
        if (const auto memory = buffers->find("memory"))
            problem.buffers = Buffers{.memory = memory_of(*memory)};
    }
    return problem;
}

void require_known_format(const LocatedJson& file) {
    if (!file.is(Type::object) || !file.contains("format") ||
        !file.at("format").is("mpiaudit-problems"))
        throw std::invalid_argument(
            "is no file of `mpiaudit record`: its format is not mpiaudit-problems");
    if (file.at("version").integer(0) != 1)
        file.at("version").refuse("is " + file.at("version").dump() +
                                  ", this version of mpiaudit reads 1");
}

Recording recording_of(const LocatedJson& file) {
    require_known_format(file);
    Recording recording;
    recording.library = file.at("library").text();
    recording.program = file.at("program").text();
    recording.ranks = static_cast<int>(file.at("ranks").integer(1, most_ranks));
    recording.threads = file.at("threads").text();
    recording.wall_seconds = file.at("wall_seconds").number(0);
    recording.is_synchronised = file.at("synchronised").boolean();
    if (const auto part = file.find("part"))
        recording.part = {static_cast<int>(part->at("rank").integer(0, recording.ranks - 1)),
                          part->at("reason").text()};
    const LocatedJson lost = file.at("lost");
    recording.lost = {lost.at("calls").integer(0), lost.at("seconds").number(0)};
    const auto all = static_cast<std::size_t>(recording.ranks);
    Capacity capacity;
    recording.hosts = file.at("hosts").list([&](const LocatedJson& each) {
        Host host{each.at("name").text(), ranks_of(each.at("ranks"), recording.ranks, all)};
        capacity.take(host.ranks.size(), each);
        return host;
    });
    recording.groups = file.at("groups").list(
        [&](const LocatedJson& each) { return group_of(each, recording.ranks, capacity); });
    recording.problems = file.at("problems").list([&](const LocatedJson& each) {
        return problem_of(each, recording.groups, capacity);
    });
    return recording;
}

}  // namespace

Recording parse_problems(const std::string& text, const std::string& origin) {
    const JsonDocument document(text, origin);
    return in_file(origin, [&] { return recording_of(document.root()); });
}

}  // namespace mpiaudit::application
