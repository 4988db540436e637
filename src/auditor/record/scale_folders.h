// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace mpiaudit {

/// A number of ranks or nodes that one audit of a launch is about.
struct AuditScale {
    std::string unit;  ///< "ranks" or "nodes"
    int number = 0;

    /// Returns the name of the audit's folder: ranks-4.
    std::string folder_name() const;
    /// Returns "1 rank", "4 ranks".
    std::string in_words() const;
};

/// The report and the answer of all scales stand in the folder above those of the scales.
inline constexpr const char* scaling_file = "scaling.json";

/// Returns the scales of the audits in a folder, by rising number; empty for the folder of a single
/// audit.
std::vector<AuditScale> scales_in(const std::string& folder);

/// Returns the folder of the audit of a scale.
std::string folder_of(const std::string& folder, const AuditScale& scale);

}  // namespace mpiaudit
