// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace mpiaudit::settings {

/// Returns the tree built into the MPICH library of this process, read from the library's file;
/// nullopt for other libraries or if there is no tree.
std::optional<std::string> own_selection();

/// A selection file of MPICH: a JSON tree of algorithms by size, which replaces the built-in tree.
class SelectionTree {
  public:
    /// Throws std::invalid_argument if the text is no such tree.
    explicit SelectionTree(const std::string& text);

    /// Returns the blocking collectives of the tree: MPI_Bcast.
    std::vector<std::string> collectives() const;

  private:
    std::shared_ptr<const nlohmann::ordered_json> tree_;
};

}  // namespace mpiaudit::settings
