// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "record/audit_record.h"

namespace mpiaudit {

/// What a check is a statement about. With an operation of the library or one of its own
/// algorithms, forced, on the left side: a verdict on the library. With a reference algorithm
/// there: a remark on that algorithm, which accuses nobody, is counted apart and fails no gate.
enum class CheckKind { verdict, remark };
std::string_view name(CheckKind kind);

using Names = std::set<std::string, std::less<>>;

/// The algorithms that come with mpiaudit. Not native are also variants of the library's own
/// operations, as MPI_Igather + MPI_Wait, whose prefix only what stands for one of them in a
/// simulation may use, and moves of data within a rank.
Names reference_names(const std::vector<record::Implementation>& implementations);

CheckKind kind_of(const record::ContestantDescription& left, const Names& references);

}  // namespace mpiaudit
