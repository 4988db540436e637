// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "options/options.h"
#include "catalogue/arrow.h"
#include "guidelines/guideline_file.h"
#include "problem/distribution.h"

namespace mpiaudit {

/// What an audit reads from files.
struct Inputs {
    std::vector<Guideline> guidelines;
    std::vector<Distribution> distributions;
    std::vector<std::string> warnings = {};  ///< what was asked for and cannot be had
};

/// The texts of the files that the options name, as {"guidelines": [{"origin", "text"}],
/// "distributions": [{"origin", "text", "parameters"}]}. Reads files, so on one rank only. Throws
/// UsageError for an unknown name or an unreadable file.
nlohmann::json read_texts(const RunOptions& options);

/// Parses the texts and applies --only and --collectives. The same on every rank; throws
/// UsageError.
Inputs parse_texts(const nlohmann::json& texts, const RunOptions& options);

/// read_texts() on rank 0, the same Inputs, or the same error, on every rank. Collective.
Inputs read_inputs(const RunOptions& options);

/// Throws UsageError unless each is the name of an operation or of a family of them.
void check_collectives(const std::vector<std::string>& names);
/// Whether the arrow or its family is among the names.
bool is_of_collectives(const Arrow& arrow, const std::vector<std::string>& names);

/// Files that come with mpiaudit: names without ".json", sorted. `kind`: guidelines, distributions.
std::vector<std::string> shipped_names(const std::string& kind);
std::string shipped_file(const std::string& kind, const std::string& name);
/// Throws UsageError when the file cannot be read.
std::string read_file(const std::string& path);

}  // namespace mpiaudit
