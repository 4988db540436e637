// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/packed.h"

namespace mpiaudit::settings {

/// A variable that the library lets programs read (MPI_T).
struct ControlVariable {
    enum class Kind { number, text, boolean };
    Kind kind = Kind::text;
    std::string value;  ///< a number in decimal; a Boolean as 0 or 1
    /// Names of the values of an enumeration.
    std::vector<std::pair<std::string, int>> names = {};
    /// Returns the name of the value; the value if it has none.
    std::string text() const;
};

/// The library in use with its settings.
struct Library {
    std::string name;  ///< as library_name() returns it: Open MPI v4.1.4
    std::map<std::string, ControlVariable> variables;
    /// Variables of the environment that steer libraries, without those that mpiaudit has set.
    std::map<std::string, std::string> environment;
    /// The audit lets the library obey forced algorithms (--algorithms).
    bool audit_sets_dynamic_rules = false;

    bool is_open_mpi() const { return name.starts_with("Open MPI"); }
    bool is_mpich() const { return name.starts_with("MPICH"); }
    /// Returns the variable of this name; null if the library has none.
    const ControlVariable* find(const std::string& variable) const;
};

/// The effect that a setting has had.
struct Outcome {
    std::string name;    ///< OMPI_MCA_btl, MPIR_CVAR_ASYNC_PROGRESS
    std::string value;   ///< as it was given
    std::string origin;  ///< "environment" or the name of a file; empty: nobody has set it
    std::optional<bool> in_effect;  ///< nullopt: the library does not tell
    /// A sentence for people. Empty if there is nothing to say but that the setting is in effect.
    std::string sentence;
    bool operator==(const Outcome&) const = default;
};

/// Returns the contents of a file; nullopt if the file cannot be read.
using ReadFile = std::function<std::optional<std::string>(const std::string&)>;
/// Reads a regular file. Other files could keep the reader waiting.
std::optional<std::string> read_regular_file(const std::string& path);

/// Returns what became of each setting of the environment and of Open MPI's parameter files; also
/// of values that make all operations slow, and of values that choose an algorithm for all calls of
/// an operation, whoever has set them.
std::vector<Outcome> outcomes(const Library& library, const ReadFile& read);

/// Returns a line for each sentence, and one with all settings that are simply in effect.
std::vector<std::string> lines(std::span<const Outcome> outcomes);

/// Returns the operation whose algorithm a variable of Open MPI or MPICH chooses: MPI_Bcast for
/// coll_tuned_bcast_algorithm, MPI_Ibcast for coll_libnbc_ibcast_algorithm. Empty for other
/// variables.
std::string operation_of_variable(std::string_view variable);

/// Returns why MPICH would crash with the file of a variable; nullopt if it would not.
/// \param file the name of the file
std::optional<std::string> reason_of_crash(const std::string& file, const ReadFile& read);

}  // namespace mpiaudit::settings

namespace mpiaudit {
MPIAUDIT_MEMBERS(settings::Outcome, (name, value, origin), (in_effect, sentence))
}
