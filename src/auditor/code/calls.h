// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "operations/form.h"
#include "record/audit_record.h"

// The C text of what an audit calls. The text of a single call follows from its form and from the
// arguments in the table of operations. Texts of other arrows stand in the catalogue. No text is
// read from results: results come from other people, and the text is compiled.
namespace mpiaudit {

/// The calls of a way, for a program that calls nothing but MPI.
struct CallsOfWay {
    std::string text;  ///< C statements; a whole vector has `total` elements
    /// The buffers of the input and of the result, as expressions on a rank.
    std::string in, out;
    /// Reference algorithms that the text calls as functions (in, out), see function_in_c().
    std::vector<record::Step> algorithms = {};
};

/// Returns the calls of a path of MPI operations; nothing for other ways. For parts of the data and
/// for larger data, returns the call on data of that size.
std::optional<CallsOfWay> calls_of_mpi(const record::ContestantDescription& way,
                                       const std::vector<record::Implementation>& implementations);

/// Returns calls_of_mpi(), or the calls of one operation in a form that only tests a library: a
/// persistent operation, a call on another communicator, with other types, in a row; nothing for
/// other ways.
std::optional<CallsOfWay> calls_of_form(const record::ContestantDescription& way,
                                        const std::vector<record::Implementation>& implementations);

/// Returns calls_of_form(), or the calls of a path with reference algorithms or packed data, for a
/// program that defines a function for each algorithm, and packed_type and packed_bytes of an
/// element.
std::optional<CallsOfWay> calls_with_algorithms(
    const record::ContestantDescription& way,
    const std::vector<record::Implementation>& implementations);

/// Returns the name of the function that has the messages of a reference algorithm.
std::string function_in_c(const std::string& algorithm);

/// Returns the form in which programs usually call the operation: blocking or nonblocking, with
/// nothing in brackets.
Form usual_form(const Form& form);

// Layouts by their names in the record.

/// Returns the C condition that a rank has block b of a layout, "1" for all blocks on all ranks,
/// "0" for no data.
std::string condition_of_block(std::string_view layout);
/// Returns the number of bytes that this rank has of a layout, as a C expression.
std::string bytes_in(std::string_view layout);

/// The block that MPI_Alltoallv sends to rank k, the block that it receives from rank k, and where
/// both blocks begin, as C expressions in elements. Blocks have `counts` elements from `displs` on.
struct Exchange {
    std::string_view sent, from, received, to;
};
/// Returns the exchange that turns one layout into another.
Exchange exchange_between(std::string_view from, std::string_view to);

/// Whether a character can be part of a word of C.
bool is_of_word(char c);
/// Whether a text has a word of C.
bool has_word(const std::string& text, const std::string& word);
/// Replaces a text wherever it stands as a word of C.
void replace_word(std::string& text, const std::string& word, const std::string& by);

}  // namespace mpiaudit
