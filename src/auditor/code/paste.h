// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "operations/form.h"
#include "record/audit_record.h"

// C to paste in the place of a call. A test compiles and runs the code of every way in the place of
// every operation that code_to_paste() has code for, and compares the code with the call that the
// code replaces.
namespace mpiaudit {

/// C that can stand in the place of a call.
struct PastedCode {
    std::string text;  ///< a block of C, or the variables that force an algorithm; may be empty
    /// The conditions on which the code does what the replaced call does, and the other costs of
    /// the code, in words for users: "blocks of equal size". The text has them as a comment, too.
    std::vector<std::string> needs;
};

/// Returns the code that makes a program take this way in place of a call. Arguments have their
/// names in the MPI standard, and these names only: `type` is the datatype of both sides, `count`
/// the number of elements that a rank gives or gets in its block, or the elements of the vector,
/// and `counts` and `displs` are the lists of the blocks. The block defines all other names, and
/// allocates all memory but the buffers of the replaced call, for any type of pointer.
///
/// Returns no code for ways and operations that no test compares: references, ways of more than two
/// operations, data that MPI_Pack packs, calls with MPI_IN_PLACE, and forms that only test a
/// library.
/// \param replaced the call that the code replaces
PastedCode code_to_paste(const record::ContestantDescription& way, const Way& replaced,
                         const std::vector<record::Implementation>& implementations);

/// The numbers of parts of the data for which there is code.
inline constexpr int parts_with_code[] = {2, 4, 8, 10};

}  // namespace mpiaudit
