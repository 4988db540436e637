// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "application/selection.h"
#include "catalogue/arrow.h"
#include "guidelines/guideline.h"
#include "options/options.h"
#include "problem/distribution.h"
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

/// A distribution once more, with other data than the options say: what an audit with spread sizes
/// takes a coarse look at, or verifies before it measures anything.
struct Look {
    std::size_t distribution;  ///< its place among those of the inputs
    std::string of;            ///< the name of the one that it repeats
    std::string block_sizes, element, op, root;
    /// Of those whose entry names this look; else those that depend on what is different.
    std::string guidelines = {};
    bool verifies = false;  ///< every form of the library's operations, without timing any
    /// Instead those with other types and counts, of which libraries know least: in the end, since
    /// a call that hangs ends the audit.
    bool is_of_types = false;
    std::vector<std::string> collectives = {};  ///< that are verified; none: all
};

/// What an audit reads from files.
struct Inputs {
    std::vector<Guideline> guidelines;
    std::vector<Distribution> distributions;
    std::vector<Look> looks = {};                ///< of the last ones of the distributions
    std::optional<InputTexts::File> graph = {};  ///< of the neighbours, as it was read
    std::vector<std::string> warnings = {};      ///< what was asked for and cannot be had
    /// What an application calls (--problems), and what of it this launch audits.
    std::optional<application::Recording> recording = {};
    std::optional<application::Selection> selection = {};
};

/// Null where this distribution has the data that the options say.
const Look* look_of(const Inputs& inputs, std::size_t distribution);

/// Selects the problems of the recording that this launch can audit: they become the inputs'
/// distributions.
void select_problems(Inputs& inputs, const application::Launch& launch, const std::string& file);

/// Puts into guidelines what stands for the library's operations (--library); null where nobody
/// can.
using PutStandIns = void (*)(const InputTexts::File& library, Inputs& inputs);

/// Parses the texts and applies --only and --collectives. The same on every rank; throws
/// UsageError.
Inputs parse_texts(const InputTexts& texts, const RunOptions& options,
                   PutStandIns put_stand_ins = nullptr);

/// read_texts() on rank 0, the same Inputs, or the same error, on every rank. Collective.
Inputs read_inputs(const RunOptions& options, PutStandIns put_stand_ins);

/// Throws UsageError unless each is the name of an operation or of a family of them.
void check_collectives(const std::vector<std::string>& names);
/// Whether the arrow or its family is among the names.
bool is_of_collectives(const Arrow& arrow, const std::vector<std::string>& names);

/// gatherv of MPI_Gatherv; empty for what is no operation of MPI.
std::string short_name(std::string_view operation);

/// What --algorithms adds to an audit.
struct Sweep {
    std::vector<Guideline> guidelines;  ///< operation <= operation[algorithm], for each algorithm
    std::vector<std::string> warnings;  ///< operations that were asked for and offer no choice
};

/// Makes the library's own algorithms for `operations` (names such as gather or MPI_Gather, or
/// "all") operations of their own, named MPI_Gather[binomial], by joining the catalogue. At most
/// once in a program, after MPI_Init, the same on every rank. Throws UsageError for a name that is
/// no operation, and, where the user has asked for algorithms, when the library offers nothing to
/// choose.
Sweep sweep_algorithms(const std::vector<std::string>& operations, bool is_asked_for = true);

}  // namespace mpiaudit
