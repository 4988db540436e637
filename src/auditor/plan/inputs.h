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

/// A file that an audit reads. Outside of InputTexts, because clang cannot make an optional of a
/// nested type there.
struct TextFile {
    std::string origin;  ///< name of the file in messages
    std::string text;
    std::optional<std::string> parameters =
        {};                   ///< parameters of a distribution, as the user gave them
    bool of_library = false;  ///< select only guidelines about the MPI library
    bool of_looks = false;    ///< select only guidelines for coarse looks
    bool operator==(const TextFile&) const = default;
};

/// The files that an audit reads, as rank 0 finds them.
struct InputTexts {
    using File = TextFile;
    std::vector<File> guidelines, distributions;
    bool has_derived = false;           ///< the user asked for derived guidelines
    std::optional<File> problems = {};  ///< recording of an application
    std::optional<File> library = {};   ///< stand-ins of operations (--library)
    std::optional<File> graph = {};     ///< graph of the neighbours, if --graph names a file
    bool operator==(const InputTexts&) const = default;
};

/// Reads the files that the options name. Throws UsageError for an unknown name or an unreadable
/// file.
InputTexts read_texts(const InputOptions& options);

// Members of a message to the other ranks.
MPIAUDIT_MEMBERS(InputTexts::File, (origin, text), (parameters, of_library, of_looks))
MPIAUDIT_MEMBERS(InputTexts, (guidelines, distributions), (has_derived, problems, library, graph))

/// Returns a file of the user, whose name has a path or ends with .json, or the shipped file of
/// this name. Throws UsageError that names the option. \param what describes a file of this kind in
/// messages
/// \param more_names valid names that are no files
InputTexts::File own_or_shipped_file(const std::string& option, const std::string& what,
                                     const std::string& kind, const std::string& name,
                                     std::vector<std::string> more_names = {});

/// A look: the blocks of a distribution again, with data other than the options say. An audit with
/// spread sizes checks a few guidelines in a look.
struct Look {
    std::size_t distribution;  ///< place among the distributions of the inputs
    std::string of;            ///< name of the distribution with the same blocks
    std::string block_sizes, element, op, root;
    /// If given, the look is about the guidelines whose entry names this look; else about
    /// guidelines that depend on the different data.
    std::string guidelines = {};
};

/// Everything that an audit reads from files.
struct Inputs {
    std::vector<Guideline> guidelines;
    std::vector<Distribution> distributions;
    /// The arrows that are timed and not compared (--table); then there are no guidelines.
    std::vector<const Arrow*> timed = {};
    std::vector<Look> looks = {};                ///< looks of the last distributions
    std::optional<InputTexts::File> graph = {};  ///< graph of the neighbours, as the file has it
    std::vector<std::string> warnings = {};      ///< wishes of the user that cannot be fulfilled
    /// The recording of an application (--problems), and the part of the recording that this launch
    /// audits.
    std::optional<application::Recording> recording = {};
    std::optional<application::Selection> selection = {};
};

/// Returns the look of a distribution; null if the distribution has the data of the options.
const Look* look_of(const Inputs& inputs, std::size_t distribution);

/// Selects the problems of the recording that this launch can audit. The selected problems become
/// the distributions of the inputs.
void select_problems(Inputs& inputs, const application::Launch& launch, const std::string& file);

/// The end of an error about something that needs src/papers.
inline constexpr const char* without_papers =
    "this mpiaudit is built without src/papers; 'jobs/build PRESET' builds it with them, and cmake "
    "with -DMPIAUDIT_PAPERS=ON";

/// Parses the texts and applies --only and --collectives. Returns the same on every rank; throws
/// UsageError.
Inputs parse_texts(const InputTexts& texts, const RunOptions& options);

/// Calls read_texts() on rank 0. Returns the same inputs, or throws the same error, on every rank.
/// Collective.
Inputs read_inputs(const RunOptions& options);

/// Throws UsageError unless each name is that of an operation or of a family of operations.
void check_collectives(const std::vector<std::string>& names);
/// True if the arrow or its family is among the names.
bool is_of_collectives(const Arrow& arrow, const std::vector<std::string>& names);

/// Returns the arrows to time: the operations of these names, for the name of a family its blocking
/// operations and its algorithms, without names all blocking operations. Operations come with the
/// algorithms of the library (--algorithms) that the catalogue has. Throws UsageError for a name
/// that is no operation and no family.
std::vector<const Arrow*> timed_arrows(const std::vector<std::string>& names);

/// Returns gatherv for MPI_Gatherv; an empty text for names that are no operation of MPI.
std::string short_name(std::string_view operation);

/// The guidelines and warnings that --algorithms adds to an audit.
struct Sweep {
    std::vector<Guideline> guidelines;  ///< operation <= operation[algorithm], for each algorithm
    std::vector<std::string>
        warnings;  ///< operations that the user named and that have no algorithms
};

/// Makes the algorithms of the library for `operations` (names such as gather or MPI_Gather, or
/// "all") operations of their own, named MPI_Gather[binomial], by joining the catalogue. To be
/// called at most once in a program, after MPI_Init, with the same arguments on every rank. Throws
/// UsageError for a name that is no operation, and, if the user asked for algorithms, if the
/// library offers none.
/// \param with_nonblocking false: leaves MPI_Igather and all other nonblocking operations out
Sweep sweep_algorithms(const std::vector<std::string>& operations, bool is_asked_for = true,
                       bool with_nonblocking = true);

}  // namespace mpiaudit
