// SPDX-License-Identifier: BSD-3-Clause
#include "search/join_checker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "c_program/call_program.h"
#include "calls/properties.h"
#include "messages/interruption.h"
#include "search/call_search.h"
#include "simulation/simulation.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// An audit looks for the simplest call of a crash for so long beside the time of generated calls;
/// seconds.
constexpr double shrinking_s = 10;

void list_properties() {
    for (const calls::PropertyRow& row : calls::properties())
        say_entry(row.name + "  ",
                  fmt::format("{}", fmt::join(names_of(row.values, &calls::Value::name), ", ")));
}

bool follows_measuring(const RunOptions& options) {
    return options.calls_time->count > 0 && !platform().is_deterministic;
}

/// Checks generated calls of the audited operations, and adds their faults to the audit.
int check_after_measuring(AfterMeasuring::Lent lent) {
    if (lent.ended_by) take_incident(lent.so_far, *lent.ended_by);
    const RunOptions& options = lent.options;
    const ReturnedErrors returned_errors;
    try {
        const double time_s = options.calls_time->count;
        CallSearch({.operations = operations_of(options.collectives),
                    .hang_limit_s = options.hang_limit_s(),
                    .known_faults = known_faults_of_library(),
                    .limit_of_audit_s = time_s + shrinking_s},
                   std::move(lent.so_far), std::move(lent.keep))
            .run(time_s);
    } catch (const Interrupted& by) {
        return by.signal;
    }
    return 0;
}

}  // namespace

void join_checker(OtherProducts& other_products) {
    other_products.lists.push_back({"properties", list_properties});
    other_products.after_measuring = {.is_wanted = follows_measuring, .run = check_after_measuring};
    other_products.check_known_faults = [](const library_faults::File& file) {
        calls::known_faults_of("", file);
    };
    other_products.verify_calls = verify_calls;
    other_products.program_of_call = program_of_text;
}

}  // namespace mpiaudit
