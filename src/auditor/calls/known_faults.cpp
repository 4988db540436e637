// SPDX-License-Identifier: BSD-3-Clause
#include "calls/known_faults.h"

#include "calls/search.h"
#include "mpi/environment.h"

namespace mpiaudit::calls {
namespace {

enum class Effect { wrong, ends_launch };

struct Row {
    const char* vendor;
    /// The last release of each series that is known to have the fault. Later releases may have
    /// corrected the fault.
    std::vector<const char*> last_releases;
    Effect effect;
    /// As KnownFault::simplest and origin.
    const char *simplest, *origin;
};

// docs/libraries.md has the programs that show these faults.
const std::vector<Row>& rows() {
    constexpr auto open_mpi = "Open MPI v";
    static const std::vector<const char*> all_open_mpi{"4.1.99", "5.0.7", "6.0.0rc2"};
    static const std::vector<Row> all{
        {open_mpi, all_open_mpi, Effect::ends_launch, "operation=MPI_Allgatherv sent_type=by-rank",
         "operation=MPI_Allgatherv sent_type=by-rank"},
    };
    return all;
}

}  // namespace

bool KnownFault::has(const ChosenCall& call) const {
    return has_conditions_of(call, simplest, origin);
}

std::vector<KnownFault> known_faults_of(const std::string& library) {
    std::vector<KnownFault> found;
    for (const Row& each : rows()) {
        if (is_release_up_to(library, each.vendor, each.last_releases))
            found.push_back({parse_call(each.simplest), parse_call(each.origin),
                             each.effect == Effect::ends_launch});
    }
    return found;
}

}  // namespace mpiaudit::calls
