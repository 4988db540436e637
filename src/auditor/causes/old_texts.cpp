// SPDX-License-Identifier: BSD-3-Clause
#include "causes/old_texts.h"

#include <string_view>
#include <utility>

namespace mpiaudit {

Fault fault_of_old_text(const std::string& text) {
    using enum FaultKind;
    if (text.starts_with("hangs")) return {hangs, text};
    if (text.starts_with("crashes")) return {crashes, text};
    // Words that no text of another kind has. A text about a send buffer also has words of others.
    static constexpr std::pair<FaultKind, std::string_view> words[] = {
        {hangs, " is known to hang "},
        {crashes, " is known to crash "},
        {not_tried, "known to end the program;"},
        {error_returned, "returned the error "},
        {error_returned, "returned an error"},
        {error_returned, " returns an error: "},
        {send_buffer_changed, "the send buffer was changed"},
        {send_buffer_changed, "changes the send buffer"},
        {arguments_changed, " counts or displacements of "},
        {arguments_changed, "an array of counts, "},
        {ranks_differ, "ranks get different sums"},
        {ranks_differ, "have different bits"},
        {left_early, "before this rank had entered"},
        {left_early, "leaves the barrier before "},
        {outside_buffers, " the start of a buffer"},
        {outside_buffers, " the end of a buffer"},
        {outside_buffers, "outside the received blocks"},
        {wrong_communicator, "makes no communicator"},
        {wrong_communicator, "the communicator has "},
        {wrong_communicator, "the rank in the communicator "},
        {wrong_communicator, "in the new communicator"},
        {wrong_communicator, "the remote group has "}};
    for (const auto& [kind, part] : words)
        if (text.find(part) != std::string::npos) return {kind, text};
    return {wrong_value, text};
}

}  // namespace mpiaudit
