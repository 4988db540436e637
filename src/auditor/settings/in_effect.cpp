// SPDX-License-Identifier: BSD-3-Clause
#include "settings/in_effect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "operations/form.h"
#include "settings/families.h"
#include "settings/given.h"
#include "settings/slow_values.h"
#include "text/plain.h"

namespace mpiaudit::settings {
namespace {

/// Frameworks of Open MPI that act in the launcher alone, and are not seen in a rank.
constexpr std::string_view of_launcher[] = {
    "rmaps", "plm",   "ras",    "odls", "oob",      "routed", "grpcomm", "errmgr",
    "iof",   "state", "schizo", "rml",  "orte",     "prte",   "ess",     "pmix",
    "filem", "rtc",   "regx",   "dfs",  "notifier", "snapc",  "mca"};

std::string first_part(const std::string& name) {
    return name.substr(0, name.find('_'));
}

/// Returns why the library does not know the variable.
std::string why_unknown(const Given& given, const Library& library) {
    const std::string framework = first_part(given.name);
    const std::size_t at = framework.size() + 1;
    const ControlVariable* const list = library.find(framework);
    if (library.is_open_mpi() && list != nullptr && given.name.size() > at) {
        const std::string component = first_part(given.name.substr(at));
        // A name without a valid component is a mistake, whatever the list says.
        const bool is_left_out = !has_component(list->value, component) &&
                                 (list->value.front() != '^' || component != "base");
        if (is_left_out)
            return fmt::format("{}={} leaves the component {} out", framework, list->value,
                               component);
    }
    std::vector<std::string> names;
    for (const auto& [name, variable] : library.variables) names.push_back(name);
    const std::string nearest = nearest_name(given.name, names);
    return fmt::format("{} has no such variable{}", library.name,
                       nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest));
}

constexpr std::string_view file_of_rules = "coll_tuned_dynamic_rules_filename";

bool needs_dynamic_rules(const std::string& name) {
    return name == file_of_rules ||
           (name.starts_with("coll_tuned_") && name.find("_algorithm") != name.npos);
}

/// Returns the value of a variable; texts of a library may be empty.
std::string value_in_words(const ControlVariable& variable) {
    const std::string value = variable.text();
    return value.empty() ? "no value for it" : value;
}

Outcome outcome_of(const Given& given, const Library& library) {
    Outcome outcome{given.written, given.value, given.origin, {}, ""};
    const auto refuse = [&](const std::string& why) {
        outcome.in_effect = false;
        outcome.sentence = fmt::format("{}{} has no effect: {}", given.text(), given.from(), why);
        return outcome;
    };
    // A rank may know such a variable, too; the value in the rank says nothing about the launcher.
    if (is_among(of_launcher, first_part(given.name))) return outcome;
    const ControlVariable* const variable = library.find(given.name);
    if (variable == nullptr) {
        const bool is_of_others = given.written.starts_with("MPICH_") || library.variables.empty();
        return is_of_others ? outcome : refuse(why_unknown(given, library));
    }
    outcome.in_effect = has_value(*variable, given.value, library);
    if (outcome.in_effect == false)
        return refuse(fmt::format("{} has {}", library.name, value_in_words(*variable)));
    const ControlVariable* const dynamic = library.find("coll_tuned_use_dynamic_rules");
    if (needs_dynamic_rules(given.name) && dynamic != nullptr) {
        if (dynamic->value == "0")
            return refuse(
                "coll_tuned_use_dynamic_rules is 0; set OMPI_MCA_coll_tuned_use_dynamic_rules=1");
        if (!library.environment.contains("OMPI_MCA_coll_tuned_use_dynamic_rules") &&
            library.audit_sets_dynamic_rules)
            outcome.sentence = fmt::format(
                "{} acts in this audit alone: --algorithms sets coll_tuned_use_dynamic_rules, and "
                "a "
                "program needs OMPI_MCA_coll_tuned_use_dynamic_rules=1",
                given.text());
    }
    // Open MPI ignores a wrong file without a message.
    if (given.name == file_of_rules) outcome.in_effect.reset();
    return outcome;
}

/// Returns the outcome of each setting. A setting that another one overrides has no effect.
std::vector<Outcome> outcomes_of_given(const std::vector<Given>& all, const Library& library) {
    const std::vector<std::string> files = files_of(library, "mca_base_param_files");
    const std::string users_file = files.empty() ? "" : files.front();
    std::vector<Outcome> results;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto first = std::ranges::find(all, all[i].name, &Given::name);
        if (first == all.begin() + static_cast<std::ptrdiff_t>(i)) {
            results.push_back(outcome_of(all[i], library));
        } else if (first->value != all[i].value) {
            results.push_back({all[i].written, all[i].value, all[i].origin, false, ""});
            // No sentence if the environment precedes the system's file: users expect this.
            const bool is_usual = first->origin == of_environment && all[i].origin != users_file;
            if (!is_usual)
                results.back().sentence =
                    fmt::format("{}{} has no effect: {}{} overrides it", all[i].text(),
                                all[i].from(), first->text(), first->from());
        }
    }
    return results;
}

/// Returns a sentence about the variables of other libraries.
std::vector<Outcome> outcomes_of_foreign(const Library& library) {
    struct Prefix {
        const char *text, *library;
        bool is_own;
    };
    const bool is_open_mpi = library.is_open_mpi();
    // Other libraries than Open MPI may derive from MPICH.
    const Prefix prefixes[] = {{"OMPI_MCA_", "Open MPI", is_open_mpi},
                               {"MPIR_CVAR_", "MPICH", !is_open_mpi},
                               {"I_MPI_", "Intel MPI", !is_open_mpi && !library.is_mpich()},
                               {"MV2_", "MVAPICH", !is_open_mpi && !library.is_mpich()}};
    std::vector<Outcome> results;
    for (const Prefix& prefix : prefixes) {
        std::vector<Outcome> of_prefix;
        for (const auto& [name, value] : library.environment)
            if (!prefix.is_own && name.starts_with(prefix.text))
                of_prefix.push_back({name, value, of_environment, false, ""});
        if (of_prefix.empty()) continue;
        of_prefix.front().sentence =
            fmt::format("{} {} no effect: a setting of {}, and this library is {}",
                        fmt::join(names_of(of_prefix, &Outcome::name), ", "),
                        of_prefix.size() > 1 ? "have" : "has", prefix.library, library.name);
        results.insert(results.end(), of_prefix.begin(), of_prefix.end());
    }
    return results;
}

/// Says which algorithm a variable chooses for all calls, in the outcome of the setting of the
/// variable or, if nobody is known to have set the variable, in an outcome of its own.
void explain_choice(const std::string& name, const Library& library, const std::vector<Given>& all,
                    std::vector<Outcome>& results) {
    const ControlVariable& variable = library.variables.at(name);
    const std::string operation = operation_of_variable(name);
    // Both libraries choose by themselves if the variable is 0.
    if (operation.empty() || variable.kind != ControlVariable::Kind::number ||
        variable.value == "0")
        return;
    const ControlVariable* const dynamic = library.find("coll_tuned_use_dynamic_rules");
    if (needs_dynamic_rules(name) && dynamic != nullptr && dynamic->value == "0") return;
    const std::string choice =
        fmt::format("{} takes {} in all calls", operation, with_family(variable.text()));
    const auto given = std::ranges::find(all, name, &Given::name);
    if (given == all.end()) {
        results.push_back({name, variable.text(), "", true,
                           fmt::format("{}: {} is {}", choice, name, variable.value)});
        return;
    }
    const auto outcome = std::ranges::find_if(results, [&](const Outcome& each) {
        return each.name == given->written && each.origin == given->origin;
    });
    if (outcome->sentence.empty())
        outcome->sentence = fmt::format("{}: {}{}", choice, given->text(), given->from());
}

}  // namespace

std::string operation_of_variable(std::string_view variable) {
    struct Pattern {
        std::string_view before, behind;
    };
    constexpr Pattern patterns[] = {{"coll_tuned_", "_algorithm"},
                                    {"coll_libnbc_", "_algorithm"},
                                    {"MPIR_CVAR_", "_INTRA_ALGORITHM"}};
    for (const auto& [before, behind] : patterns) {
        if (variable.size() <= before.size() + behind.size() || !variable.starts_with(before) ||
            !variable.ends_with(behind))
            continue;
        variable.remove_prefix(before.size());
        variable.remove_suffix(behind.size());
        std::string operation = lower_case(std::string(variable));
        operation[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(operation[0])));
        operation = "MPI_" + operation;
        // MPICH has such variables for parts of an operation, too: ALLREDUCE_POSIX.
        return parse_form(operation).mpi_operation() == nullptr ? "" : operation;
    }
    return "";
}

std::optional<std::string> read_regular_file(const std::string& path) {
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure)) return std::nullopt;
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    return std::string{std::istreambuf_iterator<char>(file), {}};
}

std::string ControlVariable::text() const {
    const std::optional<std::int64_t> number = kind == Kind::text ? std::nullopt : number_in(value);
    if (number) {
        for (const auto& [name, named] : names)
            if (named == *number) return name;
    }
    return value;
}

const ControlVariable* Library::find(const std::string& variable) const {
    const auto found = variables.find(variable);
    return found == variables.end() ? nullptr : &found->second;
}

std::vector<Outcome> outcomes(const Library& library, const ReadFile& read) {
    const std::vector<Given> all = given_settings(library, read);
    std::vector<Outcome> results = outcomes_of_given(all, library);
    for (Outcome& each : outcomes_of_foreign(library)) results.push_back(std::move(each));
    explain_slow_values(library, all, results);
    for (const auto& each : library.variables) explain_choice(each.first, library, all, results);
    return results;
}

std::vector<std::string> lines(std::span<const Outcome> outcomes) {
    std::vector<std::string> texts, in_effect;
    for (const Outcome& each : outcomes) {
        if (!each.sentence.empty())
            texts.push_back(each.sentence);
        else if (each.in_effect == true && each.origin == of_environment)
            in_effect.push_back(each.name + "=" + each.value);
    }
    if (!in_effect.empty())
        texts.push_back(fmt::format("In effect: {}", fmt::join(in_effect, ", ")));
    return texts;
}

}  // namespace mpiaudit::settings
