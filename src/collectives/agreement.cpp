// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/agreement.h"

#include <memory>

namespace mpiaudit {

Step agree_on_largest_block(const Setting& setting, const Place& from, bool) {
    struct Sizes {
        int own, largest;
    };
    const auto own = static_cast<std::size_t>(setting.workspace.rank());
    const auto sizes =
        std::make_shared<Sizes>(Sizes{static_cast<int>(setting.problem().counts[own]), 0});
    // A rank's own block may grow where it lies. Longer vectors have to be laid out with padding
    // from the start, so only a source can be one.
    const Holding holding = from.layout.holding;
    return {[sizes, comm = setting.comm] {
                MPI_Allreduce(&sizes->own, &sizes->largest, 1, MPI_INT, MPI_MAX, comm);
            },
            holding == Holding::scattered ? setting.workspace.view(from, holding, true)
                                          : setting.workspace.source({holding, true})};
}

}  // namespace mpiaudit
