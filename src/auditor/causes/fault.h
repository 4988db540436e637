// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "judge/statistics.h"
#include "text/packed.h"

namespace mpiaudit {

/// The ways in which a call fails.
enum class FaultKind : std::uint8_t {
    wrong_value,
    outside_buffers,  ///< accesses bytes outside the buffers, or outside the received blocks
    send_buffer_changed,
    arguments_changed,  ///< arrays of counts, displacements or types
    ranks_differ,       ///< ranks get different results where all results are to be equal
    error_returned,
    wrong_communicator,
    left_early,    ///< a rank leaves a barrier before another rank has arrived
    calls_differ,  ///< equal calls have different bits, which the standard allows: a remark
    hangs,
    crashes,
    not_tried  ///< the call is known to end the program, so nobody has made the call
};
inline constexpr judge::Names<FaultKind, 12> fault_names{
    {{{FaultKind::wrong_value, "wrong value"},
      {FaultKind::outside_buffers, "outside buffers"},
      {FaultKind::send_buffer_changed, "send buffer changed"},
      {FaultKind::arguments_changed, "arguments changed"},
      {FaultKind::ranks_differ, "ranks differ"},
      {FaultKind::error_returned, "error returned"},
      {FaultKind::wrong_communicator, "wrong communicator"},
      {FaultKind::left_early, "left early"},
      {FaultKind::calls_differ, "calls differ"},
      {FaultKind::hangs, "hangs"},
      {FaultKind::crashes, "crashes"},
      {FaultKind::not_tried, "not tried"}}}};

/// What is wrong with a call. Code asks for the kind, people read the text.
struct Fault {
    FaultKind kind{};
    std::string text;  ///< "rank 1: ...", "hangs: after 60 s ..."

    /// Whether the call has ended the launch.
    bool ends_launch() const { return kind == FaultKind::hangs || kind == FaultKind::crashes; }
    bool operator==(const Fault&) const = default;
};

MPIAUDIT_MEMBERS(Fault, (kind, text))

}  // namespace mpiaudit
