// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mpiaudit {

// Files that come with mpiaudit have a kind: guidelines, distributions, networks or libraries.

/// The file of the kind "libraries" that is no choice of --library: it lists the faults that
/// releases of MPI libraries are known to have.
inline constexpr const char* known_faults_name = "known-faults";

/// Returns the folder beside an installed program, or else that of the sources or of the archive.
std::filesystem::path shipped_folder(const std::string& kind);
/// Returns the names of the files of a kind that options take, without ".json", sorted.
std::vector<std::string> shipped_names(const std::string& kind);
/// Returns the path of the file of this kind and name.
std::string shipped_file(const std::string& kind, const std::string& name);

}  // namespace mpiaudit
