// SPDX-License-Identifier: BSD-3-Clause
#include "plan/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include "catalogue/catalogue.h"
#include "files/files.h"
#include "files/shipped_files.h"
#include "mpi/texts.h"
#include "plan/stand_ins.h"
#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// The largest number of operations on the right side of a derived guideline.
constexpr int derived_length = 2;

/// Returns the shipped file that states the guideline; empty if no file does.
std::string shipped_file_with(const std::string& id) {
    for (const std::string& name : shipped_names("guidelines")) {
        const std::string text = read_file(shipped_file("guidelines", name));
        if (is_among(names_of(parse_guidelines(text, name), &Guideline::id), id) ||
            is_among(absent_guidelines(text, name), id))
            return name;
    }
    return is_among(names_of(derive_guidelines(derived_length), &Guideline::id), id) ? "derived"
                                                                                     : "";
}

/// Returns the ids of the guidelines that need a product which this program lacks.
std::vector<std::string> absent_ids(const InputTexts& texts) {
    std::vector<std::string> ids;
    for (const InputTexts::File& file : texts.guidelines)
        std::ranges::move(absent_guidelines(file.text, file.origin), std::back_inserter(ids));
    return ids;
}

void keep_only(std::vector<Guideline>& guidelines, const std::vector<std::string>& ids,
               const InputTexts& texts) {
    const std::vector<std::string> valid = names_of(guidelines, &Guideline::id);
    for (const std::string& id : ids) {
        if (is_among(valid, id)) continue;
        if (is_among(absent_ids(texts), id)) throw UsageError("--only {}: {}", id, without_papers);
        const std::string file = shipped_file_with(id);
        if (!file.empty())
            throw UsageError("--only: '{}' is no guideline of this audit; --guidelines {} has it",
                             id, file);
        throw UsageError("--only: " + unknown_name("guideline id", id, valid));
    }
    std::erase_if(guidelines, [&](const Guideline& each) { return !is_among(ids, each.id); });
}

/// Returns true if the name is that of the function that the arrow calls first, with or without
/// MPI_: MPI_Bcast for MPI_Bcast[new buffers], gatherv for MPI_Gatherv[in place].
bool is_called_by(const Arrow& arrow, const std::string& name) {
    constexpr std::array calls = {Kind::native, Kind::nonblocking, Kind::persistent, Kind::in_place,
                                  Kind::variant};
    if (!is_among(calls, arrow.kind) || !arrow.form.is_of_mpi()) return false;
    const std::string function = arrow.form.function();
    return name == function || name == short_name(function);
}

void keep_collectives(std::vector<Guideline>& guidelines, const std::vector<std::string>& names) {
    check_collectives(names);
    std::erase_if(guidelines, [&](const Guideline& each) {
        return std::ranges::none_of(each.inequality.left.steps, [&](const PathStep& step) {
            return is_of_collectives(*step.arrow, names) ||
                   std::ranges::any_of(names, [&](const std::string& name) {
                       return is_called_by(*step.arrow, name);
                   });
        });
    });
}

/// Removes guidelines that an earlier file states under another name: two equal statements are one
/// guideline, which counts once. Guidelines in `ids` stay.
void drop_repetitions(std::vector<Guideline>& guidelines, const std::vector<std::string>& ids) {
    std::map<std::string, std::string> files;  // by statement
    std::erase_if(guidelines, [&](const Guideline& each) {
        if (is_among(ids, each.id)) return false;
        const std::string stated = each.inequality.left.name + "<=" + each.inequality.right.name;
        return files.try_emplace(stated, each.file).first->second != each.file;
    });
}

/// Throws UsageError if two guidelines have one id, or two distributions one name.
void check_unique(const Inputs& inputs) {
    std::map<std::string, std::string> files;  // by id
    for (const Guideline& each : inputs.guidelines) {
        const auto [twin, is_new] = files.try_emplace(each.id, each.file);
        if (!is_new)
            throw UsageError("--guidelines: the id '{}' stands in {} and in {}; rename one",
                             each.id, twin->second, each.file);
    }
    std::set<std::string> names;
    for (const Distribution& each : inputs.distributions) {
        if (!names.insert(each.name).second)
            throw UsageError("--distributions: '{}' is given twice", each.name);
    }
}

/// Parses the recording, the distributions and the guidelines. Leaves out guidelines without a look
/// in files given for looks, and in files about the library those with a reference algorithm on the
/// left. Throws UsageError.
void parse_files(const InputTexts& texts, Inputs& inputs) {
    or_usage_error([&] {
        if (texts.problems)
            inputs.recording =
                application::parse_problems(texts.problems->text, texts.problems->origin);
        for (const InputTexts::File& file : texts.distributions) {
            Distribution each = parse_distribution(file.text, file.origin);
            if (file.parameters) each = with_parameters(std::move(each), *file.parameters);
            inputs.distributions.push_back(std::move(each));
        }
        for (const InputTexts::File& file : texts.guidelines) {
            for (Guideline& each : parse_guidelines(file.text, file.origin)) {
                // An application has few problems, so that there is time for all reference
                // algorithms.
                each.is_of_library = file.of_library && !texts.problems;
                if (!file.of_looks)
                    each.look.clear();
                else if (each.look.empty())
                    continue;
                // A violation then accuses the library, not an algorithm of the literature.
                if (!file.of_library || !each.inequality.left.has_reference())
                    inputs.guidelines.push_back(std::move(each));
            }
        }
    });
}

void add_look(Inputs& inputs, const std::string& name, Look look) {
    const auto* const of = find_in(inputs.distributions, look.of, &Distribution::name);
    if (of == nullptr) return;
    Distribution other = *of;
    other.name = name;
    other.summary += fmt::format(" Here with element {}, operator {} and root {}.", look.element,
                                 look.op, look.root);
    look.distribution = inputs.distributions.size();
    inputs.looks.push_back(std::move(look));
    inputs.distributions.push_back(std::move(other));
}

/// Adds looks: programs use other types, operators, roots and forms than an audit by default.
void add_looks(Inputs& inputs, const InputOptions& options) {
    if (!options.block_sizes->is_spread) return;
    add_look(inputs, "double-max-root-0", {0, "same", "8,512,32768", "double", "max", "0"});
    add_look(inputs, "user-sum", {0, "same", "512", "int", "user-sum", "half"});
    add_look(inputs, "forms", {0, "same", "16,16384", "int", "sum", "half", "forms"});
    add_look(inputs, "calls", {0, "same", "64,8192", "int", "sum", "half", "calls"});
    add_look(inputs, "vector", {0, "same", "512", "vector", "sum", "half", "vector"});
}

}  // namespace

Inputs parse_texts(const InputTexts& texts, const RunOptions& options) {
    Inputs inputs;
    // Comes first, because guidelines of the user may name the operations that the sweep adds.
    Sweep sweep;
    if (!options.algorithms.empty())
        // An application whose problems are audited gets settings for blocking operations alone. A
        // confirmation takes `all` from the audit, where nobody has given the option.
        sweep = sweep_algorithms(options.algorithms, options.is_given("algorithms"),
                                 options.problems.empty() || options.algorithms != Words{"all"});
    inputs.warnings = std::move(sweep.warnings);
    inputs.graph = texts.graph;
    parse_files(texts, inputs);
    if (texts.has_derived)
        std::ranges::move(derive_guidelines(derived_length), std::back_inserter(inputs.guidelines));
    std::ranges::move(sweep.guidelines, std::back_inserter(inputs.guidelines));
    if (texts.library) put_stand_ins(*texts.library, inputs);
    if (options.has_table()) {
        inputs.guidelines.clear();
        inputs.timed = timed_arrows(options.collectives);
    }
    if (inputs.guidelines.empty() && inputs.timed.empty() && !absent_ids(texts).empty())
        throw UsageError("--guidelines {}: {}",
                         fmt::format("{}", fmt::join(options.guidelines, ",")), without_papers);
    add_looks(inputs, options);
    check_unique(inputs);
    drop_repetitions(inputs.guidelines, options.only);
    if (!options.only.empty()) keep_only(inputs.guidelines, options.only, texts);
    if (!options.collectives.empty()) keep_collectives(inputs.guidelines, options.collectives);
    return inputs;
}

const Look* look_of(const Inputs& inputs, std::size_t distribution) {
    return find_in(inputs.looks, distribution, &Look::distribution);
}

void select_problems(Inputs& inputs, const application::Launch& launch, const std::string& file) {
    inputs.selection = application::select(inputs.recording.value(), launch, file);
    for (const application::SelectedProblem& each : inputs.selection->problems) {
        Distribution distribution;
        distribution.name = each.name;
        distribution.summary = each.collective + " of " + inputs.selection->program;
        distribution.source = file;
        distribution.counts = each.counts;
        inputs.distributions.push_back(std::move(distribution));
    }
}

std::string short_name(std::string_view operation) {
    const std::string name(without_mpi(operation));
    return name.size() == operation.size() ? "" : lower_case(name);
}

namespace {

/// Returns the names that most users want: families and blocking operations.
std::string usual_names() {
    std::set<std::string> families, operations;
    for (const Arrow& arrow : catalogue()) {
        if (arrow.kind != Kind::native) continue;
        families.emplace(arrow.collective);
        operations.insert(short_name(arrow.name));
    }
    return fmt::format("families {}; operations {}; `mpiaudit list collectives` has all",
                       fmt::join(families, ", "), fmt::join(operations, ", "));
}

std::string unknown_collective(const std::string& name, const std::vector<std::string>& valid) {
    const std::string nearest = nearest_name(name, valid);
    return fmt::format("--collectives: unknown collective '{}'; {}Valid: {}", name,
                       nearest.empty() ? "" : "did you mean '" + nearest + "'? ", usual_names());
}

}  // namespace

void check_collectives(const std::vector<std::string>& names) {
    std::vector<std::string> valid = arrow_names();
    for (const Arrow& arrow : catalogue()) {
        for (const std::string& other : {std::string(arrow.collective), short_name(arrow.name)}) {
            if (!other.empty() && !is_among(valid, other)) valid.push_back(other);
        }
    }
    for (const std::string& name : names) {
        if (!is_among(valid, name)) throw UsageError(unknown_collective(name, valid));
    }
}

bool is_of_collectives(const Arrow& arrow, const std::vector<std::string>& names) {
    return std::ranges::any_of(names, [&](const std::string& name) {
        return name == arrow.name || name == arrow.collective ||
               (arrow.kind == Kind::native && name == short_name(arrow.name));
    });
}

namespace {

/// Returns true if the name stands for this arrow when operations are timed. The name of an
/// operation that is also the name of a family stands for the operation.
bool is_timed(const Arrow& arrow, const std::string& name, bool is_operation) {
    const bool is_call = arrow.kind == Kind::native || arrow.kind == Kind::chosen;
    if (is_operation) return is_call && name == short_name(arrow.form.operation);
    return name == arrow.name ||
           (name == arrow.collective && (is_call || arrow.kind == Kind::reference));
}

}  // namespace

std::vector<const Arrow*> timed_arrows(const std::vector<std::string>& names) {
    check_collectives(names);
    std::set<std::string> operations, known;
    for (const Arrow& arrow : catalogue())
        if (arrow.kind == Kind::native) operations.insert(short_name(arrow.name));
    std::vector<const Arrow*> timed;
    for (const Arrow& arrow : catalogue()) {
        const bool is_usual = arrow.kind == Kind::native || arrow.kind == Kind::chosen;
        const bool is_wanted = names.empty()
                                   ? is_usual && !arrow.form.makes_communicator()
                                   : std::ranges::any_of(names, [&](const std::string& name) {
                                         return is_timed(arrow, name, operations.contains(name));
                                     });
        // The catalogue has the most natural use of an operation first.
        if (is_wanted && !arrow.is_silent() && known.insert(arrow.name).second)
            timed.push_back(&arrow);
    }
    return timed;
}

Inputs read_inputs(const RunOptions& options) {
    const std::string message = text_of_rank_0([&] { return packed(read_texts(options)); });
    return parse_texts(unpacked<InputTexts>(message), options);
}

}  // namespace mpiaudit
