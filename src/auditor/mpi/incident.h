// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "causes/fault.h"
#include "mpi/watchdog.h"

/// Reports of a rank whose process is about to end, from a signal handler or from a thread beside
/// one that hangs: nothing here allocates, locks or calls MPI.
namespace mpiaudit::incident {

struct EndReport;  // in incident.cpp

/// Formats a text into a buffer without allocating; cuts off longer texts.
template <class... Parts>
std::string_view text_in(std::array<char, 4096>& buffer, fmt::format_string<Parts...> form,
                         Parts&&... parts) {
    const auto end =
        fmt::format_to_n(buffer.data(), buffer.size() - 1, form, std::forward<Parts>(parts)...).out;
    *end = '\0';
    return {buffer.data(), end};
}

/// The current facts of name_tested() and note_incidents_in(). The texts stay valid while this
/// object lives, whatever other threads publish meanwhile.
class Facts {
  public:
    Facts();
    ~Facts();
    Facts(const Facts&) = delete;
    Facts& operator=(const Facts&) = delete;

    /// \param operation a number in under_test::State
    std::string_view operation_name(int operation) const;
    std::string_view problem_name() const;
    double expected_s() const;
    std::string_view remedy() const;
    std::string_view folder() const;

  private:
    const EndReport* known_;
};

/// The fourth line of a note: `unclear` if the loss of a host may be the cause.
inline constexpr std::string_view clear = "clear", unclear = "unclear";

/// Writes a note about an operation to a file of this rank. \param what in words: "hangs: ..."
void note(int rank, int operation, FaultKind kind, std::string_view what,
          std::string_view clearness);
/// Writes to standard error without buffering.
void write_error(std::string_view text);

/// Makes crash signals, and an exit within a call, print the operation under test on this rank.
void name_crashes(int rank);

/// From now on, a crash ends the process with this exit code, not by the signal.
void end_crashes_with(int code);

/// Makes accesses to guard pages (see guard/guarded_memory.h) succeed after they are recorded for
/// take_broken_bound(), so that the call goes on. Other faults reach their former handlers.
void watch_bounds();

/// Returns the first access to a guard page since the last call of this function, such as "wrote
/// behind the end of a buffer"; nullptr if there was none.
const char* take_broken_bound();

}  // namespace mpiaudit::incident
