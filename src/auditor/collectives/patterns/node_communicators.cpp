// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/patterns/node_communicators.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>

#include "collectives/patterns/replicate.h"
#include "messages/kept_with.h"

namespace mpiaudit {
namespace {

int given_ranks_per_node = 0;

/// Returns a hash of the processor name (FNV-1a), equal on ranks of one node.
std::uint64_t own_processor() {
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    std::uint64_t hash = 14695981039346656037U;
    for (const char each : std::string_view(name.data(), static_cast<std::size_t>(length)))
        hash = (hash ^ static_cast<unsigned char>(each)) * 1099511628211U;
    return hash;
}

/// Numbers the nodes in the order of their first ranks. `ranks_per_node` stays 0 unless all nodes
/// have an equal number of consecutive ranks.
NodeSplit split_of(const std::vector<std::uint64_t>& processors) {
    std::vector<std::uint64_t> different = processors;
    std::ranges::sort(different);
    different.erase(std::ranges::unique(different).begin(), different.end());
    NodeSplit split{static_cast<int>(different.size()), 0};
    std::map<std::uint64_t, int> numbers;
    for (const std::uint64_t each : processors)
        split.node_of_rank.push_back(
            numbers.try_emplace(each, static_cast<int>(numbers.size())).first->second);
    split.width = consecutive_ranks(split.node_of_rank);
    if (processors.size() % different.size() != 0) return split;
    const std::size_t ranks = processors.size() / different.size();
    for (std::size_t rank = 0; rank < processors.size(); ++rank)
        if (processors[rank] != processors[rank / ranks * ranks]) return split;
    split.ranks_per_node = static_cast<int>(ranks);
    return split;
}

/// Returns the nodes of the ranks: as the recorder of a trace or a test gives them, else by the
/// names of the processors. Collective.
NodeSplit find_split(MPI_Comm comm) {
    const int ranks = messages::size_of(comm);
    if (messages::recorder) {
        const int known = messages::recorder->ranks_per_node();
        return consecutive_nodes(known > 0 ? known : ranks, ranks);
    }
    if (given_ranks_per_node > 0) return consecutive_nodes(given_ranks_per_node, ranks);
    std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks));
    const Ranks here{comm};
    all[static_cast<std::size_t>(here.rank)] = own_processor();
    replicate_by_dissemination(Blocks::equal(all.data(), 1, MPI_UINT64_T, ranks), here);
    return split_of(all);
}

/// State kept with a communicator.
struct Split {
    bool is_known = false;
    NodeSplit value;
};

struct Communicators {
    NodeCommunicators values{MPI_COMM_NULL, MPI_COMM_NULL, 0, 0, 0, 0};
    OwnedComm node, lane;  ///< empty in a recorded call, whose communicators the recorder owns
};

MPI_Comm recorded(int first, int step, int count) {
    std::vector<int> members;
    for (int i = 0; i < count; ++i) members.push_back(first + i * step);
    return messages::recorder->communicator_of(members);
}

void make(Communicators& made, MPI_Comm comm) {
    const NodeSplit split = node_split(comm);
    const int rank = messages::rank_in(comm);
    NodeCommunicators& values = made.values;
    values.ranks_per_node = std::max(split.ranks_per_node, 1);
    values.nodes = messages::size_of(comm) / values.ranks_per_node;
    values.node_number = values.node_of(rank);
    values.place = values.place_of(rank);
    if (messages::recorder) {
        values.node = recorded(rank - values.place, 1, values.ranks_per_node);
        values.lane = recorded(values.place, values.ranks_per_node, values.nodes);
        return;
    }
    MPI_Comm_split(comm, values.node_number, rank, &values.node);
    MPI_Comm_split(comm, values.place, rank, &values.lane);
    made.node = OwnedComm{values.node};
    made.lane = OwnedComm{values.lane};
    // Creates their private communicators, too, so that no call has to.
    private_communicator(values.node);
    private_communicator(values.lane);
}

OwnedComm split_by(std::uint64_t color, MPI_Comm comm) {
    constexpr std::uint64_t colors = std::uint64_t{1} << 30U;
    MPI_Comm part{};
    MPI_Comm_split(comm, static_cast<int>(color % colors), 0, &part);
    return OwnedComm{part};
}

}  // namespace

OwnedComm ranks_of_processor(MPI_Comm comm) {
    const std::uint64_t processor = own_processor();
    // A color has too few bits for the hash: splits twice.
    return split_by(processor >> 32U, split_by(processor, comm).get());
}

void set_ranks_per_node(int ranks) {
    given_ranks_per_node = ranks;
}

int consecutive_ranks(std::span<const int> node_of_rank) {
    const auto width = static_cast<int>(std::ranges::count(node_of_rank, 0));
    for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank)
        if (width == 0 || node_of_rank[rank] != static_cast<int>(rank) / width) return 0;
    return width;
}

NodeSplit consecutive_nodes(int ranks_per_node, int ranks) {
    const int nodes = (ranks + ranks_per_node - 1) / ranks_per_node;
    if (nodes == 1) return {1, ranks};
    NodeSplit split{nodes, ranks % ranks_per_node == 0 ? ranks_per_node : 0};
    for (int rank = 0; rank < ranks; ++rank) split.node_of_rank.push_back(rank / ranks_per_node);
    split.width = ranks_per_node;
    return split;
}

void divide_into_nodes(MPI_Comm comm, int ranks_per_node) {
    kept_with<Split>(comm) = {true, consecutive_nodes(ranks_per_node, messages::size_of(comm))};
}

const NodeSplit& node_split(MPI_Comm comm) {
    auto& kept = kept_with<Split>(comm);
    if (!kept.is_known) kept = {true, find_split(comm)};
    return kept.value;
}

const NodeCommunicators& node_communicators(MPI_Comm comm) {
    auto& kept = kept_with<Communicators>(comm);
    if (kept.values.nodes == 0) make(kept, comm);
    return kept.values;
}

}  // namespace mpiaudit
