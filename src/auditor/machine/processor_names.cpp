// SPDX-License-Identifier: BSD-3-Clause
#include "machine/processor_names.h"

#include <mpi.h>

#include <array>

#include "collectives/gather/gather.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using Name = std::array<char, MPI_MAX_PROCESSOR_NAME>;

Name own_name() {
    Name name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    return name;
}

}  // namespace

std::string processor_name() {
    return plain_line(own_name().data());
}

std::vector<std::string> processor_names() {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const Name own = own_name();
    std::vector<Name> all(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
    const auto bytes = static_cast<int>(own.size());
    binomial_Gather(own.data(), bytes, MPI_CHAR, all.data(), bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
    std::vector<std::string> names;
    for (const Name& name : all) names.push_back(plain_line(name.data()));
    return names;
}

}  // namespace mpiaudit
