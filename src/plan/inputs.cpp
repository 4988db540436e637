// SPDX-License-Identifier: BSD-3-Clause
#include "plan/inputs.h"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "plan/sweep.h"
#include "catalogue/catalogue.h"
#include "guidelines/derivation.h"
#include "mpi/environment.h"
#include "text/nearest_name.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

constexpr const char* derived = "derived";

/// The folder of the files that come with mpiaudit: beside an installed program, else the sources.
std::filesystem::path shipped_folder(const std::string& kind) {
    std::error_code failure;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", failure);
    const auto installed = program.parent_path().parent_path() / "share" / "mpiaudit" / kind;
    if (!failure && std::filesystem::is_directory(installed, failure)) return installed;
    return std::filesystem::path(MPIAUDIT_SOURCE_DIR) / kind;
}

json named_text(const std::string& kind, const std::string& name) {
    if (name.find('/') != std::string::npos) return {{"origin", name}, {"text", read_file(name)}};
    // The folder tells it from a file that comes with mpiaudit.
    if (name.ends_with(".json")) return {{"origin", "./" + name}, {"text", read_file(name)}};
    std::vector<std::string> valid = shipped_names(kind + "s");
    if (kind == "guideline") valid.insert(valid.end(), {derived, "all"});
    if (std::ranges::find(valid, name) == valid.end())
        throw UsageError(fmt::format("--{}s: {} (own files: with path or .json)", kind,
                                     unknown_name(kind, name, valid)));
    return {{"origin", name + ".json"}, {"text", read_file(shipped_file(kind + "s", name))}};
}

/// spikes:rho=10 -> the file of spikes, with parameters.
json distribution_text(const std::string& item) {
    const std::size_t colon = item.find(':');
    json text = named_text("distribution", item.substr(0, colon));
    if (colon != std::string::npos) text["parameters"] = item.substr(colon + 1);
    return text;
}

json counts_text(const std::string& counts) {
    const bool is_list = counts.find_first_not_of("0123456789,[]- .") == std::string::npos;
    if (is_list && !std::filesystem::exists(counts))
        return {{"origin", "counts"}, {"text", counts}};
    return {{"origin", counts}, {"text", read_file(counts)}};
}

void keep_only(std::vector<Guideline>& guidelines, const std::vector<std::string>& ids) {
    std::vector<std::string> valid;
    for (const Guideline& each : guidelines) valid.push_back(each.id);
    for (const std::string& id : ids) {
        if (std::ranges::find(valid, id) == valid.end())
            throw UsageError("--only: " + unknown_name("guideline id", id, valid));
    }
    std::erase_if(guidelines, [&](const Guideline& each) {
        return std::ranges::find(ids, each.id) == ids.end();
    });
}

void keep_collectives(std::vector<Guideline>& guidelines, const std::vector<std::string>& names) {
    check_collectives(names);
    std::erase_if(guidelines, [&](const Guideline& each) {
        return std::ranges::none_of(each.inequality.left.steps, [&](const PathStep& step) {
            return is_of_collectives(*step.arrow, names);
        });
    });
}

/// Adds the derived guidelines, and drops what stands in an earlier place under another name.
void add_derived(std::vector<Guideline>& guidelines, int length) {
    for (Guideline& each : derive_guidelines(length)) guidelines.push_back(std::move(each));
    std::set<std::string> known;
    std::erase_if(guidelines, [&](const Guideline& each) {
        return !known.insert(each.inequality.left.name + "<=" + each.inequality.right.name).second;
    });
}

void check_unique(const Inputs& inputs) {
    for (auto it = inputs.guidelines.begin(); it != inputs.guidelines.end(); ++it) {
        const auto twin = std::find_if(inputs.guidelines.begin(), it,
                                       [&](const Guideline& other) { return other.id == it->id; });
        if (twin != it)
            throw UsageError(
                fmt::format("--guidelines: the id '{}' stands in {} and in {}; rename one", it->id,
                            twin->file, it->file));
    }
    for (auto it = inputs.distributions.begin(); it != inputs.distributions.end(); ++it) {
        const auto same_name = [&](const Distribution& other) { return other.name == it->name; };
        if (std::find_if(inputs.distributions.begin(), it, same_name) != it)
            throw UsageError(fmt::format("--distributions: '{}' is given twice", it->name));
    }
}

}  // namespace

std::vector<std::string> shipped_names(const std::string& kind) {
    std::vector<std::string> names;
    std::error_code failure;
    for (const auto& file : std::filesystem::directory_iterator(shipped_folder(kind), failure)) {
        if (file.path().extension() == ".json") names.push_back(file.path().stem());
    }
    std::ranges::sort(names);
    return names;
}

std::string shipped_file(const std::string& kind, const std::string& name) {
    return shipped_folder(kind) / (name + ".json");
}

std::string read_file(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    if (file) text << file.rdbuf();
    if (!file || std::filesystem::is_directory(path))
        throw UsageError(fmt::format("{}: cannot be read; is it a readable file?", path));
    return text.str();
}

json read_texts(const RunOptions& options) {
    json texts = {{"guidelines", json::array()}, {"distributions", json::array()}};
    for (const std::string& name : options.guidelines) {
        if (name == derived) {
            texts["length"] = options.length;
        } else if (name == "all") {
            for (const std::string& each : shipped_names("guidelines")) {
                // Null statements are for audits of the audit.
                if (each != "controls" && (each != "grid" || !options.network.empty()))
                    texts["guidelines"].push_back(named_text("guideline", each));
            }
            texts["length"] = options.length;
        } else {
            texts["guidelines"].push_back(named_text("guideline", name));
        }
    }
    std::vector<std::string> distributions = options.distributions;
    if (distributions == std::vector<std::string>{"all"})
        distributions = shipped_names("distributions");
    for (const std::string& item : distributions)
        texts["distributions"].push_back(distribution_text(item));
    if (!options.counts.empty()) texts["distributions"].push_back(counts_text(options.counts));
    return texts;
}

Inputs parse_texts(const json& texts, const RunOptions& options) {
    Inputs inputs;
    // First: guidelines of the user may name the operations that it adds.
    Sweep sweep;
    if (!options.algorithms.empty()) sweep = sweep_algorithms(options.algorithms);
    inputs.warnings = std::move(sweep.warnings);
    try {
        for (const json& text : texts.at("distributions")) {
            Distribution each = parse_distribution(text["text"], text["origin"]);
            if (text.contains("parameters"))
                each = with_parameters(std::move(each), text["parameters"].get<std::string>());
            inputs.distributions.push_back(std::move(each));
        }
        for (const json& text : texts.at("guidelines")) {
            for (Guideline& each : parse_guidelines(text["text"], text["origin"]))
                inputs.guidelines.push_back(std::move(each));
        }
    } catch (const UsageError&) {
        throw;
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
    if (texts.contains("length")) add_derived(inputs.guidelines, texts["length"].get<int>());
    for (Guideline& each : sweep.guidelines) inputs.guidelines.push_back(std::move(each));
    check_unique(inputs);
    if (!options.only.empty()) keep_only(inputs.guidelines, options.only);
    if (!options.collectives.empty()) keep_collectives(inputs.guidelines, options.collectives);
    return inputs;
}

void check_collectives(const std::vector<std::string>& names) {
    std::vector<std::string> valid = arrow_names();
    for (const Arrow& arrow : catalogue()) {
        if (std::ranges::find(valid, arrow.collective) == valid.end())
            valid.emplace_back(arrow.collective);
    }
    for (const std::string& name : names) {
        if (std::ranges::find(valid, name) == valid.end())
            throw UsageError("--collectives: " + unknown_name("collective", name, valid));
    }
}

bool is_of_collectives(const Arrow& arrow, const std::vector<std::string>& names) {
    return std::ranges::find(names, arrow.name) != names.end() ||
           std::ranges::find(names, arrow.collective) != names.end();
}

Inputs read_inputs(const RunOptions& options) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::string message;
    if (rank == 0) {
        try {
            message = read_texts(options).dump();
        } catch (const std::exception& error) {
            message = json{{"error", error.what()}}.dump();
        }
    }
    const json texts = json::parse(broadcast(message));
    if (texts.contains("error")) throw UsageError(texts["error"].get<std::string>());
    return parse_texts(texts, options);
}

}  // namespace mpiaudit
