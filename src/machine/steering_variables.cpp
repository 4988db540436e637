// SPDX-License-Identifier: BSD-3-Clause
#include "machine/steering_variables.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "text/plain.h"

extern char** environ;

namespace mpiaudit {

std::map<std::string, std::string> steering_variables() {
    constexpr std::array prefixes = {"OMPI_",  "PMIX_", "PRTE_",  "MPICH_", "MPIR_",
                                     "I_MPI_", "MV2_",  "UCX_",   "FI_",    "SLURM_",
                                     "SRUN_",  "PMI_",  "HYDRA_", "HCOLL_", "OMP_"};
    std::map<std::string, std::string> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::size_t equals = text.find('=');
        if (equals == std::string_view::npos) continue;
        const bool steers = text.starts_with("LD_PRELOAD=") ||
                            std::ranges::any_of(prefixes, [&](std::string_view prefix) {
                                return text.starts_with(prefix);
                            });
        if (steers) variables[plain(text.substr(0, equals))] = plain(text.substr(equals + 1));
    }
    return variables;
}

}  // namespace mpiaudit
