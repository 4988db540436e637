// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpiaudit::settings {

/// An algorithm that a file with rules chooses for a range of sizes.
struct Choice {
    std::string collective;                     ///< MPI_Bcast
    std::int64_t from_bytes = 0, to_bytes = 0;  ///< of all blocks together, both included
    int number = 0;                             ///< of the algorithm in Open MPI; 0: it has a name
    std::string algorithm;                      ///< its name; empty: it has a number
};

/// Launch that choices are for.
struct ChoiceContext {
    std::string library;  ///< as library_name() returns it
    int ranks = 0;
    std::int64_t element_bytes = 1;
};

/// Returns the choices of a rules file of Open MPI or of a JSON file of MPICH for calls of this
/// number of ranks. Leaves out choices of the library itself. Throws std::invalid_argument with the
/// reason if this library does not read the file.
std::vector<Choice> choices_in(const std::string& text, const ChoiceContext& context);

/// Returns block sizes in elements at which the choices show: the first, a middle and the last size
/// of each range, in ascending order. \param most_bytes of all blocks together
std::vector<std::int64_t> block_sizes_for(const std::vector<Choice>& choices,
                                          const ChoiceContext& context, std::int64_t most_bytes);

}  // namespace mpiaudit::settings
