// SPDX-License-Identifier: BSD-3-Clause
#include "machine/machine.h"

#include "machine/machine_description.h"

namespace mpiaudit {

Machine examine_machine(Binding) {
    Machine machine;
    const std::vector<std::string> names = processor_names();
    machine.description.ranks = static_cast<int>(names.size());
    machine.description.hosts = hosts_of(names);
    machine.memory_limit_bytes = machine_memory_bytes() / 2;
    return machine;
}

std::optional<MachineAfter> examine_again(const Machine&) {
    return std::nullopt;
}

}  // namespace mpiaudit
