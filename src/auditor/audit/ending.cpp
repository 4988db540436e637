// SPDX-License-Identifier: BSD-3-Clause
#include "audit/ending.h"

#include "audit/commands.h"
#include "audit/output_option.h"
#include "files/written_file.h"
#include "report/findings.h"
#include "report/junit.h"
#include "text/console.h"

namespace mpiaudit {

void check_gate(const GateOptions& options) {
    const Gate gate(options);  // throws where the gate cannot be read
    check_output("--junit", options.junit);
}

int end_with(const Report& report, const GateOptions& options) {
    const Gate gate(options);
    const GateOutcome outcome = gate.outcome(report);
    if (!options.junit.empty())
        write_output("--junit", [&] { replace_file(options.junit, junit_xml(report, outcome)); });
    if (const std::string words = in_words(outcome); !words.empty()) say("{}", words);
    if (report.summary.wrong > 0) return exit_wrong_result;
    if (outcome.has_failed) return exit_violations;
    return is_nothing_decided(report) ? exit_nothing_decided : exit_done;
}

}  // namespace mpiaudit
