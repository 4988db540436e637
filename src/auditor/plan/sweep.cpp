// SPDX-License-Identifier: BSD-3-Clause
// Defines sweep_algorithms() of inputs.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <ranges>
#include <set>
#include <stdexcept>

#include "catalogue/catalogue.h"
#include "mpi/environment.h"
#include "plan/inputs.h"
#include "settings/families.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using ForcedAlgorithm = std::shared_ptr<const LibraryAlgorithm>;

/// Returns whether the arrow is a blocking or nonblocking operation of the library, called as
/// usual.
bool is_usual_call(const Arrow& arrow) {
    return arrow.kind == Kind::native ||
           (arrow.kind == Kind::nonblocking && arrow.form.is_function());
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

/// Returns the guideline that a chosen algorithm is no slower than another one, or than the
/// library's own choice, on the sizes of the choice.
Guideline guideline_of_choice(const settings::Choice& choice, const std::string& algorithm,
                              const std::string& other) {
    Guideline guideline;
    guideline.id = fmt::format("{}[{}]<=[{}]@{}", choice.collective, algorithm,
                               other.empty() ? "own" : other, choice.from_bytes);
    guideline.statement = fmt::format("{} <= {}", side_of(choice.collective, algorithm),
                                      side_of(choice.collective, other));
    guideline.source = "a file with rules should choose the best algorithm";
    guideline.advice = fmt::format("Choose {} in the file from {} B on.",
                                   other.empty() ? "nothing" : other, choice.from_bytes);
    guideline.file = "algorithms";
    guideline.from_bytes = choice.from_bytes;
    guideline.to_bytes = choice.to_bytes;
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

std::vector<settings::Choice> choices_of_file(const InputTexts::File& file, int ranks,
                                              const std::string& element) {
    const settings::ChoiceContext context{Environment::name_of_library(), ranks,
                                          static_cast<std::int64_t>(Element(element).data_bytes())};
    try {
        std::vector<settings::Choice> choices = settings::choices_in(file.text, context);
        if (choices.empty())
            throw std::invalid_argument(fmt::format(
                "it chooses no algorithm for {} ranks that the library would not choose", ranks));
        return choices;
    } catch (const std::invalid_argument& error) {
        throw UsageError("--settings: {}: {} does not take its choices: {}", file.origin,
                         context.library, error.what());
    }
}

Sweep sweep_choices(const std::vector<settings::Choice>& choices) {
    const auto offered = offered_algorithms();
    Sweep sweep;
    std::vector<Arrow> arrows;
    std::set<std::string> joined;
    for (const settings::Choice& choice : choices) {
        const auto found = offered.find(choice.collective);
        const auto chosen = [&](const ForcedAlgorithm& each) {
            return choice.algorithm.empty() ? each->value == choice.number
                                            : each->name == choice.algorithm;
        };
        const bool is_offered =
            found != offered.end() && std::ranges::any_of(found->second, chosen);
        if (!is_offered) {
            sweep.warnings.push_back(fmt::format(
                "--settings: a running program cannot force algorithm {} of {}, so it is not "
                "audited",
                choice.algorithm.empty() ? std::to_string(choice.number) : choice.algorithm,
                choice.collective));
            continue;
        }
        const std::string name = (*std::ranges::find_if(found->second, chosen))->name;
        sweep.guidelines.push_back(guideline_of_choice(choice, name, ""));
        for (const ForcedAlgorithm& each : found->second) {
            if (each->name != name)
                sweep.guidelines.push_back(guideline_of_choice(choice, name, each->name));
            if (!joined.insert(choice.collective + each->name).second) continue;
            for (const Arrow& arrow : chosen_arrows(each)) arrows.push_back(arrow);
        }
    }
    if (sweep.guidelines.empty())
        throw UsageError(
            "{}", sweep.warnings.empty() ? "--settings: nothing to audit" : sweep.warnings.front());
    join_catalogue(arrows);
    for (Guideline& each : sweep.guidelines)
        each.inequality = resolve(parse_statement(each.statement));
    return sweep;
}

}  // namespace mpiaudit
