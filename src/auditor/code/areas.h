// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "code/recorded_steps.h"
#include "code/runs.h"

namespace mpiaudit {

/// The numbers of the buffers of a rank: what the call gets, its result, all memory, and the first
/// temporary buffer.
struct BufferNumber {
    static constexpr int in = 0, out = 1, all = 2, temporary = 3;
};
/// The numbers of the types of a rank: elements, bytes, and the first type that is made.
struct TypeNumber {
    static constexpr int element = 0, byte = 1, made = 2;
};

/// Memory of a rank, from one address to another.
struct Area {
    std::uintptr_t begin, end;
    int buffer;
    bool holds(std::uintptr_t address) const { return begin <= address && address < end; }
};

/// A part of a buffer, as columns of a row.
struct Piece {
    int buffer = BufferNumber::in;
    std::int64_t at = 0, count = 0;
    int type = TypeNumber::element;
    auto operator<=>(const Piece&) const = default;
};

/// The memory that a rank uses in a recorded call, as buffers of a program.
class Areas {
  public:
    /// \param known what the call gets and its result
    Areas(std::vector<Area> known, const std::vector<RecordedStep>& steps,
          const ElementType& element);

    Piece piece_of(const Run& run) const;
    /// Returns the bytes of each temporary buffer.
    const std::vector<std::int64_t>& temporary() const { return temporary_; }

  private:
    const Area* find(std::uintptr_t address) const;
    std::uintptr_t end_of(const Run& run) const {
        return run.address + static_cast<std::uintptr_t>(element_.bytes(run));
    }
    void add(const Run& run);
    /// Adds memory that the algorithm owns in another way: each stretch that is used.
    void add_joined(std::vector<Run> runs);

    std::vector<Area> all_;
    ElementType element_;
    std::vector<std::int64_t> temporary_;
};

}  // namespace mpiaudit
