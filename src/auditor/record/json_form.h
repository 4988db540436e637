// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "record/audit_record.h"

// The JSON of a record: the lines of samples.jsonl, and the parts of a report with the same form.
// The macros MPIAUDIT_MEMBERS below the types name the keys.
//
// Reading checks everything that other code relies on: keys and types, finite numbers that are not
// negative, places within their ranges, and sizes that have to be equal. An error throws
// std::invalid_argument, which names the key and the fault:
//     contestants[2].samples_s[4] must be a number, is a string
// Unknown keys are ignored.
namespace mpiaudit::record {

/// Returns the kind of a line of samples.jsonl: header, problem, calls, incident or end; an empty
/// text for other JSON.
std::string kind_of(const nlohmann::json& line);

/// Throws std::invalid_argument for an unknown major version of the schema, too.
Header header_of(const nlohmann::json& line);
/// \param header of the audit, whose guidelines and ranks the problem has to have
ProblemRecord problem_of(const nlohmann::json& line, const Header& header);
End end_of(const nlohmann::json& line);
Incident incident_of(const nlohmann::json& line);
GeneratedCalls generated_calls_of(const nlohmann::json& line);

nlohmann::json line_of(const Header& header);
nlohmann::json line_of(const ProblemRecord& problem);
nlohmann::json line_of(const End& end);
nlohmann::json line_of(const Incident& incident);
nlohmann::json line_of(const GeneratedCalls& generated);

/// Reads the description of a problem from a report.
ProblemDescription description_of(const nlohmann::json& problem);

}  // namespace mpiaudit::record
