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
#include <vector>

#include "problem/problem.h"

namespace mpiaudit {

/// Where the blocks of a layout lie in the memory of this rank: block k of those held has
/// `counts[k]` elements at `data` + `displacements[k]` elements. No blocks where the rank holds
/// none.
struct Place {
    Layout layout;
    std::byte* data = nullptr;
    std::span<const int> counts;
    std::span<const int> displacements;
    MPI_Datatype type = MPI_DATATYPE_NULL;  ///< of one element
    std::size_t extent = 0;                 ///< bytes from one element to the next

    /// Address of block k.
    std::byte* block(std::size_t k) const {
        return data + static_cast<std::size_t>(displacements[k]) * extent;
    }

    /// Elements from the first to the last block, gaps included.
    int span() const { return counts.empty() ? 0 : displacements.back() + counts.back(); }
    /// Bytes from the start of the data to the end of the block that lies last, in any order.
    std::size_t bytes_to_end() const {
        int end = 0;
        for (std::size_t k = 0; k < counts.size(); ++k)
            end = std::max(end, displacements[k] + counts[k]);
        return static_cast<std::size_t>(end) * extent;
    }
};

/// The layouts that the contestants of one problem start from and write to.
struct Needs {
    std::set<Layout> sources;
    std::set<Layout> targets;
    void add(const Needs& other);
    /// Bytes that the rank with the most data has to allocate, or all ranks together.
    Count bytes(const Problem& problem, bool of_all_ranks = false) const;
};

/// Where buffers are: each rank has its own, or simulated ranks share what nobody reads, or
/// nowhere, while calls are recorded. Guarded ones are for a single path, of exactly the size that
/// it needs, with protected pages behind or before them (see guard/guarded_memory.h).
enum class Memory { own, shared, phantom, guarded_behind, guarded_before };

/// The buffers of one problem on this rank. Every implementation works on the same ones, since
/// another address is another experiment. Targets that differ in padding only share their memory.
class Workspace {
  public:
    /// Allocates what `needs` names. Throws std::overflow_error where a count or displacement does
    /// not fit int (see oversize()) and std::bad_alloc. Shared memory holds no data: it is for
    /// measuring what has been verified elsewhere. Phantom memory is that of messages::recorder.
    Workspace(const Problem& problem, int rank, const Needs& needs, Memory memory = Memory::own);

    const Problem& problem() const { return problem_; }
    int rank() const { return rank_; }
    Place source(Layout layout) const;
    Place target(Layout layout) const;

    /// The blocks of `place` that belong to `to`, where they lie: all blocks seen as those of the
    /// root or as the rank's own one, padded blocks without their padding.
    Place view(const Place& place, Layout to) const;

    /// All blocks as seen from the own one, which lies among them: what view() has been applied to.
    Place around(const Place& own, Layout to) const;

    /// Memory for an implementation beside the sources and targets, of the same kind and looked
    /// after in the same way as long as it lives. Has no contents.
    std::shared_ptr<std::byte> scratch(std::size_t bytes) const;

    /// Fills the targets of `layouts` with the same byte, and what damage() looks at around every
    /// buffer. Like damage() not for shared memory.
    void clear_targets(const std::set<Layout>& layouts);
    /// What all buffers take of the caches, in whole pages: as they begin with a page, smaller ones
    /// keep as much from others.
    std::size_t cached_bytes() const;
    /// Takes all buffers out of the processor's caches.
    void flush() const;
    static bool can_flush();
    /// What was written outside of a buffer, up to a page from it: "wrote behind the end of a
    /// buffer" or "wrote before the start of a buffer". nullptr when nothing was.
    const char* damage() const;
    /// Whether somebody has changed counts or displacements of places; these are right afterwards.
    bool restore_extents();

  private:
    struct Region {
        std::shared_ptr<std::byte> memory;
        std::size_t bytes = 0;
        std::size_t before = 0, behind = 0;  ///< bytes around it that nobody may change
    };
    struct Extents {
        std::vector<int> counts, displacements;
    };
    void allocate(const Needs& needs, Memory memory);
    static Region allocate(Count elements, std::size_t extent, Memory memory);
    static Region allocate_own(std::size_t bytes);
    /// All sources are at one place and all targets at another, on all ranks.
    void share(const Needs& needs);
    /// Those of sources and targets, and of scratch memory that is still there. Allocates nothing:
    /// it is called between timed calls.
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

/// Memory of this rank, one behind the other where they touch.
using MemoryBlocks = std::vector<std::span<std::byte>>;
MemoryBlocks memory_of(std::span<const Place> places);

/// Reads and writes the blocks, which keep their contents, as a program does that computes between
/// two calls: afterwards they are in this rank's caches and in no other's.
void use(const MemoryBlocks& blocks);

/// Why the layout cannot be passed to MPI functions with int counts; empty when it can.
std::string oversize(const Problem& problem, Layout layout);

/// The known contents of every layout of a problem: each element encodes its block and its position
/// in it, so that a permuted, truncated, missing or stale block shows.
class Contents {
  public:
    /// `origin`: the holding that the data start from. Where it is `contributed`, the blocks of
    /// every other layout are reductions of the contributions.
    Contents(const Problem& problem, Holding origin) : problem_{problem}, origin_{origin} {}

    /// Writes what `rank` holds in the layout of `place`.
    void write(const Place& place, int rank) const { write(place, rank, false); }
    /// Writes a different value into every element of the place, so that an element that was never
    /// written is found, whatever was there before.
    void write_stale(const Place& place, int rank) const { write(place, rank, true); }
    /// Whether the data are contributions to a reduction whose results round.
    bool rounds() const {
        return origin_ == Holding::contributed && problem_.op->rounds(*problem_.element);
    }
    /// Writes values of which no two ranks have the same, and whose sums round in a floating-point
    /// type.
    void write_rounding(const Place& place, int rank) const;
    /// The first element of the place that is not as write() would have written it, in words.
    std::optional<std::string> find_error(const Place& place, int rank) const;

  private:
    void write(const Place& place, int rank, bool is_stale) const;
    /// Number of the block among all that are different.
    std::uint64_t identity(Holding holding, int rank, std::size_t block) const;
    /// What a reduction makes of the keys of elements; nothing where data are only moved.
    std::optional<Operator::Values> reduced(Holding holding, int rank) const;
    /// Calls visit(address, values, block, position) for some elements after others until it
    /// returns false.
    template <class Visit>
    void for_each_run(const Place& place, int rank, Visit visit) const;

    const Problem& problem_;
    Holding origin_;
};

}  // namespace mpiaudit
