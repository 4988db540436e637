// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "record/audit_record.h"
#include "report/checks.h"

namespace mpiaudit {

using NameSet = std::set<std::string, std::less<>>;

/// Returns the names of the reference algorithms that come with mpiaudit. These are not native, but
/// neither are variants of the library's operations (MPI_Igather + MPI_Wait) and moves of data
/// within a rank. A simulation may have stand-ins with the prefix MPI_.
NameSet reference_names(const std::vector<record::Implementation>& implementations);

CheckKind kind_of(const record::ContestantDescription& left, const NameSet& references);

struct ReportedContestant : record::ContestantDescription {
    /// Statistics of the launches that measured all contestants of the problem, with equal weights,
    /// so that times of one problem can be compared. None if not measured.
    std::optional<judge::Summary> statistics;
};

struct ReportedProblem : record::MeasuredProblem {
    std::size_t rounds = 0;  ///< sum over all launches
    std::vector<ReportedContestant> contestants;
};

/// The library's choice of an algorithm beside its other algorithms (--algorithms).
struct Choice {
    struct Algorithm {
        std::string name;
        double median_s = 0;
    };
    std::string problem, operation;
    double median_s = 0;                ///< median of the library's choice, seconds
    std::size_t rank = 1;               ///< place of the choice: 1 if no algorithm is faster
    std::vector<Algorithm> algorithms;  ///< fastest first
};

/// One of several launches that were judged together.
struct ReportedLaunch {
    std::string started;
    std::uint64_t order_seed = 0;
    int checks = 1;  ///< the number of checks by which the launch divided alpha
    double elapsed_s = 0;
    MachineDescription machine;
    std::optional<record::Confirms> confirms;
};

inline bool is_between_same_layouts(const record::ContestantDescription& a,
                                    const record::ContestantDescription& b) {
    return a.from == b.from && a.to == b.to;
}

/// Returns the contestant that is the same way as `wanted`; null if there is none.
template <class Contestants>
auto* same_way_in(Contestants& contestants, const record::ContestantDescription& wanted) {
    const auto found = std::ranges::find_if(contestants, [&](const auto& each) {
        return each.name == wanted.name && is_between_same_layouts(each, wanted);
    });
    return found == contestants.end() ? nullptr : &*found;
}

/// Returns the contestant of a problem with this name that runs between the layouts of the check;
/// null if there is none. The problem may be another one than that of the check.
const ReportedContestant* contestant_of(const JudgedCheck& check, const std::string& name,
                                        const ReportedProblem& problem);

/// The parts of a contestant's name, for the tables and plots of analysis/, which parse no names.
struct ContestantName {
    std::string name;            ///< MPI_Gather_init[once](m)
    std::string operation;       ///< without sizes: MPI_Gather_init[once]
    std::string label;           ///< as tables print the name: MPI_Gatherv of MPI_Gatherv(m)
    std::string implementation;  ///< record::Implementation::name, if the name is one call of such
    std::string function;        ///< MPI_Gather; empty for several calls and unknown operations
    std::string start;           ///< "persistent once" of a function called as usual else
    /// "native" for one operation of the library, however it is called, "reference" for an
    /// algorithm of mpiaudit, else "composed".
    std::string kind;
    bool is_copy = false;  ///< a second copy, which measures the audit itself
};

}  // namespace mpiaudit
