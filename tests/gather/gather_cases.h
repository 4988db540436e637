// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "element_kinds.h"

namespace mpiaudit {

enum class Displacements { contiguous, with_gaps, reversed };

/// One gather or scatter to be checked, the same on all ranks.
struct GatherCase {
    const ElementKind* kind;
    std::vector<int> items;  ///< Of every rank's block.
    int root;
    Displacements displacements;
    bool is_in_place;

    std::string text() const;
};

/// The distributions of Träff 2017, section 5, and the extremes: blocks in items.
std::vector<std::vector<int>> item_distributions(int ranks);

/// The cross product that is worth its time: every distribution with every root, the other
/// properties in turn, and every kind of element with every displacement.
std::vector<GatherCase> irregular_cases(int ranks);
std::vector<GatherCase> regular_cases(int ranks);

/// The root's arguments: counts and displacements in elements of `elements` per item.
struct RootArguments {
    std::vector<int> counts;
    std::vector<int> displacements;
    int elements;  ///< That the buffer must hold.
};
RootArguments root_arguments(const GatherCase& gather_case, int elements);

/// A typed buffer full of a pattern, into which blocks with known contents are put: byte j of the
/// packed block of a rank is a function of both.
class PatternBuffer {
  public:
    PatternBuffer(MPI_Datatype type, int elements);
    void put_block(int displacement, int count, int rank);
    void* data() { return bytes_.data() + margin; }
    bool operator==(const PatternBuffer&) const = default;

  private:
    static constexpr int margin = 64;
    MPI_Datatype type_;
    MPI_Aint extent_ = 0;
    std::vector<unsigned char> bytes_;
};

/// Fails the running test, but prints only the first failures: a wrong algorithm has thousands.
void report_failure(const std::string& what, const GatherCase& gather_case);

/// Whether a message that nobody has received waits on the private communicator of MPI_COMM_WORLD,
/// seen after a barrier.
bool has_unmatched_message();

}  // namespace mpiaudit
