// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "text/command.h"

namespace mpiaudit {

/// A process of this host as in /proc; the name has at most 15 letters. Name "" and parent 0 if the
/// process does not exist.
struct Process {
    std::string name;
    int parent = 0;
};
/// Returns the process with this id.
Process process(int id);

/// Returns true for the name of a program that starts ranks, or of its daemon: mpirun,
/// mpirun.openmpi, mpiexec.hydra, hydra_pmi_proxy.
bool is_launcher(const std::string& process_name);

/// Returns the launcher's command line without the program and its arguments: mpirun.mpich -n 4.
/// Looks only at the parents of this process up to the first that is no launcher, and takes the
/// outermost launcher whose command line ends in this program's. Ignores command lines with ":"
/// (several programs). Control characters become escapes. Returns an empty command line if there is
/// no such launcher.
CommandLine launcher_of_this_process();

}  // namespace mpiaudit
