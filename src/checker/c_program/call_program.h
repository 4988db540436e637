// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "calls/properties.h"

namespace mpiaudit {

/// Returns a C program that needs nothing but MPI: it makes a generated call with known contents on
/// any number of ranks, and each rank prints RIGHT RESULT, or WRONG RESULT with the first wrong
/// element. The program ends by itself if the call hangs.
/// \param remarks lines of the comment at its beginning
/// \param launcher the command that starts the ranks
std::string program_of_call(const calls::ChosenCall& call, const std::vector<std::string>& remarks,
                            const std::string& launcher);

/// Returns the program of the call in the text, with its sentence and the command that makes the
/// call in the remarks. Throws UsageError if the text is no valid call.
/// \param found lines about the fault that the call has found
std::string program_of_text(const std::string& text, std::vector<std::string> found,
                            const std::string& launcher);

/// Returns the values of the call without an effect on its program: "meanwhile=threads".
std::vector<std::string> left_out_of_program(const calls::ChosenCall& call);

}  // namespace mpiaudit
