// SPDX-License-Identifier: BSD-3-Clause
#include "audit/read_launches.h"

#include "record/recorded_audit.h"
#include "text/console.h"

namespace mpiaudit {

std::vector<NamedAudit> read_launches(const std::vector<std::string>& folders) {
    std::vector<NamedAudit> launches;
    for (const std::string& folder : folders) {
        SamplesFile samples = read_results(folder);
        if (samples.is_truncated)
            remark(
                "warning: the last line of {}/samples.jsonl is incomplete and "
                "left out",
                folder);
        launches.push_back({folder, std::move(samples.audit)});
    }
    return launches;
}

}  // namespace mpiaudit
