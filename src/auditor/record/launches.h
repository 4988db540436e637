// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "record/audit_record.h"

namespace mpiaudit {

/// One launch, and what the user calls it.
struct NamedAudit {
    std::string name;
    record::Audit audit;
};

/// The launches of one audit in an order that make_report() takes: audits first, then those that
/// confirm one of them, which have only some of its checks.
/// Throws UsageError with everything that differs when they are not the same audit
/// (library, ranks, options, guidelines, distributions, checks), when an audit is not complete, and
/// when two of them are one launch or share the seed of the order, so that they are not
/// independent.
std::vector<record::Audit> joined_launches(std::vector<NamedAudit> launches);

/// The folder of an audit, and those of the launches that confirm it in there: confirmation,
/// confirmation-1 and so on, where jobs/local puts them.
std::vector<std::string> with_confirmations(const std::string& folder);

/// The audits in the folders, with a warning where the end of one is lost. Throws UsageError.
std::vector<NamedAudit> read_launches(const std::vector<std::string>& folders);

/// Those of one audit, joined. A folder that stands alone has its confirmations in it, of which
/// what was broken off is left out.
std::vector<record::Audit> launches_of(const std::vector<std::string>& folders);

}  // namespace mpiaudit
