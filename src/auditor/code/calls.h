// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "code/tree.h"
#include "operations/form.h"
#include "record/audit_record.h"

// The calls of a way in a program that needs nothing but MPI. No text is read from results, but for
// the names of functions: results come from other people, and the text is compiled.
namespace mpiaudit {

/// The calls of a way.
struct CallsOfWay {
    c_text::Block calls;  ///< a whole vector has `total` elements
    /// The buffers of the input and of the result on a rank.
    c_text::Expression in, out;
    /// Reference algorithms that are called as functions (in, out), see function_in_c().
    std::vector<record::Step> algorithms = {};
    /// C that declares and fills lists before the calls.
    std::vector<std::pair<c_text::Name, c_text::Block>> definitions = {};
    bool needs_room_for_all = false;  ///< temporary buffers have the data of all ranks
    bool is_extension = false;        ///< the standard has another name for a function
};

/// Returns the calls of a path of MPI operations, reference algorithms and packed data, or of one
/// operation in a form that only tests a library: a persistent operation, a call on another
/// communicator, with other types, in a row. For parts of the data and for larger data, returns the
/// call on data of that size. Returns nothing for other ways.
std::optional<CallsOfWay> calls_of_way(const record::ContestantDescription& way,
                                       const std::vector<record::Implementation>& implementations);

/// Returns the name of the function that has the messages of a reference algorithm.
std::string function_in_c(const std::string& algorithm);

/// Returns the form in which programs usually call the operation: blocking or nonblocking, with
/// nothing in brackets.
Form usual_form(const Form& form);

/// A call of an operation that stands among other calls.
struct UsualCall {
    const MpiOperation& operation;
    c_text::Block start, wait;          ///< the halves of a nonblocking call
    c_text::Expression sent, received;  ///< bytes on this rank
};
/// Returns how a form with words in brackets calls the operation; nothing for other forms.
std::optional<c_text::Block> calls_in_form(const Form& form, const UsualCall& usual);
/// Returns the calls that make a communicator; nothing for other functions.
std::optional<c_text::Block> calls_making_communicator(const std::string& form);

// Layouts by their names in the record.

/// Returns the C condition that a rank has block b of a layout, "1" for all blocks on all ranks,
/// "0" for no data.
std::string condition_of_block(std::string_view layout);
/// Returns the number of bytes that this rank has of a layout.
c_text::Expression bytes_in(std::string_view layout);

}  // namespace mpiaudit
