// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace mpiaudit {

/// Two datatypes that describe the same items: `elements_of_sender` of one have the signature of
/// `elements_of_receiver` of the other.
struct ElementKind {
    std::string name;
    MPI_Datatype type_of_sender;
    int elements_of_sender;
    MPI_Datatype type_of_receiver;
    int elements_of_receiver;
    int item_bytes;
};

/// Basic types, types with holes, in another order than that of the addresses, of several basic
/// types, and different ones on the two sides. Committed, and kept until the program ends.
const std::vector<ElementKind>& element_kinds();

}  // namespace mpiaudit
