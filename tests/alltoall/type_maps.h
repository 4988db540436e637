// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "messages/owned.h"

namespace mpiaudit {

/// One basic entry of a type map.
struct TypeMapEntry {
    enum class Kind { int_entry, double_entry } kind;
    int offset_bytes;
};

/// A committed datatype and, written down independently of MPI, what it describes.
struct MappedType {
    OwnedDatatype type;
    std::vector<TypeMapEntry> entries;
    int extent_bytes;
};

/// `count` elements of a datatype as one side of a block.
struct MappedBlock {
    const MappedType* mapped;
    int count;
};

/// The two descriptions of one block, by the rank that sends and the rank that receives. Where
/// ranks alternate, odd ranks use the other description on each side, and so pass through blocks
/// that they describe in a third way.
struct TypePair {
    std::string name;
    MappedBlock send;
    MappedBlock receive;
    bool ranks_alternate = false;

    MappedBlock send_of(int rank) const { return ranks_alternate && rank % 2 ? receive : send; }
    MappedBlock receive_of(int rank) const { return ranks_alternate && rank % 2 ? send : receive; }
};

/// All pairs that the tests use, and their datatypes.
class TypePairs {
  public:
    TypePairs();
    auto begin() const { return pairs_.begin(); }
    auto end() const { return pairs_.end(); }

  private:
    std::deque<MappedType> types_;  ///< does not move what it holds
    std::vector<TypePair> pairs_;
};

/// Memory around an origin, on both sides of it, filled with a pattern that no value has.
class PoisonedBuffer {
  public:
    void* origin() { return memory_.data() + bytes_before; }
    /// Writes the value that (source, destination, position in the block) encodes to all positions
    /// of a block that starts `displacement` elements from the origin.
    void write(const MappedBlock& block, int displacement, int source, int destination);
    bool operator==(const PoisonedBuffer&) const = default;

  private:
    static constexpr int bytes_before = 1024;
    std::vector<std::byte> memory_ = std::vector<std::byte>(96 * 1024, std::byte{0xa5});
};

}  // namespace mpiaudit
