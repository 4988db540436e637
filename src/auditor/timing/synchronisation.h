// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpiaudit {

/// How the ranks are brought together before each sample.
struct Synchronisation {
    std::string_view name;
    void (*wait)(MPI_Comm comm);
    bool is_native() const { return name == "barrier"; }
};

/// "barrier": the library's MPI_Barrier. "dissemination": our own barrier of ceil(log2 p) rounds,
/// the same for every library. Only in a simulation, "simultaneous": all ranks start at the same
/// instant, without messages.
std::optional<Synchronisation> find_synchronisation(std::string_view name);
std::vector<std::string> synchronisation_names();

/// A way to take samples, as `--sync` names them: after a barrier of that name; in a window of the
/// global clock ("global"); or the first way and then the other ("both": MPI_Barrier and global).
struct SampleStarts {
    Synchronisation barrier;  ///< also precedes what is not timed in a window
    bool after_barrier;
    bool in_window;
};
std::optional<SampleStarts> find_sample_starts(std::string_view name);
std::vector<std::string> sample_start_names();

}  // namespace mpiaudit
