// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "mpi/watchdog.h"

/// What a rank says when its process is about to end, from a signal handler or from a thread beside
/// one that hangs: nothing here allocates, locks or calls MPI.
namespace mpiaudit::incident {

struct EndReport;  // in incident.cpp

/// Text of limited length that is put together without allocating.
template <class... Parts>
std::string_view text_in(std::array<char, 4096>& buffer, fmt::format_string<Parts...> form,
                         Parts&&... parts) {
    const auto end =
        fmt::format_to_n(buffer.data(), buffer.size() - 1, form, std::forward<Parts>(parts)...).out;
    *end = '\0';
    return {buffer.data(), end};
}

/// What is known of the tests at this moment (see name_tested() and note_incidents_in()). The texts
/// stay where they are while this object lives, whatever other threads publish meanwhile.
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

/// What is in the last line of a note of which the loss of a host may be the cause, or not.
inline constexpr std::string_view clear = "clear", unclear = "unclear";

/// Notes in a file of this rank that the operation `what`. \param what in words: "hangs: ..."
void note(int rank, int operation, std::string_view what, std::string_view clearness);
void write_error(std::string_view text);

/// From now on a signal that a crash brings, and an exit within a call, say which operation was
/// under test on this rank.
void name_crashes(int rank);

/// From now on an access to a guard page (see guard/guarded_memory.h) is noted for
/// take_broken_bound() and then succeeds, so that the call goes on. Other faults go where they went
/// before.
void watch_bounds();

/// The first access to a guard page since the last call of this function: "wrote behind the end of
/// a buffer"; nullptr when there was none.
const char* take_broken_bound();

}  // namespace mpiaudit::incident
