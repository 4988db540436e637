// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/texts.h"
#include "simulation/simulation.h"

// All ranks are in this process and look at the same variable: no messages, no simulated time.
namespace mpiaudit {

std::string broadcast(std::string own, MPI_Comm comm) {
    static std::string text;
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    simulation::wait_together();
    if (rank == 0) text = std::move(own);
    simulation::wait_together();
    return text;
}

std::optional<std::string> text_of_lowest_rank(const std::optional<std::string>& own,
                                               MPI_Comm comm) {
    static std::optional<std::string> text;
    static int lowest = 0;
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    simulation::wait_together();
    if (own && (!text || rank < lowest)) {
        text = own;
        lowest = rank;
    }
    simulation::wait_together();
    const std::optional<std::string> found = text;
    simulation::wait_together();
    if (rank == 0) text.reset();
    return found;
}

}  // namespace mpiaudit
