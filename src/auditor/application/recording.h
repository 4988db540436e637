// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memory/memory_kind.h"

/// The collective calls of an application, as libmpiaudit-record.so writes them.
namespace mpiaudit::application {

/// Ranks in MPI_COMM_WORLD, in the order of their group.
using Ranks = std::vector<int>;

struct Host {
    std::string name;
    Ranks ranks;
};

struct Group {
    Ranks ranks;
    std::int64_t communicators = 0;  ///< number of communicators of these ranks
};

/// Type of the elements of a call, as described by the lowest rank.
struct Element {
    std::string name;       ///< MPI_INT; "derived" if not predefined
    std::int64_t size = 0;  ///< bytes of data
    std::int64_t extent = 0;
    std::string kind;  ///< predefined, contiguous or gapped
};

struct Operation {
    std::string name;  ///< MPI_SUM; empty for an operator of the application
    bool is_commutative = true;
};

/// Block sizes in bytes, aggregated because the list would be too long: their sum, the largest, the
/// number of empty blocks, and the number of blocks.
struct Summary {
    std::int64_t sum = 0, largest = 0, zeros = 0, blocks = 0;
};

/// Bytes of MPI_Alltoallv or MPI_Alltoallw calls whose ranks send blocks of different sizes.
/// sent_bytes and partners are means over calls and ranks; largest_bytes is the largest block.
struct Rows {
    double sent_bytes = 0;
    std::int64_t largest_bytes = 0;
    double partners = 0;  ///< number of ranks that receive a non-empty block
};

/// Bytes of a problem. At most one member is set; none is set if no rank knows the bytes.
struct Bytes {
    std::optional<std::int64_t> block;  ///< bytes of each rank's block, or of the vector
    std::vector<std::int64_t> blocks;   ///< bytes of the block of each rank
    std::optional<Summary> summary;
    std::optional<Rows> rows;
};

/// Seconds in calls, waiting for other ranks included.
struct Seconds {
    double sum = 0;                 ///< sum over ranks
    double max_rank = 0;            ///< time of the rank with the most
    double min_rank = 0;            ///< time of the rank with the least
    double min_call = 0;            ///< shortest call on any rank
    std::optional<double> root;     ///< time of the root, if the collective has one
    std::optional<double> waiting;  ///< sum over ranks, before calls; with --synchronise only
};

/// Addresses of the buffers of calls, counted over ranks. The recorder does not see whether the
/// program changes the contents.
struct Buffers {
    std::int64_t calls = 0;
    std::int64_t same = 0;       ///< calls with the addresses of one of the last four calls
    std::int64_t untouched = 0;  ///< calls of `same` that followed so soon that the program cannot
                                 ///< have touched the data
    MemoryKinds memory = {};     ///< of most calls
};

struct Problem {
    std::string collective;  ///< MPI_Gatherv
    std::string mode;        ///< blocking, nonblocking or persistent
    int group = 0;           ///< index of Recording::groups
    /// Rank in the group. The recorder leaves out roots on inter-communicators; a file may give a
    /// rank of the other group, MPI_ROOT or MPI_PROC_NULL.
    std::optional<int> root;
    bool is_in_place = false;
    bool is_inter = false;  ///< call on an inter-communicator, whose counts are not recorded
    std::optional<Operation> op;
    std::optional<Element> element;
    Bytes bytes;
    std::int64_t calls = 0;  ///< number of calls of one rank
    Seconds seconds;
    std::optional<Buffers> buffers;  ///< parse_problems() reads only `memory`
};

/// Time that the ranks spent in one function called from one place. An empty `function` or `object`
/// means all.
struct Share {
    std::string function;     ///< MPI_Iallreduce; empty: all functions
    std::string object;       ///< file of the calling program or library; empty: all places
    std::int64_t offset = 0;  ///< of the return address in `object`, for addr2line
    std::string symbol;       ///< calling function, if the dynamic linker knows its name
    std::int64_t calls = 0, ranks = 0;  ///< calls over all ranks; number of ranks that call
    double sum = 0, max_rank = 0, min_rank = 0, waiting = 0;  ///< seconds
    int most_on = 0, least_on = 0;  ///< the ranks with max_rank and min_rank
};

/// Calls that are in no problem, because the recorder had no room for further problems.
struct Lost {
    std::int64_t calls = 0;
    double seconds = 0;
};

/// Set if the ranks could not be merged (MPI_Abort, exit without MPI_Finalize, MPI_Init not seen):
/// the file then holds one rank only.
struct Part {
    int rank = 0;
    std::string reason;
};

struct Recording {
    std::string library;  ///< first line of MPI_Get_library_version
    std::string program;
    int ranks = 1;
    std::vector<Host> hosts;
    std::string threads;
    double wall_seconds = 0;
    double delayed_seconds = 0;  ///< sum over ranks: ready to run, but without a core
    bool is_synchronised = false;
    std::optional<Part> part;
    Lost lost;
    std::vector<Group> groups;
    std::vector<Problem> problems;
    std::vector<Share> shares;  ///< longest time first; parse_problems() leaves them out
};

/// Reads a file of `mpiaudit record`, without its shares and delayed seconds. Throws
/// std::invalid_argument that names the file, the place and the error. \param origin the file's
/// name
Recording parse_problems(const std::string& text, const std::string& origin);

}  // namespace mpiaudit::application
