// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "record/audit_record.h"

// The JSON of a record: the lines of samples.jsonl, and the parts that a report has in the same
// form. The keys stand below the types (MPIAUDIT_MEMBERS).
//
// Reading checks everything that is read, so that whoever has a record need not: keys and types,
// finite numbers that are not negative, places within the range of what they point at, sizes that
// have to be equal. It throws std::invalid_argument, which says the key and what is wrong with it:
//     contestants[2].samples_s[4] must be a number, is a string
// Keys that it does not know are left out.
namespace mpiaudit::record {

/// What a line of samples.jsonl is: header, problem, incident or end; empty for what is no line of
/// it.
std::string kind_of(const nlohmann::json& line);

/// Also for another major version of the schema std::invalid_argument.
Header header_of(const nlohmann::json& line);
/// \param header of the audit, whose guidelines and ranks the problem has to have
ProblemRecord problem_of(const nlohmann::json& line, const Header& header);
End end_of(const nlohmann::json& line);
Incident incident_of(const nlohmann::json& line);

nlohmann::json line_of(const Header& header);
nlohmann::json line_of(const ProblemRecord& problem);
nlohmann::json line_of(const End& end);
nlohmann::json line_of(const Incident& incident);

/// What a report says of a problem in the same form.
ProblemDescription description_of(const nlohmann::json& problem);

}  // namespace mpiaudit::record
