// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "application/recording.h"
#include "interposition/arguments.h"

namespace mpiaudit::recorder {

using namespace interposition;

/// What one rank knows of the bytes of a problem.
enum class Known : std::uint8_t {
    block,   ///< the size of each block, or of the vector
    blocks,  ///< of all blocks
    row,     ///< of what it sends to each: the same to all
    rows,    ///< the same, of different sizes: all such problems of a group are one
    nothing  ///< there is none, or only the root knows
};

/// What makes two calls the same problem: the same on all ranks of a communicator as far as MPI
/// promises that. Bytes, as counts and types may differ between the ranks of a call.
struct Same {
    std::uint64_t counts_hash = 0;  ///< of the bytes of all blocks
    std::int64_t bytes = 0;         ///< of a block or vector, or of all blocks
    std::int32_t root = 0;
    std::uint32_t element_bytes = 0;  ///< of a reduction
    Mode mode{};
    Known known{};
    bool is_in_place = false;  ///< where all ranks say so together
    bool is_commutative = true;
    bool is_inter = false;

    bool operator==(const Same&) const = default;
};

/// With what this process has numbers or addresses for.
struct Key : Same {
    const char* collective = nullptr;  ///< Gatherv; of a literal, one for each name
    std::uint32_t group = 0;           ///< index of the groups of this process
    std::uint16_t type = 0;            ///< of a reduction, if it is predefined
    std::uint16_t op = 0;              ///< of a reduction, if it is predefined

    bool operator==(const Key&) const = default;
};

std::uint64_t hash_of(const Key& key);

struct Totals {
    std::int64_t calls = 0;
    std::int64_t ticks = 0;
    std::int64_t min_ticks = 0;
    std::int64_t waiting_ticks = 0;
};

/// A call in the application's code.
struct Site {
    const char* function = nullptr;  ///< MPI_Iallreduce; of a literal, one for each name
    const void* address = nullptr;   ///< behind the call; null where there are too many sites

    bool operator==(const Site&) const = default;
};

/// What is called from where.
class Sites {
  public:
    Totals& operator[](Site site);
    /// Those that have been called.
    std::vector<std::pair<Site, Totals>> all() const;

  private:
    static constexpr std::size_t slots = 4096;  ///< at most half of them taken, but for the rest
    std::vector<std::pair<Site, Totals>> table_{slots};
    std::size_t taken_ = 0;
};

/// What is known of a problem besides.
struct Described {
    application::Element element;
    bool has_element = false;
    bool is_reduction = false;
    bool is_root_in_place = false;
    std::vector<std::int64_t> blocks;  ///< bytes; empty when they are too many
    application::Summary summary;      ///< of them
    std::int64_t sent_bytes = 0, largest_bytes = 0, partners = 0;  ///< of rows, over calls
};

/// The memory of the calls of a problem, by its addresses: who writes there meanwhile nobody sees.
class Memory {
  public:
    /// \param idle_ticks since the call of the problem before
    void add(const void* sent, const void* received, std::int64_t bytes, std::int64_t idle_ticks);

    std::int64_t same = 0;  ///< calls with the addresses of one of the last four calls
    /// Calls among these that came too soon for the program to have passed through the data.
    std::int64_t untouched = 0;

  private:
    std::array<std::pair<const void*, const void*>, 4> last_{};
    std::size_t next_ = 0;
};

/// A problem of this rank.
struct Entry : Described {
    Key key;
    Totals totals;
    Memory memory;
    std::int64_t end_ticks = 0;  ///< of the last call
};

/// The problems of one rank.
class Table {
  public:
    explicit Table(std::size_t most) : most_(most), slots_(1024, nullptr) {}

    /// The entry of that key, or null when there is none.
    Entry* find(const Key& key, std::uint64_t hash) const {
        for (std::size_t at = hash & (slots_.size() - 1); slots_[at] != nullptr;
             at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at]->key == key) return slots_[at];
        }
        return nullptr;
    }
    /// A new one, which stays where it is; null when there are too many.
    Entry* add(const Key& key, std::uint64_t hash);

    const std::deque<Entry>& entries() const { return entries_; }

  private:
    void place(Entry* entry, std::uint64_t hash);
    void grow();

    std::size_t most_;
    std::deque<Entry> entries_;
    std::vector<Entry*> slots_;  ///< a power of two of them, at most half of which are taken
};

}  // namespace mpiaudit::recorder
