// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

namespace mpiaudit {

/// MPI between MPI_Init and MPI_Finalize; the first local variable of main. Installs one error
/// handler on MPI_COMM_WORLD, from which every communicator inherits it, and on MPI_COMM_SELF,
/// which MPI 4 uses for calls without a communicator. The handler prints the rank, the current
/// Activity and the library's error text, then aborts with exit code 70. So no caller tests the
/// codes of MPI calls. Errors of operations under test are kept instead (see
/// messages/under_test.h).
class Environment {
  public:
    Environment(int& argc, char**& argv);
    ~Environment();
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

    /// Return rank and number of ranks in audited_ranks().
    static int rank();
    static int ranks();
    static std::string library_version();
    /// Returns library_name() of the loaded library, "" in a simulation. With the binary interface
    /// of MPI 5.0 the loaded library may differ from the one of the header mpi.h.
    static std::string name_of_library();
    /// Returns the version of the MPI standard that the library implements.
    static std::string standard_version();
    /// Returns the path of the shared library with the MPI functions; nullopt in a simulation.
    static std::optional<std::string> library_file();
    /// Returns a hash of the bytes of library_file(), 16 hexadecimal digits; nullopt if the
    /// file is unknown or unreadable.
    static std::optional<std::string> library_checksum();
};

/// Names the current activity while this object lives, for the message of an MPI error.
class Activity {
  public:
    explicit Activity(std::string what);
    ~Activity();
    Activity(const Activity&) = delete;
    Activity& operator=(const Activity&) = delete;

  private:
    std::string outer_;
};

/// Returns the first line of the library's text for an error code.
std::string error_text(int code);

/// Returns the current activity. A signal handler may read the text, which does not move until the
/// activity changes.
const char* current_activity_text();

/// Prints `message` with the rank and the current activity, and ends all ranks with exit code 70.
[[noreturn]] void abort_audit(const std::string& message);

}  // namespace mpiaudit
