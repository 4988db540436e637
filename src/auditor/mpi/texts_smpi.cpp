// SPDX-License-Identifier: BSD-3-Clause
#include "messages/messages.h"
#include "mpi/texts.h"

#include <vector>
#include "simulation/simulation.h"

// All simulated ranks share this process and read one variable: no messages, no simulated time.
namespace mpiaudit {

std::string broadcast(std::string own, MPI_Comm comm) {
    static std::string text;
    const int rank = messages::rank_in(comm);
    simulation::wait_together();
    if (rank == 0) text = std::move(own);
    simulation::wait_together();
    return text;
}

std::optional<std::string> text_of_lowest_rank(const std::optional<std::string>& own,
                                               MPI_Comm comm) {
    static std::optional<std::string> text;
    static int lowest = 0;
    const int rank = messages::rank_in(comm);
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

/// A simulation has no settings of a library to compare.
std::vector<std::string> gather_texts(const std::string&, MPI_Comm) {
    return {};
}

}  // namespace mpiaudit
