// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options/options.h"
#include "text/packed.h"

namespace mpiaudit {

/// A file that an audit reads. Not within what holds it: there clang cannot make an optional one.
struct TextFile {
    std::string origin;  ///< its name in messages
    std::string text;
    std::optional<std::string> parameters = {};  ///< of a distribution, as they were given
    bool of_library = false;  ///< only its guidelines about the MPI library are asked for
    bool of_looks = false;    ///< of these only those that are for coarse looks
    bool operator==(const TextFile&) const = default;
};

/// The files that an audit reads, as rank 0 finds them.
struct InputTexts {
    using File = TextFile;
    std::vector<File> guidelines, distributions;
    bool has_derived = false;           ///< derived guidelines are asked for
    std::optional<File> problems = {};  ///< what an application calls
    std::optional<File> library = {};   ///< what stands for its operations, where asked for
    std::optional<File> graph = {};     ///< of the neighbours, where --graph names a file
    bool operator==(const InputTexts&) const = default;
};

/// Those that the options name. Throws UsageError for an unknown name or an unreadable file.
InputTexts read_texts(const InputOptions& options);

// For a message to the other ranks.
MPIAUDIT_MEMBERS(InputTexts::File, (origin, text), (parameters, of_library, of_looks))
MPIAUDIT_MEMBERS(InputTexts, (guidelines, distributions), (has_derived, problems, library, graph))

// Files that come with mpiaudit. `kind`: guidelines, distributions, networks, libraries.

/// Their names without ".json", sorted.
std::vector<std::string> shipped_names(const std::string& kind);
std::string shipped_file(const std::string& kind, const std::string& name);

/// One of the user's, which has a path or ends with .json, or the shipped one of that name. Throws
/// UsageError that names the option. \param what the name of one of the kind
/// \param more_names that are valid, but no files
InputTexts::File own_or_shipped_file(const std::string& option, const std::string& what,
                                     const std::string& kind, const std::string& name,
                                     std::vector<std::string> more_names = {});

}  // namespace mpiaudit
