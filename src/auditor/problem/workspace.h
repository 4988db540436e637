// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "problem/problem.h"

namespace mpiaudit {

/// The place of a layout's blocks in the memory of this rank: block k has `counts[k]` elements at
/// `data` + `displacements[k]` elements. A rank that holds no blocks has no counts, and `data` is
/// null. A view: the memory and the arrays belong to the workspace.
struct Place {
    Layout layout;
    std::byte* data = nullptr;
    std::span<const int> counts;
    std::span<const int> displacements;
    MPI_Datatype type = MPI_DATATYPE_NULL;  ///< datatype of one element
    std::size_t extent = 0;                 ///< bytes from one element to the next

    /// Returns the address of block k, which is one of counts.size() blocks.
    std::byte* block(std::size_t k) const {
        return data + static_cast<std::size_t>(displacements[k]) * extent;
    }

    /// Returns the number of elements from `data` to the end of the last block, gaps included; 0
    /// without blocks. Displacements must be ascending.
    int span() const { return counts.empty() ? 0 : displacements.back() + counts.back(); }
    /// Returns the bytes from `data` to the end of the block that ends last; 0 without blocks.
    std::size_t bytes_to_end() const {
        int end = 0;
        for (std::size_t k = 0; k < counts.size(); ++k)
            end = std::max(end, displacements[k] + counts[k]);
        return static_cast<std::size_t>(end) * extent;
    }
};

/// Layouts that the contestants of a problem read (sources) and write (targets).
struct Needs {
    std::set<Layout> sources;
    std::set<Layout> targets;
    void add(const Needs& other);
    /// Returns an upper bound of the bytes of the buffers on one rank, or on all ranks together.
    /// Pages around the buffers do not count.
    Count bytes(const Problem& problem, bool of_all_ranks = false) const;
};

/// Kind of memory of the buffers. own: each rank has its own; shared: simulated ranks share one
/// region, whose contents nobody reads; phantom: addresses without memory, for recorded calls;
/// guarded: exactly as large as one path needs, with protected pages behind or before each buffer
/// (guard/guarded_memory.h). Buffers of a device cannot have protected pages; damage() checks the
/// bytes around them.
enum class Memory { own, shared, phantom, guarded_behind, guarded_before };

/// A place that code of the host can read and write: the given place, or a copy of it in the memory
/// of the host if the place is in the memory of a device.
class HostView {
  public:
    explicit HostView(const Place& place);
    HostView(const HostView&) = delete;
    HostView& operator=(const HostView&) = delete;
    const Place& place() const { return seen_; }
    /// Copies what was written to place() to the given place.
    void write_back() const;

  private:
    std::byte* original_;
    std::vector<std::byte> copy_;
    Place seen_;
};

/// The buffers of one problem on this rank. All contestants use the same buffers, since other
/// addresses would be another experiment. Targets that differ only in padding share their memory.
class Workspace {
  public:
    /// Allocates the buffers that `needs` names. Throws std::bad_alloc, and std::overflow_error if
    /// a count or displacement does not fit int (see oversize()). Shared memory is only for timing
    /// what was verified elsewhere. Phantom memory comes from messages::recorder.
    Workspace(const Problem& problem, int rank, const Needs& needs, Memory memory = Memory::own);

    const Problem& problem() const { return problem_; }
    int rank() const { return rank_; }
    /// Return the buffer of a source or of a target. Throw std::out_of_range for a layout whose
    /// buffer `needs` did not name.
    Place source(Layout layout) const;
    Place target(Layout layout) const;

    /// Returns the blocks of layout `to` within `place`, without copying: all blocks as those of
    /// the root, the own block of all blocks, or padded blocks without their padding. `data` of the
    /// result is null if this rank holds no blocks of `to`.
    Place view(const Place& place, Layout to) const;

    /// Returns all blocks of layout `to`, given the own block that lies among them: the inverse of
    /// view().
    Place all_blocks_of(const Place& own, Layout to) const;

    /// Allocates memory for an implementation: guarded memory in a guarded workspace, else memory
    /// of this rank's own, of a kind (default: that of the targets). damage(), flush() and
    /// cached_bytes() include the memory until the last copy of the pointer is gone. The contents
    /// are undefined. Throws std::bad_alloc.
    std::shared_ptr<std::byte> scratch(std::size_t bytes,
                                       std::optional<MemoryKind> kind = {}) const;

    /// Fills the targets of `layouts`, and the bytes around every buffer that damage() checks, with
    /// one byte. Throws std::out_of_range for a layout that is no target. Not for shared or phantom
    /// memory.
    void clear_targets(const std::set<Layout>& layouts);
    /// Returns the bytes of all buffers and scratch memory, each rounded up to whole pages, as
    /// buffers begin at pages.
    std::size_t cached_bytes() const;
    /// Removes all buffers and scratch memory from the caches. Does nothing unless can_flush(). Not
    /// for phantom memory.
    void flush() const;
    /// Returns true if flush() knows the instruction of this processor.
    static bool can_flush();
    /// Returns "wrote behind the end of a buffer" or "wrote before the start of a buffer" if a byte
    /// within a page of a buffer has changed, else nullptr. Always nullptr for shared and phantom
    /// buffers, which have no such bytes.
    const char* damage() const;
    /// Restores the counts and displacements of all places. Returns whether a call had changed any.
    bool restore_extents();

  private:
    struct Region {
        std::shared_ptr<std::byte> memory;
        std::size_t bytes = 0;
        std::size_t before = 0, behind = 0;  ///< bytes around `memory` that damage() checks
    };
    struct Extents {
        std::vector<int> counts, displacements;
    };
    void allocate(const Needs& needs, Memory memory);
    static Region allocate(Count elements, std::size_t extent, Memory memory, MemoryKind kind);
    static Region allocate_own(std::size_t bytes, MemoryKind kind);
    /// Makes all sources one shared region and all targets another, on all ranks.
    void share(const Needs& needs);
    /// Calls visit(region) for the regions of sources, targets and scratch memory in use. Allocates
    /// nothing, because it is called between timed calls.
    template <class Visit>
    void visit_regions(const Visit& visit) const;
    Place place(const Region& region, Layout layout) const;
    Extents make_extents(Layout layout) const;
    const Extents& extents(Layout layout) const;
    std::size_t extent(Layout layout) const;

    const Problem& problem_;
    int rank_;
    Memory memory_;
    std::map<Layout, Region> sources_;
    std::map<Layout, Region> targets_;
    mutable std::vector<std::weak_ptr<Region>> scratch_;
    mutable std::map<Layout, Extents> extents_;
    OwnedDatatype packed_type_;
};

/// Blocks of memory of this rank; a block that begins at the end of the block before is joined to
/// it.
using MemoryBlocks = std::vector<std::span<std::byte>>;
/// Returns the blocks of these places in their order, without empty ones.
MemoryBlocks memory_of(std::span<const Place> places);

/// Reads and writes each cache line of the blocks without changing them, as a program does that
/// computes between two calls. Afterwards the blocks are in the caches of this rank only.
void touch(const MemoryBlocks& blocks);

/// Returns why MPI functions with int counts cannot take the layout on every rank; empty if they
/// can.
std::string oversize(const Problem& problem, Layout layout);

/// End of the description of a wrong sum that is the largest number of the type: the library does
/// not wrap around.
inline constexpr std::string_view sum_saturates = ": the sum saturates";

/// The known contents of every layout of a problem. Each element encodes its block and its position
/// in the block, so that a permuted, truncated, missing or stale block is found.
class Contents {
  public:
    /// \param origin the holding of the source. If it is `contributed`, the blocks of all other
    /// layouts are reductions of the contributions.
    Contents(const Problem& problem, Holding origin) : problem_{problem}, origin_{origin} {}

    /// Writes the contents that `rank` holds in the layout of `place`.
    void write(const Place& place, int rank) const { write(place, rank, false); }
    /// Writes a wrong value into every element of the place, so that an element that a call does
    /// not write is found.
    void write_stale(const Place& place, int rank) const { write(place, rank, true); }
    /// Returns whether the data are contributions to a reduction whose results are rounded.
    bool rounds() const {
        return origin_ == Holding::contributed && problem_.op->rounds(*problem_.element);
    }
    /// Writes different values on every rank, whose floating-point sums are rounded.
    void write_rounding(const Place& place, int rank) const;
    /// Returns a description of the first element of the place that differs from the value that
    /// write() writes for `rank`; nullopt if none does. The description ends with sum_saturates if
    /// a sum is the largest number of an integer type.
    std::optional<std::string> find_error(const Place& place, int rank) const;

  private:
    void write(const Place& place, int rank, bool is_stale) const;
    /// Returns a number that identifies the block among all blocks of the problem.
    std::uint64_t identity(Holding holding, int rank, std::size_t block) const;
    /// Returns the function from keys to reduced values; nullopt if the data are only moved.
    std::optional<Operator::Values> reduced(Holding holding, int rank) const;
    /// Calls visit(address, values, block, position) for runs of consecutive elements until visit
    /// returns false.
    template <class Visit>
    void for_each_run(const Place& place, int rank, Visit visit) const;

    const Problem& problem_;
    Holding origin_;
};

}  // namespace mpiaudit
