// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/call/blocks.h"

#include <cstring>
#include <vector>

#include "messages/messages.h"

namespace mpiaudit {
namespace {

bool fits_int(std::int64_t count) {
    return count <= std::numeric_limits<int>::max();
}

}  // namespace

Blocks::Blocks(const void* buffer, MPI_Datatype type, int blocks)
    : buffer_{const_cast<void*>(buffer)},
      type_{type},
      extent_bytes_{type_extent(type)},
      type_bytes_{type_bytes(type)},
      blocks_{blocks} {}

Blocks Blocks::equal(const void* buffer, int count, MPI_Datatype type, int blocks) {
    Blocks made{buffer, type, blocks};
    made.quotient_ = count;
    return made;
}

Blocks Blocks::split(const void* buffer, int count, MPI_Datatype type, int blocks) {
    Blocks made{buffer, type, blocks};
    made.quotient_ = count / blocks;
    made.remainder_ = count % blocks;
    return made;
}

Blocks Blocks::consecutive(const void* buffer, std::span<const std::int64_t> begins,
                           MPI_Datatype type) {
    Blocks made{buffer, type, static_cast<int>(begins.size()) - 1};
    made.begins_ = begins.data();
    return made;
}

Blocks Blocks::irregular(const void* buffer, const int counts[], const int displacements[],
                         MPI_Datatype type, int blocks) {
    Blocks made{buffer, type, blocks};
    made.counts_ = counts;
    made.displacements_ = displacements;
    return made;
}

Blocks Blocks::of_types(const void* buffer, const int counts[], const int displacements[],
                        const MPI_Datatype types[], int blocks) {
    Blocks made = irregular(buffer, counts, displacements, MPI_BYTE, blocks);
    made.types_ = types;
    return made;
}

const void* Blocks::data() const {
    for (int block = 0; messages::device_memory && block < blocks_; ++block)
        if (bytes(block) > 0)
            return displaced(at(block), data_range(count(block), type(block)).begin);
    return nullptr;
}

std::int64_t Blocks::bytes_of_type(int block) const {
    return type_bytes(type(block));
}

Blocks Blocks::with_buffer(const void* buffer) const {
    Blocks others = *this;
    others.buffer_ = const_cast<void*>(buffer);
    return others;
}

std::int64_t Blocks::bytes(int first, int n) const {
    if (!displacements_ && first + n <= blocks_)
        return (begin(first + n) - begin(first)) * type_bytes_;
    std::int64_t total = 0;
    for (int i = first; i < first + n; ++i) total += bytes(i % blocks_);
    return total;
}

TypedBuffer Blocks::elements(std::int64_t begin, std::int64_t count) const {
    return {displaced(buffer_, begin * extent_bytes_), static_cast<int>(count), type_};
}

Blocks::Row Blocks::row_of(int first, int n) const {
    if (!displacements_) return {true, begin(first), begin(first + n) - begin(first)};
    Row row{true, 0, 0};
    for (int block = first; block < first + n; ++block) {
        // A block without data may have any displacement.
        if (bytes(block) == 0) continue;
        if (row.count == 0) row.begin = begin(block);
        row.is_one = row.is_one && begin(block) == row.begin + row.count;
        row.count += count(block);
    }
    return row;
}

TypedBuffer Blocks::message(int first, int n) const {
    first %= blocks_;
    if (first + n <= blocks_) {
        const Row row = row_of(first, n);
        if (row.is_one && fits_int(row.count)) return elements(row.begin, row.count);
    }
    std::vector<int> blocks;
    for (int i = first; i < first + n; ++i) blocks.push_back(i % blocks_);
    return message(blocks);
}

TypedBuffer Blocks::message(std::span<const int> blocks) const {
    std::vector<int> lengths;
    std::vector<std::int64_t> begins;
    for (const int block : blocks) {
        if (bytes(block) == 0) continue;
        if (!begins.empty() && begins.back() + lengths.back() == begin(block) &&
            fits_int(std::int64_t{lengths.back()} + count(block))) {
            lengths.back() += count(block);
        } else {
            lengths.push_back(count(block));
            begins.push_back(begin(block));
        }
    }
    if (begins.empty()) return {buffer_, 0, type_};
    if (begins.size() == 1) return elements(begins.front(), lengths.front());
    std::vector<MPI_Aint> places;
    for (const std::int64_t begin : begins) places.push_back(begin * extent_bytes_);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(static_cast<int>(places.size()), lengths.data(), places.data(), type_,
                             &made);
    MPI_Type_commit(&made);
    return {buffer_, 1, made, OwnedDatatype{made}};
}

namespace {

void copy_bytes(const TypedBuffer& from, const TypedBuffer& to, const ByteRange& range) {
    if (range.bytes() > 0)
        messages::copy(displaced(to.address, range.begin), displaced(from.address, range.begin),
                       static_cast<std::size_t>(range.bytes()));
}

}  // namespace

void copy_locally(const TypedBuffer& from, const TypedBuffer& to, const Ranks& ranks) {
    const bool is_one_type = from.type == to.type;
    if (is_one_type && is_gapless(to.type))
        copy_bytes(from, to, data_range(from.count, from.type));
    else if (!is_one_type && is_dense(from.type) && is_dense(to.type))
        copy_bytes(from, to, {0, from.count * type_bytes(from.type)});
    else if (from.count > 0)
        sendrecv_self(from, to, ranks);
}

void pack(const TypedBuffer& from, std::span<std::byte> packed, int& position, const Ranks& ranks) {
    if (from.count == 0) return;
    if (!messages::recorder && is_dense(from.type)) {
        const auto bytes = static_cast<std::size_t>(from.count * type_bytes(from.type));
        messages::copy(&packed[static_cast<std::size_t>(position)], from.address, bytes);
        position += static_cast<int>(bytes);
        return;
    }
    messages::pack(from.address, from.count, from.type, packed.data(),
                   static_cast<int>(packed.size()), &position, ranks.comm);
}

void unpack(std::span<const std::byte> packed, int& position, const TypedBuffer& to,
            const Ranks& ranks) {
    if (to.count == 0) return;
    if (!messages::recorder && is_dense(to.type)) {
        const auto bytes = static_cast<std::size_t>(to.count * type_bytes(to.type));
        messages::copy(to.address, &packed[static_cast<std::size_t>(position)], bytes);
        position += static_cast<int>(bytes);
        return;
    }
    messages::unpack(packed.data(), static_cast<int>(packed.size()), &position, to.address,
                     to.count, to.type, ranks.comm);
}

void sendrecv_self(const TypedBuffer& from, const TypedBuffer& to, const Ranks& ranks) {
    ranks.exchange(from, ranks.rank, to, ranks.rank, Tag::local_copy);
}

}  // namespace mpiaudit
