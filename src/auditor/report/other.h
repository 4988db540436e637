// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/audit_record.h"

namespace mpiaudit {

/// The time that an application could save on one of its problems by the fastest way that was
/// found. Times in all calls are means over the ranks of the application, in seconds.
struct Saving {
    std::string problem, collective;
    std::int64_t calls = 0;        ///< number of calls of one rank
    double recorded_s = 0;         ///< seconds in all calls, waiting included
    double library_s = 0;          ///< median of a call in the audit, seconds
    std::string instead = {};      ///< the contestant; empty if no way is faster
    double factor = 1;             ///< time of the library over time of the contestant
    double saved_s = 0;            ///< seconds in all calls
    double low_s = 0, high_s = 0;  ///< saved_s at the ends of the factor's interval
    std::size_t launches = 1;      ///< number of launches that found the saving
};

/// The measured problems of an application, largest saving first. Times are seconds.
struct Savings {
    double recorded_s = 0;  ///< seconds in all collectives of the application
    double audited_s = 0;   ///< seconds in the collectives that were measured
    double saved_s = 0, low_s = 0, high_s = 0;
    std::vector<Saving> problems;
};

/// Memory that an operation of the library allocates and never frees.
struct MemoryLoss {
    std::string operation;  ///< MPI_Gather_init[once]
    std::string function;   ///< the library's own name: MPIX_Gather_init
    std::string when;       ///< at each MPI_Request_free, at each MPI_Start, in each call
    double bytes = 0;       ///< each time; the median over the problems that measured it
};

/// An operation of the library that is usually fast, and of which some calls take far longer
/// (judge/tails.h), while the other ways have no such calls.
struct Tail {
    std::string operation;     ///< MPI_Bcast
    std::string contestant;    ///< MPI_Bcast(m)
    bool after_pause = false;  ///< the calls followed a pause of all ranks
    int calls = 0, long_calls = 0;
    int other_long_calls = 0;  ///< in as many calls of the other ways
    double usual_s = 0;  ///< median of the usual calls where most long calls were seen, seconds
    double long_s = 0;   ///< median of the long calls, seconds
    double share = 0;    ///< as judge::TailJudgement::share
    double log_e = 0;    ///< natural logarithm of the evidence
    std::string beside;  ///< the other way in most of the calls
};

/// The time of messages in one launch, and the speed of the memory of the first host.
struct MessageTimes {
    LinearModel model;
    std::optional<HostSpeed> speed = {};   ///< none in a simulation, and if the host has one rank
    std::size_t hosts = 1;                 ///< number of hosts
    std::optional<double> link_rate = {};  ///< nominal, in bytes per second (--link)
    bool are_slow = false;  ///< slower than shared memory, other load or the link explain
};

}  // namespace mpiaudit
