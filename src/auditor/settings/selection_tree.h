// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace mpiaudit::settings {

/// A blocking call of a collective, as the selections of libraries see it.
struct Call {
    std::string collective;  ///< MPI_Bcast
    int ranks = 0;
    std::int64_t total_bytes = 0;  ///< the vector, or all blocks together
    std::int64_t element_bytes = 1;
    auto operator<=>(const Call&) const = default;
};

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
    /// Returns the name of the algorithm for a call, such as binomial. If the choice depends on
    /// more than a Call tells, returns the part of the tree that decides, as JSON. Returns an empty
    /// text if the tree has no branch for the call.
    std::string choice(const Call& call) const;
    /// Returns the limits of sizes at which the choice for a collective may change, in bytes of all
    /// blocks together.
    std::vector<std::int64_t> limits(const std::string& collective, int ranks) const;

  private:
    std::shared_ptr<const nlohmann::ordered_json> tree_;
};

}  // namespace mpiaudit::settings
