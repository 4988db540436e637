// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/recorded.h"

#include <algorithm>

namespace mpiaudit::recorder {
namespace {

/// Number of block sizes that a rank stores, 4 MiB in all; further blocks are only summed up.
constexpr std::size_t most_kept_blocks = (4U << 20) / sizeof(std::int64_t);
std::size_t kept_blocks = 0;

std::int64_t bytes_of(MPI_Datatype type) {
    const Predefined known = predefined_type(type);
    if (known.id != 0) return known.size;
    if (type == MPI_DATATYPE_NULL) return 0;
    return type_bytes(type);
}

/// Elements of a call as this rank knows them.
struct Elements {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    Counts counts;  ///< of all ranks, if this rank knows them
};

void set_block(Key& key, Elements& elements, std::int64_t count, MPI_Datatype type) {
    elements.type = type;
    key.known = KnownBytes::block;
    key.bytes = count * bytes_of(type);
}

/// Stores the sum and the hash of the blocks in the key, and refers to the counts in `elements`.
void set_blocks(Key& key, Elements& elements, Counts counts, MPI_Datatype type, int ranks) {
    elements = {type, counts};
    const std::int64_t size = bytes_of(type);
    // Four independent sums, so that the hash takes less time than a message.
    std::uint64_t lanes[4] = {1, 2, 3, 4};
    std::int64_t sum = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        const std::int64_t bytes = counts[static_cast<std::size_t>(rank)] * size;
        std::uint64_t& lane = lanes[rank & 3];
        lane = (lane ^ static_cast<std::uint64_t>(bytes)) * 0x9E3779B97F4A7C15U;
        lane ^= lane >> 32;
        sum += bytes;
    }
    key.known = KnownBytes::blocks;
    key.bytes = sum;
    for (const std::uint64_t lane : lanes)
        key.counts_hash = (key.counts_hash ^ lane) * 0xC2B2AE3D27D4EB4FU;
}

/// The bytes that a rank sends to all ranks.
struct Row {
    std::int64_t sum = 0, largest = 0, partners = 0;
};

/// Sets the key of MPI_Alltoallv or MPI_Alltoallw and returns the row of this rank.
/// \param types datatype for each rank; null: `type` for all ranks
Row set_row(Key& key, Elements& elements, Counts counts, MPI_Datatype type,
            const MPI_Datatype* types, int ranks) {
    elements.type = type;
    Row row;
    std::int64_t size = types == nullptr ? bytes_of(type) : 0, least = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        const auto at = static_cast<std::size_t>(rank);
        if (types != nullptr) size = counts[at] == 0 ? 0 : bytes_of(types[at]);
        const std::int64_t bytes = counts[at] * size;
        row.sum += bytes;
        row.largest = std::max(row.largest, bytes);
        least = rank == 0 ? bytes : std::min(least, bytes);
        row.partners += bytes != 0;
    }
    key.known = least == row.largest ? KnownBytes::row : KnownBytes::rows;
    if (key.known == KnownBytes::row) key.bytes = least;
    return row;
}

void set_bytes(Key& key, Elements& elements, Row& row, Shape shape, const Arguments& call,
               const Communicator& comm) {
    if (shape == Shape::rows || shape == Shape::rows_of_types) {
        const bool has_types = shape == Shape::rows_of_types;
        row = call.is_in_place() ? set_row(key, elements, call.recvcounts, call.recvtype,
                                           has_types ? call.recvtypes : nullptr, comm.size)
                                 : set_row(key, elements, call.sendcounts, call.sendtype,
                                           has_types ? call.sendtypes : nullptr, comm.size);
        return;
    }
    const Amount amount = amount_of(shape, call, call.root == comm.rank);
    if (amount.kind == Amount::Kind::block)
        set_block(key, elements, amount.count, amount.type);
    else if (amount.kind == Amount::Kind::blocks)
        set_blocks(key, elements, amount.counts, amount.type, comm.size);
    else
        key.known = KnownBytes::nothing;
}

/// Adds operator and type of a reduction to the key.
void set_operation(Key& key, const Arguments& call) {
    key.op = predefined_op(call.op).id;
    const Predefined type = predefined_type(call.datatype);
    key.type = type.id;
    key.element_bytes =
        static_cast<std::uint32_t>(type.id != 0 ? type.size : bytes_of(call.datatype));
    if (key.op != 0) [[likely]]
        return;
    int is_commutative = 0;
    PMPI_Op_commutative(call.op, &is_commutative);
    key.is_commutative = is_commutative != 0;
}

/// Returns the name, the sizes in bytes and the class of a type: predefined, contiguous or gapped.
application::Element described(MPI_Datatype type) {
    application::Element element;
    const Predefined known = predefined_type(type);
    element.name = known.id == 0 ? "derived" : type_name(known.id);
    MPI_Aint lower_bound = 0, extent = 0;
    PMPI_Type_get_extent(type, &lower_bound, &extent);
    element.size = type_bytes(type);
    element.extent = extent;
    element.kind = known.id != 0                                ? "predefined"
                   : extent == element.size && lower_bound == 0 ? "contiguous"
                                                                : "gapped";
    return element;
}

/// Adds details that are computed only once, when a problem is new.
void describe(Entry& entry, const Elements& elements, int ranks, bool is_reduction) {
    entry.is_reduction = is_reduction;
    if (elements.type != MPI_DATATYPE_NULL) {
        entry.element = described(elements.type);
        entry.has_element = true;
    }
    if (entry.key.known != KnownBytes::blocks) return;
    const auto blocks = static_cast<std::size_t>(ranks);
    const bool is_kept = kept_blocks + blocks <= most_kept_blocks;
    if (is_kept) kept_blocks += blocks;
    entry.summary.blocks = ranks;
    for (std::size_t rank = 0; rank < blocks; ++rank) {
        const std::int64_t bytes = elements.counts[rank] * entry.element.size;
        if (is_kept) entry.blocks.push_back(bytes);
        entry.summary.sum += bytes;
        entry.summary.largest = std::max(entry.summary.largest, bytes);
        entry.summary.zeros += bytes == 0;
    }
}

}  // namespace

Entry* entry_of(const char* collective, Shape shape, Mode mode, const Arguments& arguments) {
    if (arguments.comm == MPI_COMM_NULL) return nullptr;
    const Locked locked;
    const Communicator& comm = communicator_of(arguments.comm);
    Key key;
    key.collective = collective;
    key.mode = mode;
    key.group = comm.group;
    key.root = arguments.root;
    key.is_inter = comm.is_inter;
    const bool is_reduction = arguments.op != MPI_OP_NULL;
    const bool is_rooted = arguments.root != Arguments::no_root;
    Elements elements;
    Row row;
    if (comm.is_inter) {
        // The counts of an inter-communicator are for the other group, and its root differs between
        // ranks.
        key.known = KnownBytes::nothing;
        key.root = Arguments::no_root;
    } else {
        key.is_in_place = !is_rooted && arguments.is_in_place();
        set_bytes(key, elements, row, shape, arguments, comm);
        if (is_reduction) set_operation(key, arguments);
    }
    const std::uint64_t hash = hash_of(key);
    Entry* entry = session.table.find(key, hash);
    if (entry == nullptr) {
        entry = session.table.add(key, hash);
        if (entry == nullptr) return nullptr;
        describe(*entry, elements, comm.size, is_reduction && !comm.is_inter);
    }
    if (is_rooted && arguments.is_in_place()) entry->is_root_in_place = true;
    if (key.known == KnownBytes::rows) {
        entry->sent_bytes += row.sum;
        entry->largest_bytes = std::max(entry->largest_bytes, row.largest);
        entry->partners += row.partners;
    }
    return entry;
}

void add_call(Entry* entry, const Site& site, const Arguments& arguments, const CallTicks& ticks) {
    const Locked locked;
    // The counters of two cores may differ a little.
    const std::int64_t call_ticks = std::max<std::int64_t>(ticks.end - ticks.begin, 0);
    if (entry != nullptr) {
        const bool has_buffer = arguments.buffer != nullptr;
        entry->memory.add(has_buffer ? arguments.buffer : arguments.sendbuf, arguments.recvbuf,
                          entry->key.bytes, ticks.begin - ticks.waiting - entry->end_ticks);
        entry->end_ticks = ticks.end;
    }
    for (Totals* totals :
         {entry == nullptr ? &session.lost : &entry->totals, &session.sites[site]}) {
        totals->min_ticks =
            totals->calls == 0 ? call_ticks : std::min(totals->min_ticks, call_ticks);
        ++totals->calls;
        totals->ticks += call_ticks;
        totals->waiting_ticks += std::max<std::int64_t>(ticks.waiting, 0);
    }
}

}  // namespace mpiaudit::recorder
