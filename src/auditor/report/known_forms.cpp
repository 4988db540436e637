// SPDX-License-Identifier: BSD-3-Clause
#include "report/known_forms.h"

#include <algorithm>

#include "text/plain.h"

namespace mpiaudit {
namespace {

/// The values of a property in the conditions of a fault; `otherwise` if there is no condition.
std::vector<std::string> values_of(const library_faults::Fault& fault, std::string_view property,
                                   std::vector<std::string> otherwise) {
    for (const library_faults::Condition& each : fault.when)
        if (each.property == property) return each.values;
    return otherwise;
}

bool is_about_forms(const library_faults::Condition& condition) {
    return condition.property == "operation" || condition.property == "start" ||
           condition.property == "in_place";
}

/// Calls with a part of each block have gaps between the parts of the blocks.
bool is_about_parts(const library_faults::Condition& condition) {
    return condition.property == "displacements" && is_among(condition.values, std::string("gaps"));
}

}  // namespace

std::vector<std::string> forms_of(const library_faults::Fault& fault, bool are_in_parts) {
    std::vector<std::string> names;
    const bool is_about_all = std::ranges::all_of(fault.when, [&](const auto& each) {
        return is_about_forms(each) || (are_in_parts && is_about_parts(each));
    });
    if (!is_about_all || fault.most_periodic_ranks) return names;
    const auto starts = values_of(fault, "start", {"blocking"});
    const auto places = values_of(fault, "in_place", {"separate"});
    for (const std::string& operation : values_of(fault, "operation", {})) {
        for (const std::string& place : places) {
            Form form{.operation = operation, .is_in_place = place == "in-place"};
            for (const Start each : {Start::blocking, Start::nonblocking, Start::persistent}) {
                form.start = each;
                if (is_among(starts, std::string(name(each)))) names.push_back(form.name());
            }
            form.start = Start::blocking;
            form.has_large_counts = true;
            if (is_among(starts, "large-count")) names.push_back(form.name());
        }
    }
    return names;
}

bool is_known_form(const std::vector<library_faults::Fault>& faults, const Way& way, int ranks) {
    const std::string form = way.operations();
    const bool is_in_parts =
        std::ranges::any_of(way.terms, [](const Term& each) { return each.form.parts > 1; });
    return std::ranges::any_of(faults, [&](const library_faults::Fault& fault) {
        if (ranks < fault.least_ranks.value_or(ranks) || ranks > fault.most_ranks.value_or(ranks))
            return false;
        return std::ranges::any_of(forms_of(fault, is_in_parts), [&](const std::string& name) {
            return form == name || form.starts_with(name + "[");
        });
    });
}

}  // namespace mpiaudit
