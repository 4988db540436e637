// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "algorithms/algorithms.h"
#include "messages/owned.h"

namespace mpiaudit::test {

/// A datatype of `numbers` numbers, all ints or all doubles.
struct ElementType {
    std::string name;
    MPI_Datatype type;
    int numbers;
    OwnedDatatype owned{};

    bool is_double() const { return type == MPI_DOUBLE; }
};

/// Commits the type.
ElementType element_type(std::string name, MPI_Datatype type, int numbers);
ElementType int_type();
ElementType double_type();
/// Two ints with a hole between them.
ElementType vector_with_hole();
/// Two ints with a hole between them that start behind the lower bound, and a hole at the end.
ElementType resized_with_holes();

/// Numbers that tell who sent them and where they belong; `tag` tells one test case from another.
std::vector<int> numbers_of(int rank, int count, int tag = 0);

/// Memory for elements of a datatype, full of poison but for what is put there; compares equal to
/// another one only with the poison in all gaps and beyond both ends.
class TypedBuffer {
  public:
    TypedBuffer(const ElementType& element, MPI_Aint elements);
    void* get() { return memory_.data() + origin_bytes_; }
    /// Puts elements from number `first` on in place.
    void put(MPI_Aint first, const std::vector<int>& numbers);
    bool operator==(const TypedBuffer& other) const { return memory_ == other.memory_; }

  private:
    const ElementType* element_;
    MPI_Aint extent_bytes_ = 0;
    MPI_Aint origin_bytes_ = 0;
    std::vector<unsigned char> memory_;
};

/// Calls an algorithm of MPI_Bcast and checks that every rank has what the root had, and that
/// nothing else has changed.
void expect_bcast(const Algorithm& algorithm, const ElementType& element, int count, int root,
                  MPI_Comm comm = MPI_COMM_WORLD);

/// Numbers of elements worth a test among `size` processes, fewer where these are many.
std::vector<int> element_counts(int size);

/// All roots of up to five processes, else the first, the second, one inside and the last.
std::vector<int> roots(int size);

}  // namespace mpiaudit::test
