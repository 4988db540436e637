// SPDX-License-Identifier: BSD-3-Clause
// Defines sweep_algorithms() of inputs.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <ranges>

#include "catalogue/catalogue.h"
#include "plan/inputs.h"
#include "settings/families.h"
#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using ForcedAlgorithm = std::shared_ptr<const LibraryAlgorithm>;

/// Returns whether the arrow is a blocking or nonblocking operation of the library, called as
/// usual.
bool is_usual_call(const Arrow& arrow) {
    return arrow.kind == Kind::native ||
           (arrow.kind == Kind::nonblocking && arrow.form.has_no_brackets());
}

std::vector<std::string> usual_operations() {
    std::vector<std::string> names;
    for (const Arrow& arrow : catalogue()) {
        std::string name(arrow.name);
        if (is_usual_call(arrow) && !is_among(names, name)) names.push_back(std::move(name));
    }
    return names;
}

/// Returns the operations that `given` names.
std::vector<std::string> selected_operations(const std::vector<std::string>& given) {
    const std::vector<std::string> usual = usual_operations();
    if (given == std::vector<std::string>{"all"}) return usual;
    std::vector<std::string> valid = {"all"};
    for (const std::string& name : usual) valid.push_back(short_name(name));
    std::vector<std::string> selected;
    for (const std::string& name : given) {
        const auto found = std::ranges::find_if(usual, [&](const std::string& operation) {
            return operation == name || short_name(operation) == name;
        });
        if (found == usual.end())
            throw UsageError("--algorithms: " + unknown_name("operation", name, valid));
        selected.push_back(*found);
    }
    return selected;
}

std::map<std::string, std::vector<ForcedAlgorithm>> offered_algorithms() {
    std::map<std::string, std::vector<ForcedAlgorithm>> offered;
    for (const LibraryAlgorithm& each : discover_algorithms())
        offered[each.operation].push_back(std::make_shared<const LibraryAlgorithm>(each));
    return offered;
}

/// Returns the form of MPI_Gather or MPI_Igather with this algorithm; without a name the library
/// chooses.
Form form_of(const std::string& operation, const std::string& algorithm) {
    Form form = parse_form(operation);
    form.variant = algorithm;
    return form;
}

/// Returns the library's calls of the operation, changed so that each forces this algorithm.
std::vector<Arrow> chosen_arrows(const ForcedAlgorithm& algorithm) {
    std::vector<Arrow> arrows;
    for (Arrow arrow : catalogue()) {
        if (!is_usual_call(arrow) || arrow.name != algorithm->operation) continue;
        arrow.rename(form_of(algorithm->operation, algorithm->name));
        arrow.summary =
            fmt::format("{} with the library's algorithm {}, {}", algorithm->operation,
                        settings::with_family(algorithm->name), algorithm->assignment());
        arrow.kind = Kind::chosen;
        arrow.algorithm = algorithm;
        arrows.push_back(arrow);
    }
    return arrows;
}

/// Returns the call of an operation with this algorithm; without a name the library chooses.
std::string side_of(const std::string& operation, const std::string& algorithm) {
    Term term{.form = form_of(operation, algorithm)};
    term.is_bare = term.form.operation == "MPI_Barrier";
    if (term.form.start == Start::nonblocking) term.completion = "MPI_Wait";
    return Way{{term}}.name();
}

/// Returns the guideline that the library's choice is no slower than this algorithm.
Guideline choice_guideline(const LibraryAlgorithm& algorithm) {
    const std::string& operation = algorithm.operation;
    Guideline guideline;
    guideline.id = fmt::format("{}<=[{}]", operation, algorithm.name);
    guideline.statement =
        fmt::format("{} <= {}", side_of(operation, ""), side_of(operation, algorithm.name));
    guideline.source = "the library's own choice should be its best";
    guideline.advice = fmt::format(
        "Run the program with {} in its environment, or correct the library's selection.",
        algorithm.environment());
    guideline.file = "algorithms";
    return guideline;
}

}  // namespace

Sweep sweep_algorithms(const std::vector<std::string>& operations, bool is_asked_for,
                       bool with_nonblocking) {
    const auto offered = offered_algorithms();
    if (offered.empty() && !is_asked_for) return {};
    if (offered.empty())
        throw UsageError(
            "--algorithms: this MPI library offers no choice by MPI_T control variables; force an "
            "algorithm for a whole launch with --setting NAME=VALUE");
    Sweep sweep;
    std::vector<Arrow> arrows;
    for (const std::string& operation : selected_operations(operations)) {
        if (!with_nonblocking && parse_form(operation).start != Start::blocking) continue;
        const auto found = offered.find(operation);
        if (found == offered.end()) {
            if (operations != std::vector<std::string>{"all"})
                sweep.warnings.push_back(
                    fmt::format("--algorithms: this MPI library has no choice of algorithms for {} "
                                "that a running program can make; where it has a variable for "
                                "it, --setting NAME=VALUE forces one for a whole launch",
                                operation));
            continue;
        }
        for (const ForcedAlgorithm& algorithm : found->second) {
            for (const Arrow& arrow : chosen_arrows(algorithm)) arrows.push_back(arrow);
            sweep.guidelines.push_back(choice_guideline(*algorithm));
        }
    }
    if (sweep.guidelines.empty())
        throw UsageError("--algorithms: this MPI library offers a choice only for {}",
                         fmt::join(std::views::keys(offered), ", "));
    join_catalogue(arrows);
    for (Guideline& each : sweep.guidelines)
        each.inequality = resolve(parse_statement(each.statement));
    return sweep;
}

}  // namespace mpiaudit
