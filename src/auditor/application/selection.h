// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "application/recording.h"

/// From what an application calls to what an audit measures.
namespace mpiaudit::application {

/// A recorded problem in the words of an audit. A collective whose count is the same on all ranks,
/// such as MPI_Allreduce, has as many elements as all blocks of an audit's problem together; all
/// others have a block of each rank.
struct SelectedProblem {
    std::string name;        ///< 3-Gatherv: its place in the recording, from 1, and the collective
    std::string collective;  ///< MPI_Gatherv
    std::vector<std::int64_t> counts;  ///< elements of each rank's block
    std::string element;               ///< as --element has it
    std::string op;                    ///< as --op has it; empty where nothing is reduced
    int root = 0;
    /// Numbers of the kind whose sum and product depend on the order are added or multiplied.
    bool depends_on_order = false;
    std::vector<std::string> stand_ins;  ///< "MPI_MIN as max": what is audited instead
    std::int64_t calls = 0;              ///< of one rank
    double seconds = 0;                  ///< in all calls: mean over the ranks of the application
    double share = 1;                    ///< of the application's ranks that make the calls

    bool operator==(const SelectedProblem&) const = default;
};

/// A recorded problem that is not audited.
struct LeftOutProblem {
    std::string name = {}, collective = {};
    std::int64_t calls = 0;
    double seconds = 0;
    std::string reason = {};
    std::string command = {};  ///< that audits it; empty where none does
    // Where what is decided about the collective matters to it:
    bool is_elsewhere = false;         ///< a blocking call of other groups of ranks
    bool is_here = false;              ///< a blocking call of ranks like those of the launch
    bool is_placed_otherwise = false;  ///< elsewhere, by as many ranks on other hosts

    bool operator==(const LeftOutProblem&) const = default;
};

/// What of an application is audited in a launch; most time first.
struct Selection {
    std::string program, library;  ///< of the recording
    int ranks = 1;
    double seconds = 0;  ///< in collectives, waiting included: mean over the ranks
    std::vector<SelectedProblem> problems;
    std::vector<LeftOutProblem> left_out;
};

/// The ranks that are to audit.
struct Launch {
    int ranks = 1;
    std::vector<int> hosts;  ///< of each rank, any numbers; empty where nobody knows
};

/// Those problems of groups that have as many ranks as the launch, on as many hosts; equal ones
/// once.
/// \param file of the recording, for the commands that audit the others
Selection select(const Recording& recording, const Launch& launch, const std::string& file);

}  // namespace mpiaudit::application
