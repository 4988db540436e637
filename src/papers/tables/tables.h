// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "audit/additions.h"
#include "catalogue/arrow.h"
#include "options/protocols.h"

namespace mpiaudit {

/// Joins what reproduces papers to the auditor, before anything asks for its algorithms, arrows or
/// options: once in a program.
void join_papers(Additions& additions);

/// How the papers measured whose tables and figures the project has, by their years.
std::span<const NamedProtocol> paper_protocols();
/// All-to-all without copies, with datatypes that are made once.
std::vector<Arrow> zero_copy_arrows();
/// The datatype work of the algorithms of zero_copy.h alone.
void join_types_only();

}  // namespace mpiaudit
