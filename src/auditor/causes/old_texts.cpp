// SPDX-License-Identifier: BSD-3-Clause
#include "causes/old_texts.h"

#include <cstdio>
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

Reason reason_of_old_text(const std::string& text) {
    if (text == in_words({ReasonKind::no_time})) return {ReasonKind::no_time};
    double measured = 0, budget = 0, all = 0;
    char unit = 's';
    constexpr const char* form =
        "only as many algorithms as the budget allows are measured, the %lf that %*s predicted to "
        "be the fastest; --budget %lf%c measures all %lf";
    constexpr int numbers = 4;
    if (std::sscanf(text.c_str(), form, &measured, &budget, &unit, &all) == numbers) {
        const Reason reason{
            ReasonKind::slower_reference, "", {measured, all, unit == 'm' ? 60 * budget : budget}};
        if (in_words(reason) == text) return reason;
    }
    for (const ReasonKind kind :
         {ReasonKind::refused, ReasonKind::fails_in_simulation, ReasonKind::too_slow_to_simulate}) {
        Reason reason = reason_of_text(kind, text, {});
        if (reason.said != text && in_words(reason) == text) return reason;
    }
    if (text.find(" is known to ") != std::string::npos) return {ReasonKind::known_to_fail, text};
    // "needs 9.1 GiB per rank, 8.0 GiB allowed" begins with no name of a call.
    const bool is_memory = text.starts_with("needs ");
    return {is_memory ? ReasonKind::too_much_memory : ReasonKind::does_not_fit, text};
}

}  // namespace mpiaudit
