// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "text/release.h"

/// The faults that releases of MPI libraries are known to have: libraries/known-faults.json.
namespace mpiaudit::library_faults {

/// Releases of one series of a library, of which the first number of the release is the name.
struct Releases {
    std::optional<Release>
        first;     ///< nullopt: the first one of the series is not known to be right
    Release last;  ///< the last release that was tried; later releases are tried again
    bool have(const Release& release) const;
};

/// A property of generated calls (docs/generated-calls.md), and the values with which calls fail.
struct Condition {
    std::string property;
    std::vector<std::string> values;
};

/// One fault. A call has the fault if it meets all conditions.
struct Fault {
    std::string library;  ///< "Open MPI" or "MPICH"
    std::vector<Releases> releases;
    bool ends_launch = false;  ///< the call crashes or hangs; else it is wrong
    std::vector<Condition> when;
    /// Only on communicators that have so many ranks; of an intercommunicator the smaller group.
    std::optional<int> least_ranks, most_ranks;
    /// Only on Cartesian communicators with a periodic dimension of at most so many ranks.
    std::optional<int> most_periodic_ranks;
    /// Evidence: a call that fails on so many ranks, as `verify --call` takes the call.
    std::string call;
    int call_ranks = 0;
    std::string program;  ///< that shows the fault without mpiaudit, in results/reference/libraries
    std::string place;    ///< FILE:LINE, for messages

    /// \param name as from library_name(): "Open MPI v4.1.4"
    bool is_of(const std::string& name) const;
};

/// The file of known faults.
struct File {
    std::string origin, text;
    /// Returns a hash of the text, 16 hexadecimal digits.
    std::string checksum() const;
};

/// Reads the file that comes with mpiaudit. Throws UsageError if there is none.
File shipped();

/// Throws std::invalid_argument "FILE:LINE: ...", with the valid names, if the text has a key that
/// no fault has, or a value of another type. Does not know the names of properties.
std::vector<Fault> read(const File& file);

}  // namespace mpiaudit::library_faults
