// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/datatypes/blocks_at_root.h"

#include <limits>
#include <vector>

#include "collectives/datatypes/signature.h"

namespace mpiaudit {
namespace {

/// Elements that follow each other in the buffer.
struct Run {
    MPI_Aint displacement;
    std::int64_t count;
};

OwnedDatatype indexed_type(std::span<const Run> runs, MPI_Datatype element, MPI_Aint extent) {
    std::vector<int> counts;
    std::vector<MPI_Aint> displacements_bytes;
    for (const Run& run : runs) {
        counts.push_back(static_cast<int>(run.count));
        displacements_bytes.push_back(run.displacement * extent);
    }
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(static_cast<int>(runs.size()), counts.data(),
                             displacements_bytes.data(), element, &type);
    MPI_Type_commit(&type);
    return OwnedDatatype(type);
}

}  // namespace

BlocksAtRoot BlocksAtRoot::irregular(const void* buffer, const int counts[],
                                     const int displacements[], MPI_Datatype type) {
    BlocksAtRoot blocks = regular(buffer, 0, type);
    blocks.counts_ = counts;
    blocks.displacements_ = displacements;
    return blocks;
}

BlocksAtRoot BlocksAtRoot::regular(const void* buffer, int count, MPI_Datatype type) {
    BlocksAtRoot blocks;
    blocks.buffer_ = buffer;
    blocks.regular_count_ = count;
    blocks.type_ = type;
    blocks.element_bytes_ = type_bytes(type);
    blocks.extent_ = type_extent(type);
    return blocks;
}

std::int64_t BlocksAtRoot::bytes(std::span<const RankRange> ranges) const {
    std::int64_t total = 0;
    for (const RankRange& range : ranges)
        for (int rank = range.first; rank <= range.last; ++rank) total += bytes(rank);
    return total;
}

TypedBuffer BlocksAtRoot::block(int rank) const {
    return {moved_by(buffer_, displacement(rank) * extent_), count(rank), type_};
}

TypedBuffer BlocksAtRoot::blocks(std::span<const RankRange> ranges) const {
    std::vector<Run> runs;
    for (const RankRange& range : ranges)
        for (int rank = range.first; rank <= range.last; ++rank) {
            if (count(rank) == 0) continue;
            const Run run{displacement(rank), count(rank)};
            const bool continues =
                !runs.empty() && runs.back().displacement + runs.back().count == run.displacement &&
                runs.back().count + run.count <= std::numeric_limits<int>::max();
            if (continues)
                runs.back().count += run.count;
            else
                runs.push_back(run);
        }
    if (runs.empty()) return {};
    if (runs.size() == 1)
        return {moved_by(buffer_, runs[0].displacement * extent_), static_cast<int>(runs[0].count),
                type_};
    OwnedDatatype indexed = indexed_type(runs, type_, extent_);
    const MPI_Datatype type = indexed.get();
    return {const_cast<void*>(buffer_), 1, type, std::move(indexed)};
}

}  // namespace mpiaudit
