// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Files and variables that make an MPI library choose its algorithms. This room calls no MPI
/// function.
namespace mpiaudit::settings {

// Rule files of Open MPI's component coll/tuned: algorithms by the sizes of communicator and data.

/// The size in bytes that coll/tuned compares with the sizes of a file.
enum class Compared {
    vector,      ///< the vector
    all_blocks,  ///< all blocks together
    mean_block,  ///< the mean of all blocks
    nothing,     ///< always 0: only the first size of a file can act
};

struct TunedCollective {
    std::string_view name;  ///< MPI_Bcast
    int number;             ///< in files of the form before JSON
    Compared compared = Compared::nothing;
    /// False if ranks compare different sizes, such as MPI_Gather at a root in place, and would
    /// take different algorithms.
    bool is_known_to_all = false;
    /// False if coll/tuned has no algorithms for the collective and ignores its rules.
    bool has_algorithms = true;
};

/// Returns the collective of this name or number; null if files cannot name it.
const TunedCollective* find_tuned(std::string_view name);
const TunedCollective* find_tuned(int number);

/// Returns the size that coll/tuned compares in a call with this many bytes in all.
std::int64_t compared_bytes(const TunedCollective& collective, std::int64_t total_bytes, int ranks);

constexpr std::int64_t any_bytes = std::numeric_limits<std::int64_t>::max();

/// An algorithm for a range of sizes in bytes, as the library compares them.
struct SizeRule {
    std::int64_t from = 0, to = any_bytes;  ///< both included
    int algorithm = 0;                      ///< 0: the library's own choice
    std::string name = {};                  ///< of the algorithm, if the file has a name
    bool is_own_choice() const { return algorithm == 0 && name.empty(); }
};

struct RulesOfRanks {
    int from = 0, to = std::numeric_limits<int>::max();  ///< ranks, both included
    /// The number of ranks in the file, which may be larger than `from`: Open MPI takes the first
    /// entry of a file for fewer ranks, too.
    int written = 0;
    std::vector<SizeRule> sizes;
};

struct RulesOfCollective {
    const TunedCollective* collective = nullptr;
    std::vector<RulesOfRanks> ranks;

    /// Returns the entry for this number of ranks; null if there is none.
    const RulesOfRanks* find(int number_of_ranks) const;
    /// Returns the rule for a call; null if the library chooses by itself.
    const SizeRule* rule(int number_of_ranks, std::int64_t total_bytes) const;
};

/// Reads the file as this version of Open MPI does, which ignores a file with an error without a
/// message. Throws std::invalid_argument with the reason for which the version ignores the file.
/// \param library as library_name() returns it: Open MPI v4.1.4
std::vector<RulesOfCollective> read_tuned_rules(const std::string& text,
                                                const std::string& library);

}  // namespace mpiaudit::settings
