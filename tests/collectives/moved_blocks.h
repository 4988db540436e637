// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/algorithms.h"

namespace mpiaudit::test {

/// `elements` elements of a datatype.
struct Described {
    MPI_Datatype type;
    int elements;
};

/// An item as the two sides describe it, by datatypes with the same signature. If ranks alternate,
/// odd ranks use the other description on each side, and so pass items on in a third description.
struct ElementKind {
    std::string name;
    Described sender, receiver;
    bool ranks_alternate = false;

    Described sent_by(int rank) const { return ranks_alternate && rank % 2 ? receiver : sender; }
    Described received_by(int rank) const {
        return ranks_alternate && rank % 2 ? sender : receiver;
    }
};

/// Basic types, types with holes, in another order than that of the addresses, of several basic
/// types, with bounds of their own, and different ones on the two sides. Committed, and kept until
/// the program ends.
const ElementKind& element_kind(std::string_view name);
std::vector<const ElementKind*> element_kinds(const std::vector<std::string_view>& names);

/// Datatypes that are committed, and kept until the program ends.
MPI_Datatype contiguous(int count, MPI_Datatype element);
MPI_Datatype indexed_type(std::vector<int> blocks, std::vector<int> places, MPI_Datatype element);
MPI_Datatype struct_type(std::vector<MPI_Datatype> members, std::vector<MPI_Aint> places,
                         MPI_Aint extent, MPI_Aint lower_bound = 0);

/// A buffer full of a pattern, into which blocks with known contents are put: each byte of the
/// packed block is a function of its place and of the two ranks. Compares equal to another one only
/// with the pattern in all gaps and beyond both ends.
class PatternBuffer {
  public:
    PatternBuffer(MPI_Datatype type, int elements);
    void put_block(int displacement, int count, int source, int destination = 0);
    /// `count` elements, made from their data without gaps.
    void put(int displacement, int count, const void* packed);
    void* data() { return bytes_.data() + margin; }
    bool operator==(const PatternBuffer&) const = default;

  private:
    static constexpr int margin = 64;
    MPI_Datatype type_;
    MPI_Aint extent_ = 0;
    std::vector<unsigned char> bytes_;
};

enum class Placing { contiguous, with_gaps, reversed, reversed_with_gaps };

/// Blocks that stand somewhere in a buffer.
struct Side {
    Side(const Described& described, const std::vector<int>& items, Placing placing);
    MPI_Datatype type;
    std::vector<int> counts, displacements;
    PatternBuffer buffer;
};

/// A move of blocks, equal on all ranks. items(rank, other): number of items from one rank to
/// another, or in the block of `rank`.
struct Move {
    const ElementKind* kind;
    std::string distribution;
    std::function<int(int rank, int other)> items;
    int root = 0;
    Placing placing = Placing::contiguous;
    bool is_in_place = false;

    std::string text() const;
};
/// Returns the items of each rank's block.
std::function<int(int, int)> blocks_of(std::vector<int> items);

/// A function with the signature of an operation that moves blocks.
struct Tested {
    template <class F>
    Tested(std::string of, std::string_view its_operation, F& its_function)
        : Tested(std::move(of), its_operation, any(&its_function)) {}
    Tested(std::string of, std::string_view its_operation, Function its_function);

    std::string name;
    const MpiOperation* operation;
    Function function;
};
/// The rows of these operations, but for parts on nodes; the row of this name.
std::vector<Algorithm> rows_of(const std::vector<std::string_view>& operations);
const Algorithm& row_of(std::string_view name);
/// All reference algorithms of the table, and then these.
std::vector<Tested> algorithms_of(std::string_view operation, std::vector<Tested> more = {});

/// Moves the blocks and checks on every rank the received data, that nothing between the blocks and
/// nothing in the sent buffer has changed, and that no object of MPI remains. Arguments without
/// meaning on a rank have values that must not be used. Prints only the first failures, because a
/// wrong algorithm has thousands.
void check(const Tested& tested, const Move& move, MPI_Comm comm = MPI_COMM_WORLD);
void report_failure(const std::string& what, const Move& move);

/// Calls an algorithm of MPI_Bcast and checks that every rank has the root's data and that nothing
/// else has changed.
void expect_bcast(const Algorithm& algorithm, const ElementKind& kind, int count, int root,
                  MPI_Comm comm = MPI_COMM_WORLD);

/// Numbers of elements worth a test among `size` processes, fewer where these are many.
std::vector<int> element_counts(int size);

/// All roots of up to five processes, else the first, the second, one inside and the last.
std::vector<int> roots(int size);

/// Returns true if an unreceived message waits on the private communicator of MPI_COMM_WORLD after
/// a barrier.
bool has_unmatched_message();

/// A limit in bytes to be known to an algorithm beforehand.
template <std::int64_t bytes>
inline constexpr std::int64_t limit = bytes;

}  // namespace mpiaudit::test
