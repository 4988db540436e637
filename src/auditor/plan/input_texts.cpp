// SPDX-License-Identifier: BSD-3-Clause
// Defines read_texts() and own_or_shipped_file() of inputs.h.
#include "plan/inputs.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "files/files.h"
#include "files/shipped_files.h"
#include "problem/graph.h"
#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using File = InputTexts::File;

constexpr const char* derived = "derived";

/// The files that `library` stands for: guidelines on blocking collectives of the library. A
/// statement that stands in two of these files keeps its first id.
constexpr std::array<const char*, 8> about_library = {
    "irregular",      "self-consistent", "irregular-others", "composed",
    "monotony-split", "in-flight",       "reference",        "nodes"};

/// Further files of `library`. Only entries with a "look" count, on a few sizes.
constexpr std::array<const char*, 8> looked_at = {
    "specialisation", "operators", "communicators",        "neighbours",
    "datatypes",      "calls",     "making-communicators", "amortised"};

File named_file(const std::string& kind, const std::string& name,
                std::vector<std::string> more_names = {}) {
    File file = own_or_shipped_file(kind + "s", kind, kind + "s", name, std::move(more_names));
    // The folder distinguishes the name from a shipped file.
    if (file.origin == name && name.find('/') == std::string::npos) file.origin = "./" + name;
    return file;
}

/// Returns the file of spikes with its parameters for spikes:rho=10.
File distribution_file(const std::string& item) {
    const std::size_t colon = item.find(':');
    File file = named_file("distribution", item.substr(0, colon));
    if (colon != std::string::npos) file.parameters = item.substr(colon + 1);
    return file;
}

File counts_file(const std::string& counts) {
    const bool is_list = counts.find_first_not_of("0123456789,[]- .") == std::string::npos;
    std::error_code failure;
    if (std::filesystem::exists(counts, failure)) return {counts, read_file(counts)};
    if (is_list) return {"counts", counts};
    throw UsageError("--counts: '{}' is neither a list of block sizes, such as 5,0,3, nor a file",
                     counts);
}

/// Adds the files of one name in --guidelines, which is a group of files, a shipped file, or a file
/// of the user. Guidelines derived by mpiaudit have no file and are only noted.
void add_guidelines(const std::string& name, const InputOptions& options, InputTexts& texts) {
    if (name == derived || name == "all") texts.has_derived = true;
    if (name == library_guidelines) {
        for (const char* const each : about_library) {
            texts.guidelines.push_back(named_file("guideline", each));
            texts.guidelines.back().of_library = true;
        }
        if (!options.memory_kind->are_host()) {
            texts.guidelines.push_back(named_file("guideline", "device"));
            texts.guidelines.back().of_library = true;
        }
        if (!options.block_sizes->is_spread) return;
        for (const char* const each : looked_at) {
            texts.guidelines.push_back(named_file("guideline", each));
            texts.guidelines.back().of_library = texts.guidelines.back().of_looks = true;
        }
    } else if (name == "all") {
        for (const std::string& each : shipped_names("guidelines")) {
            // Guidelines that must hold always (controls) are for audits of mpiaudit itself.
            if (each != "controls" && (each != "grid" || !options.network.empty()))
                texts.guidelines.push_back(named_file("guideline", each));
        }
    } else if (name != derived) {
        texts.guidelines.push_back(
            named_file("guideline", name, {library_guidelines, derived, "all"}));
    }
}

}  // namespace

InputTexts read_texts(const InputOptions& options) {
    InputTexts texts;
    for (const std::string& name : options.guidelines) add_guidelines(name, options, texts);
    std::vector<std::string> distributions = options.distributions;
    if (distributions == std::vector<std::string>{"all"})
        distributions = shipped_names("distributions");
    for (const std::string& item : distributions)
        texts.distributions.push_back(distribution_file(item));
    if (!options.counts.empty()) texts.distributions.push_back(counts_file(options.counts));
    if (!options.problems.empty()) {
        const std::string file = std::filesystem::is_directory(options.problems)
                                     ? options.problems + "/problems.json"
                                     : options.problems;
        texts.problems = File{file, read_file(file)};
    }
    if (!options.library.empty())
        texts.library = own_or_shipped_file("library", "library", "libraries", options.library);
    if (is_graph_file(options.graph)) texts.graph = File{options.graph, read_file(options.graph)};
    return texts;
}

InputTexts::File own_or_shipped_file(const std::string& option, const std::string& what,
                                     const std::string& kind, const std::string& name,
                                     std::vector<std::string> more_names) {
    if (name.find('/') != std::string::npos || name.ends_with(".json") || name.ends_with(".prf"))
        return {name, read_file(name)};
    std::vector<std::string> valid = shipped_names(kind);
    valid.insert(valid.end(), more_names.begin(), more_names.end());
    if (!is_among(valid, name))
        throw UsageError("--{}: {} (searched in {}; own files: with path or .json)", option,
                         unknown_name(what, name, valid), shipped_folder(kind).string());
    return {name + ".json", read_file(shipped_file(kind, name))};
}

}  // namespace mpiaudit
