// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "text/command.h"

namespace mpiaudit {

/// A process of this host, as /proc shows it: the name has at most 15 letters. Empty, with parent
/// 0, where there is none.
struct Process {
    std::string name;
    int parent = 0;
};
Process process(int id);

/// Whether a name is that of a program that starts ranks, or of one of its daemons: mpirun,
/// mpirun.openmpi, mpiexec.hydra, hydra_pmi_proxy.
bool is_launcher(const std::string& process_name);

/// The command line that has started this rank, up to the program and its arguments:
/// mpirun.mpich -n 4. Empty where no launcher on this host has started it with these
/// arguments.
CommandLine launcher_of_this_process();

}  // namespace mpiaudit
