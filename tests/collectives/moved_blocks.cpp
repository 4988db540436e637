// SPDX-License-Identifier: BSD-3-Clause
#include "moved_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

#include "../recorded_calls.h"
#include "../world.h"
#include "messages/kept_with.h"
#include "messages/messages.h"
#include "messages/owned.h"

namespace mpiaudit::test {
namespace {

using enum Holding;

/// The arguments of functions that move blocks; arguments without meaning on a rank keep these
/// values.
struct Arguments {
    int root;
    MPI_Comm comm;
    const void* sendbuf = nullptr;
    void* recvbuf = nullptr;
    int sendcount = -1, recvcount = -1;
    const int *sendcounts = nullptr, *sdispls = nullptr;
    const int *recvcounts = nullptr, *rdispls = nullptr;
    MPI_Datatype sendtype = MPI_DATATYPE_NULL, recvtype = MPI_DATATYPE_NULL;
};

/// One side in the form of MPI_Alltoallw: displacements in bytes, and every other block is one
/// element of a type of its own.
struct WithTypes {
    WithTypes(const int element_counts[], const int displacements[], MPI_Datatype type, int ranks) {
        if (element_counts == nullptr) return;
        MPI_Aint lower_bound = 0, extent = 0;
        MPI_Type_get_extent(type, &lower_bound, &extent);
        for (int k = 0; k < ranks; ++k) {
            const bool is_whole = k % 2 == 1 && element_counts[k] > 0;
            counts.push_back(is_whole ? 1 : element_counts[k]);
            bytes.push_back(displacements[k] * static_cast<int>(extent));
            // Nobody looks at the type of no elements.
            types.push_back(element_counts[k] > 0 ? type : MPI_DATATYPE_NULL);
            if (!is_whole) continue;
            MPI_Type_contiguous(element_counts[k], type, &types.back());
            MPI_Type_commit(&types.back());
            owned.emplace_back(types.back());
        }
    }
    auto arguments(auto* buffer) const {
        return std::tuple{buffer, counts.data(), bytes.data(), types.data()};
    }
    std::vector<int> counts, bytes;
    std::vector<MPI_Datatype> types;
    std::vector<OwnedDatatype> owned;
};

int call(const Tested& tested, const Arguments& a) {
    const auto run = [&](auto* as, const auto&... parts) {
        return std::apply(reinterpret_cast<decltype(as)>(tested.function),
                          std::tuple_cat(parts...));
    };
    const std::tuple comm{a.comm};
    const std::tuple at_root{a.root, a.comm};
    const std::tuple block_sent{a.sendbuf, a.sendcount, a.sendtype};
    const std::tuple block_received{a.recvbuf, a.recvcount, a.recvtype};
    const std::tuple sent{a.sendbuf, a.sendcounts, a.sdispls, a.sendtype};
    const std::tuple received{a.recvbuf, a.recvcounts, a.rdispls, a.recvtype};
    const std::string_view name = tested.operation->name;
    if (name == "MPI_Gather") return run(&MPI_Gather, block_sent, block_received, at_root);
    if (name == "MPI_Gatherv") return run(&MPI_Gatherv, block_sent, received, at_root);
    if (name == "MPI_Scatter") return run(&MPI_Scatter, block_sent, block_received, at_root);
    if (name == "MPI_Scatterv") return run(&MPI_Scatterv, sent, block_received, at_root);
    if (name == "MPI_Allgather") return run(&MPI_Allgather, block_sent, block_received, comm);
    if (name == "MPI_Allgatherv") return run(&MPI_Allgatherv, block_sent, received, comm);
    if (name == "MPI_Alltoall") return run(&MPI_Alltoall, block_sent, block_received, comm);
    if (name == "MPI_Alltoallv") return run(&MPI_Alltoallv, sent, received, comm);
    if (name == "MPI_Alltoallw") {
        const int ranks = messages::size_of(a.comm);
        const WithTypes from(a.sendcounts, a.sdispls, a.sendtype, ranks);
        const WithTypes to(a.recvcounts, a.rdispls, a.recvtype, ranks);
        return run(&MPI_Alltoallw, from.arguments(a.sendbuf), to.arguments(a.recvbuf), comm);
    }
    ADD_FAILURE() << name << " moves no blocks that this test knows";
    return MPI_ERR_OTHER;
}

/// A rank without data may use any datatype, here one whose size divides few numbers. It still has
/// to pass on the data that others send through it.
MPI_Datatype type_without_data(const Side& side, int rank) {
    return rank % 3 == 0 ? side.type : rank % 3 == 1 ? MPI_DOUBLE : MPI_LONG_DOUBLE;
}

/// The part of one rank in a move.
class Part {
  public:
    Part(const Tested& tested, const Move& move, MPI_Comm comm)
        : operation_{*tested.operation},
          move_{move},
          rank_{messages::rank_in(comm)},
          ranks_{messages::size_of(comm)},
          comm_{comm} {
        const bool is_root = rank_ == move.root;
        const bool gives_all = operation_.from == outgoing || operation_.from == rooted;
        const bool takes_all = operation_.to != scattered;
        // The root of a scatter describes its blocks as that of a gather does.
        const bool is_scatter = operation_.from == rooted;
        const Described given =
            is_scatter ? move.kind->received_by(rank_) : move.kind->sent_by(rank_);
        const Described taken =
            is_scatter ? move.kind->sent_by(rank_) : move.kind->received_by(rank_);
        if (operation_.from != rooted || is_root)
            sent.emplace(given, gives_all ? all(true) : own(),
                         gives_all ? move.placing : Placing::contiguous);
        if (operation_.to != rooted || is_root)
            received.emplace(taken, takes_all ? all(false) : own(),
                             takes_all ? move.placing : Placing::contiguous);
        is_in_place_ = move.is_in_place && (is_root || !operation_.has_root());
        fill();
    }

    Arguments arguments() {
        Arguments a{move_.root, comm_};
        if (sent) {
            // A buffer of nothing may be none.
            a.sendbuf = std::ranges::max(sent->counts) > 0 ? sent->buffer.data() : nullptr;
            a.sendcount = sent->counts.front();
            a.sendcounts = sent->counts.data();
            a.sdispls = sent->displacements.data();
            a.sendtype = sent->type;
        }
        if (received) {
            a.recvbuf = std::ranges::max(received->counts) > 0 ? received->buffer.data() : nullptr;
            a.recvcount = received->counts.front();
            a.recvcounts = received->counts.data();
            a.rdispls = received->displacements.data();
            a.recvtype = received->type;
        }
        const bool is_gather = operation_.to == rooted, is_scatter = operation_.from == rooted;
        if (is_gather && a.sendcount == 0) a.sendtype = type_without_data(*sent, rank_);
        if (is_scatter && a.recvcount == 0) a.recvtype = type_without_data(*received, rank_);
        if (is_in_place_ && is_scatter) {
            a.recvbuf = MPI_IN_PLACE;
            a.recvcount = -1;
            a.recvtype = MPI_DATATYPE_NULL;
        } else if (is_in_place_) {
            a.sendbuf = MPI_IN_PLACE;
            a.sendcount = -1;
            a.sendcounts = a.sdispls = nullptr;
            a.sendtype = MPI_DATATYPE_NULL;
        }
        return a;
    }

    std::optional<Side> sent, received;
    std::optional<PatternBuffer> expected;

  private:
    std::vector<int> all(bool gives) const {
        std::vector<int> items;
        for (int other = 0; other < ranks_; ++other)
            items.push_back(operation_.from != outgoing ? move_.items(other, other)
                            : gives                     ? move_.items(rank_, other)
                                                        : move_.items(other, rank_));
        return items;
    }
    std::vector<int> own() const { return {move_.items(rank_, rank_)}; }

    /// Puts the block of a side that goes from one rank to another; where a block belongs to one
    /// rank, that is both.
    static void put(Side& side, PatternBuffer& buffer, std::size_t block, int from, int to) {
        buffer.put_block(side.displacements[block], side.counts[block], from, to);
    }
    void fill() {
        const bool exchanges = operation_.from == outgoing;
        const bool keeps_sent = is_in_place_ && operation_.from != rooted;
        for (std::size_t k = 0; sent && k < sent->counts.size(); ++k) {
            const int other =
                sent->counts.size() == 1 && operation_.from != rooted ? rank_ : static_cast<int>(k);
            if (!keeps_sent) put(*sent, sent->buffer, k, exchanges ? rank_ : other, other);
        }
        if (!received) return;
        expected = received->buffer;
        if (is_in_place_ && operation_.from == rooted) return;
        const bool is_own = operation_.to == scattered;
        for (std::size_t k = 0; k < received->counts.size(); ++k) {
            const int other = is_own ? rank_ : static_cast<int>(k);
            put(*received, *expected, k, other, exchanges ? rank_ : other);
            if (keeps_sent && exchanges) put(*received, received->buffer, k, rank_, other);
            if (keeps_sent && !exchanges && other == rank_)
                put(*received, received->buffer, k, rank_, rank_);
        }
    }

    const MpiOperation& operation_;
    const Move& move_;
    int rank_, ranks_;
    MPI_Comm comm_;
    bool is_in_place_;
};

}  // namespace

PatternBuffer::PatternBuffer(MPI_Datatype type, int elements) : type_{type} {
    MPI_Aint lower_bound = 0, true_lower_bound = 0, true_extent = 0;
    MPI_Type_get_extent(type, &lower_bound, &extent_);
    MPI_Type_get_true_extent(type, &true_lower_bound, &true_extent);
    const MPI_Aint bytes = elements * extent_ + true_lower_bound + true_extent + 2 * margin;
    static std::vector<unsigned char> pattern;
    while (pattern.size() < static_cast<std::size_t>(bytes))
        pattern.push_back(static_cast<unsigned char>(0xA5 + 31 * pattern.size()));
    bytes_.assign(pattern.begin(), pattern.begin() + bytes);
}

void PatternBuffer::put_block(int displacement, int count, int source, int destination) {
    int element_bytes = 0;
    MPI_Type_size(type_, &element_bytes);
    std::vector<unsigned char> packed(static_cast<std::size_t>(count * element_bytes));
    const unsigned ranks = static_cast<unsigned>(64 * source + destination + 1) * 2246822519U;
    for (std::size_t j = 0; j < packed.size(); ++j) {
        const unsigned mixed = static_cast<unsigned>(j + 1) * 2654435761U + ranks;
        packed[j] = static_cast<unsigned char>((mixed ^ (mixed >> 15)) * 2654435761U >> 24);
    }
    put(displacement, count, packed.data());
}

void PatternBuffer::put(int displacement, int count, const void* packed) {
    if (count == 0) return;
    int element_bytes = 0, position = 0;
    MPI_Type_size(type_, &element_bytes);
    // Ranks of one architecture pack data without conversion.
    MPI_Unpack(packed, count * element_bytes, &position,
               bytes_.data() + margin + displacement * extent_, count, type_, MPI_COMM_WORLD);
}

Side::Side(const Described& described, const std::vector<int>& items, Placing placing)
    : type{described.type}, displacements(items.size()), buffer(described.type, 0) {
    const bool is_reversed = placing == Placing::reversed || placing == Placing::reversed_with_gaps;
    const bool has_gaps = placing == Placing::with_gaps || placing == Placing::reversed_with_gaps;
    for (const int each : items) counts.push_back(each * described.elements);
    int next = has_gaps ? 2 : 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::size_t block = is_reversed ? items.size() - 1 - i : i;
        // The displacement of an empty block means nothing.
        displacements[block] = counts[block] == 0 ? -54321 : next;
        next += counts[block] + (has_gaps ? static_cast<int>(block % 3) : 0);
    }
    buffer = PatternBuffer(described.type, next);
}

std::string Move::text() const {
    constexpr const char* placings[] = {"contiguous", "with gaps", "reversed",
                                        "reversed with gaps"};
    std::string text =
        kind->name + ", " + distribution + ", root " + std::to_string(root) + ", items of rank";
    for (int rank = 0; rank < ranks_of_world(); ++rank)
        text += " " + std::to_string(items(rank, rank));
    return text + ", " + placings[static_cast<int>(placing)] + (is_in_place ? ", in place" : "");
}

std::function<int(int, int)> blocks_of(std::vector<int> items) {
    return
        [items = std::move(items)](int rank, int) { return items[static_cast<std::size_t>(rank)]; };
}

Tested::Tested(std::string of, std::string_view its_operation, Function its_function)
    : name{std::move(of)}, operation{find_mpi_operation(its_operation)}, function{its_function} {}

std::vector<Algorithm> rows_of(const std::vector<std::string_view>& operations) {
    std::vector<Algorithm> rows = algorithms();
    std::erase_if(rows, [&](const Algorithm& row) {
        return (row.traits & on_nodes) != 0 || std::ranges::count(operations, row.operation) == 0;
    });
    return rows;
}

const Algorithm& row_of(std::string_view name) {
    return *std::ranges::find(algorithms(), name, &Algorithm::name);
}

std::vector<Tested> algorithms_of(std::string_view operation, std::vector<Tested> more) {
    std::vector<Tested> all;
    for (const Algorithm& each : rows_of({operation}))
        all.emplace_back(each.name, operation, each.function);
    EXPECT_GE(all.size(), 4U) << operation;
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

void check(const Tested& tested, const Move& move, MPI_Comm comm) {
    Part part(tested, move, comm);
    const std::optional<Side> sent_before = part.sent;
    private_communicator(comm);  // stays with comm
    const OpenHandles before = open_handles;
    const int result = call(tested, part.arguments());
    if (open_handles != before) report_failure(tested.name + " keeps datatypes or requests", move);
    if (result != MPI_SUCCESS) report_failure(tested.name + " fails", move);
    if (part.received && part.received->buffer != part.expected)
        report_failure(tested.name + " receives wrongly", move);
    if (part.sent && part.sent->buffer != sent_before->buffer)
        report_failure(tested.name + " changes what it sends", move);
}

void report_failure(const std::string& what, const Move& move) {
    static int failures = 0;
    if (++failures <= 5)
        ADD_FAILURE() << what << ": " << move.text();
    else if (failures == 6)
        ADD_FAILURE() << "and more";
}

void expect_bcast(const Algorithm& algorithm, const ElementKind& kind, int count, int root,
                  MPI_Comm comm) {
    const MPI_Datatype type = kind.sender.type;
    PatternBuffer buffer{type, count};
    PatternBuffer expected = buffer;
    expected.put_block(0, count, root);
    if (messages::rank_in(comm) == root) buffer = expected;
    const auto bcast = reinterpret_cast<decltype(&MPI_Bcast)>(algorithm.function);
    EXPECT_EQ(bcast(count > 0 ? buffer.data() : nullptr, count, type, root, comm), MPI_SUCCESS);
    EXPECT_TRUE(buffer == expected)
        << algorithm.name << ", " << count << " of " << kind.name << ", root " << root;
}

std::vector<int> element_counts(int size) {
    if (size > 8) return {0, 1, 5, size, 100};
    return {0, 1, 2, 5, size, 100, 1000};
}

std::vector<int> roots(int size) {
    if (size > 5) return {0, 1, size / 2 + 1, size - 1};
    std::vector<int> all(static_cast<std::size_t>(size));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

bool has_unmatched_message() {
    MPI_Barrier(MPI_COMM_WORLD);
    int is_there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, private_communicator(MPI_COMM_WORLD), &is_there,
               MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);  // Before any rank sends.
    return is_there != 0;
}

}  // namespace mpiaudit::test
