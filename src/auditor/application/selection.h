// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "application/recording.h"

/// Selects the problems of a recorded application that an audit measures.
namespace mpiaudit::application {

/// A recorded problem as options of an audit. For a collective with one count on all ranks, such as
/// MPI_Allreduce, the counts of all ranks add up to this count.
struct SelectedProblem {
    std::string name;        ///< 3-Gatherv: index in the recording, from 1, and the collective
    std::string collective;  ///< MPI_Gatherv
    std::vector<std::int64_t> counts;  ///< elements of each rank's block
    std::string element;               ///< value of --element
    std::string op;                    ///< value of --op; empty if nothing is reduced
    int root = 0;
    /// The operator adds or multiplies floating-point numbers, so results depend on the order.
    bool depends_on_order = false;
    std::vector<std::string> stand_ins;  ///< "MPI_MIN as max": substitutes in the audit
    std::int64_t calls = 0;              ///< number of calls of one rank
    double seconds = 0;  ///< time in all calls: mean over the ranks of the application
    double share = 1;    ///< share of the application's ranks that make the calls

    bool operator==(const SelectedProblem&) const = default;
};

/// A recorded problem that is not audited, with the reason.
struct LeftOutProblem {
    std::string name = {}, collective = {};
    std::int64_t calls = 0;
    double seconds = 0;
    std::string reason = {};
    std::string command = {};  ///< command that audits it; empty if there is none
    // A selection of an algorithm for this collective would also affect this problem if:
    bool is_elsewhere = false;         ///< it is a blocking call on other numbers of ranks or hosts
    bool is_here = false;              ///< it is a blocking call on ranks placed as in the launch
    bool is_placed_otherwise = false;  ///< it is on as many ranks, placed on hosts in another way

    bool operator==(const LeftOutProblem&) const = default;
};

/// Problems of an application that a launch audits, longest time first.
struct Selection {
    std::string program, library;  ///< of the recording
    int ranks = 1;
    double seconds = 0;       ///< in all collectives, waiting included: mean over the ranks
    MemoryKinds memory = {};  ///< of buffers on a device in blocking calls; host without them
    std::vector<SelectedProblem> problems;
    std::vector<LeftOutProblem> left_out;
};

/// The ranks of the audit.
struct Launch {
    int ranks = 1;
    std::vector<int> hosts;  ///< host number of each rank; empty if not known
};

/// Selects the problems whose groups have as many ranks as the launch, placed on hosts in the same
/// way. Joins equal problems.
/// \param file name of the recording, for the commands that audit the other problems
Selection select(const Recording& recording, const Launch& launch, const std::string& file);

}  // namespace mpiaudit::application
