// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace mpiaudit {

/// MPI between MPI_Init and MPI_Finalize: the first local of main. Installs one error handler on
/// MPI_COMM_WORLD, from which every communicator inherits it, and on MPI_COMM_SELF, which MPI 4
/// uses for calls without a communicator. It prints the rank, what was being done (see Activity)
/// and the library's text, then aborts with exit code 70. So no MPI call checks its code, but for
/// those of operations under test: their errors are kept (see messages/under_test.h).
class Environment {
  public:
    Environment(int& argc, char**& argv);
    ~Environment();
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

    int rank() const { return rank_; }
    int ranks() const { return ranks_; }
    static std::string library_version();
    /// library_name() of the library that runs; empty in a simulation. With the binary interface of
    /// MPI 5.0 it is not the one whose header this was compiled with.
    static std::string name_of_library();
    static std::string standard_version();
    /// The shared library that MPI's functions are in; nothing in a simulation.
    static std::optional<std::string> library_file();
    /// Of its bytes, 16 hexadecimal digits.
    static std::optional<std::string> library_checksum();

  private:
    int rank_ = 0;
    int ranks_ = 1;
};

/// Whether a library is an Open MPI of one of these series (first number), and no later than the
/// release that stands for the series. \param name as of library_name(); candidates of a release
/// are before it \param last like "5.0.7" or "6.0.0rc2"
bool is_open_mpi_up_to(const std::string& name, std::initializer_list<const char*> last);

/// Names what is being audited while it lives, for the message of an MPI error.
class Activity {
  public:
    explicit Activity(std::string what);
    ~Activity();
    Activity(const Activity&) = delete;
    Activity& operator=(const Activity&) = delete;

  private:
    std::string outer_;
};

/// The library's text of an error code, its first line.
std::string error_text(int code);

/// What is being done, in words that stay where they are meanwhile: for a signal handler.
const char* current_activity_text();

/// Prints `message` with the rank and the current activity, and ends all ranks with exit code 70.
[[noreturn]] void abort_audit(const std::string& message);

}  // namespace mpiaudit
