// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "application/recording.h"
#include "interposition/arguments.h"
#include "memory/memory_kind.h"

namespace mpiaudit::recorder {

using namespace interposition;

/// Knowledge of one rank about the bytes of a problem.
enum class KnownBytes : std::uint8_t {
    block,   ///< the size of each block, or of the vector
    blocks,  ///< the sizes of all blocks
    row,     ///< its blocks for all ranks, which have one size
    rows,    ///< its blocks for all ranks, of different sizes: all such calls of a group are one
             ///< problem
    nothing  ///< no data, or only the root knows the sizes
};

/// Identifies a problem: equal on all ranks of a call as far as MPI guarantees it. Sizes are in
/// bytes, as counts and types may differ between the ranks.
struct ProblemKey {
    std::uint64_t counts_hash = 0;  ///< hash of the bytes of all blocks
    std::int64_t bytes = 0;         ///< bytes of a block or vector, or of all blocks together
    std::int32_t root = 0;
    std::uint32_t element_bytes = 0;  ///< size of the type of a reduction
    Mode mode{};
    KnownBytes known{};
    bool is_in_place = false;  ///< all ranks pass MPI_IN_PLACE
    bool is_commutative = true;
    bool is_inter = false;

    bool operator==(const ProblemKey&) const = default;
};

/// Adds what has numbers or addresses in this process only.
struct Key : ProblemKey {
    const char* collective = nullptr;  ///< Gatherv; points to one literal for each name
    std::uint32_t group = 0;           ///< index in Session::groups
    std::uint16_t type = 0;            ///< id of the predefined type of a reduction; 0: other
    std::uint16_t op = 0;              ///< id of the predefined operator; 0: other

    bool operator==(const Key&) const = default;
};

std::uint64_t hash_of(const Key& key);

struct Totals {
    std::int64_t calls = 0;
    std::int64_t ticks = 0;
    std::int64_t min_ticks = 0;
    std::int64_t waiting_ticks = 0;
};

/// A place in the application's code that calls MPI.
struct Site {
    const char* function = nullptr;  ///< MPI_Iallreduce; points to one literal for each name
    const void* address = nullptr;   ///< return address; null if there are too many sites

    bool operator==(const Site&) const = default;
};

/// Totals by call site, in a hash table.
class Sites {
  public:
    /// Returns the totals of a site. When the table is half full, new sites share an entry per
    /// function.
    Totals& operator[](Site site);
    /// Returns all sites with calls.
    std::vector<std::pair<Site, Totals>> all() const;

  private:
    static constexpr std::size_t slots = 4096;  ///< at most half of them for single sites
    std::vector<std::pair<Site, Totals>> table_{slots};
    std::size_t taken_ = 0;
};

/// Details of a problem that do not identify it.
struct ProblemDetails {
    application::Element element;
    bool has_element = false;
    bool is_reduction = false;
    bool is_root_in_place = false;
    std::vector<std::int64_t> blocks;  ///< bytes; empty if there are too many
    application::Summary summary;      ///< of the blocks
    /// Totals over the calls of KnownBytes::rows.
    std::int64_t sent_bytes = 0, largest_bytes = 0, partners = 0;
};

/// Numbers of calls with a buffer in memory of each kind, by MemoryKind.
using CallsByKind = std::array<std::int64_t, 4>;

/// Counts calls that reuse the buffers of earlier calls of the problem. Accesses of the program to
/// these buffers are not seen.
class BufferReuse {
  public:
    /// Adds a call. \param idle_ticks ticks since the problem's previous call
    void add(const void* sent, const void* received, std::int64_t bytes, std::int64_t idle_ticks);

    std::int64_t same = 0;  ///< calls with the addresses of one of the last four calls
    /// Calls of `same` that came too early for the program to have passed through the data.
    std::int64_t untouched = 0;
    /// Calls by the kinds of memory of their buffers. Calls without a buffer are in neither list.
    CallsByKind sent_in{}, received_in{};

  private:
    struct Used {
        const void *sent = nullptr, *received = nullptr;
        MemoryKinds kinds = {};
    };
    std::array<Used, 4> last_{};
    std::size_t next_ = 0;
};

/// A problem of this rank.
struct Entry : ProblemDetails {
    Key key;
    Totals totals;
    BufferReuse memory;
    std::int64_t end_ticks = 0;  ///< end of the last call
};

/// Hash table of the problems of one rank.
class Table {
  public:
    explicit Table(std::size_t most) : most_(most), slots_(1024, nullptr) {}

    /// Returns the entry of the key, or null if there is none.
    Entry* find(const Key& key, std::uint64_t hash) const {
        for (std::size_t at = hash & (slots_.size() - 1); slots_[at] != nullptr;
             at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at]->key == key) return slots_[at];
        }
        return nullptr;
    }
    /// Adds an entry, whose address is stable. Returns null if the table is full.
    Entry* add(const Key& key, std::uint64_t hash);

    const std::deque<Entry>& entries() const { return entries_; }

  private:
    void place(Entry* entry, std::uint64_t hash);
    void grow();

    std::size_t most_;
    std::deque<Entry> entries_;
    std::vector<Entry*> slots_;  ///< a power of two of slots, at most half of them taken
};

}  // namespace mpiaudit::recorder
