// SPDX-License-Identifier: BSD-3-Clause
#include "zero_copy/zero_copy_algorithms.h"

namespace mpiaudit {

std::vector<Algorithm> zero_copy_algorithms() {
    std::vector<Algorithm> all;
    const auto add = [&](std::string_view operation, const char* name, auto& function,
                         std::string_view summary) {
        all.push_back({name, operation, summary, keeps_order, any(&function)});
    };
    add("MPI_Alltoall", "basicBruck_Alltoall", basicBruck_Alltoall,
        "blocks hop 1, 2, 4 ... ranks; rotated before and after by copying");
    add("MPI_Alltoall", "basicBruck_ix_Alltoall", basicBruck_ix_Alltoall,
        "basicBruck with indexed datatypes in place of packing");
    add("MPI_Alltoall", "modBruck_Alltoall", modBruck_Alltoall,
        "blocks hop 1, 2, 4 ... ranks; one rotation saved");
    add("MPI_Alltoall", "zeroBruck_Alltoall", zeroBruck_Alltoall,
        "modBruck without any copying, by alternating buffers and structured datatypes");
    add("MPI_Alltoall", "zeroBruck_blocks_Alltoall", zeroBruck_blocks_Alltoall,
        "zeroBruck with runs of consecutive blocks as one");
    add("MPI_Alltoall", "zeroBruck_half_Alltoall", zeroBruck_half_Alltoall,
        "zeroBruck with half the intermediate buffer");
    add("MPI_Alltoallv", "zeroBruckV_Alltoallv", zeroBruckV_Alltoallv,
        "zeroBruck for blocks of any size, which are exchanged first");
    add("MPI_Alltoallw", "zeroBruckW_Alltoallw", zeroBruckW_Alltoallw,
        "zeroBruckV for blocks with types of their own");
    add("MPI_Alltoallv", "chosen_Bruck_Alltoallv", chosen_Bruck_Alltoallv,
        "zeroBruck, padded or with sizes ahead, as the smallest and the largest block say");
    return all;
}

}  // namespace mpiaudit
