// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What an application calls: what libmpiaudit-record.so writes and others read.
namespace mpiaudit::application {

/// Ranks of MPI_COMM_WORLD in the order of a group.
using Ranks = std::vector<int>;

struct Host {
    std::string name;
    Ranks ranks;
};

struct Group {
    Ranks ranks;
    std::int64_t communicators = 0;  ///< of these ranks in this order
};

/// The type of the elements, as the lowest rank describes it.
struct Element {
    std::string name;       ///< MPI_INT; "derived" when it is not predefined
    std::int64_t size = 0;  ///< bytes of data
    std::int64_t extent = 0;
    std::string kind;  ///< predefined, contiguous or gapped
};

struct Operation {
    std::string name;  ///< MPI_SUM; empty for one of the application's
    bool is_commutative = true;
};

/// Sums where each block is too much to be kept.
struct Summary {
    std::int64_t sum = 0, largest = 0, zeros = 0, blocks = 0;
};

/// Of an Alltoallv or Alltoallw whose ranks send blocks of different sizes: means over calls and
/// ranks.
struct Rows {
    double sent_bytes = 0;
    std::int64_t largest_bytes = 0;
    double partners = 0;  ///< ranks that get something
};

/// The bytes of a problem; at most one of the members is there, none where nobody knows.
struct Bytes {
    std::optional<std::int64_t> block;  ///< of each rank's block, or of the vector
    std::vector<std::int64_t> blocks;   ///< of each rank
    std::optional<Summary> summary;
    std::optional<Rows> rows;
};

/// Time in calls. Most of it is waiting when ranks do not come at the same time.
struct Seconds {
    double sum = 0;              ///< over ranks
    double max_rank = 0;         ///< of the rank with most of it
    double min_rank = 0;         ///< of the rank with least
    double min_call = 0;         ///< shortest call on any rank
    std::optional<double> root;  ///< of the root, if there is one
    std::optional<double>
        waiting;  ///< over ranks, before the call: measured with --synchronise only
};

/// Where the buffers of calls lay, counted over ranks. Whether a program changes them is not seen.
struct Buffers {
    std::int64_t calls = 0;
    std::int64_t same = 0;       ///< at the addresses of one of the last four calls
    std::int64_t untouched = 0;  ///< among these: too soon to have been read or written meanwhile
};

struct Problem {
    std::string collective;  ///< MPI_Gatherv
    std::string mode;        ///< blocking, nonblocking or persistent
    int group = 0;           ///< index of Recording::groups
    std::optional<int> root;
    bool is_in_place = false;
    bool is_inter = false;  ///< on an inter-communicator, of which nothing else is read
    std::optional<Operation> op;
    std::optional<Element> element;
    Bytes bytes;
    std::int64_t calls = 0;  ///< of one rank
    Seconds seconds;
    std::optional<Buffers> buffers;  ///< written, and read by jobs/loop only
};

/// What the ranks spend in one function, or in all, called from one place, or from anywhere.
struct Share {
    std::string function;     ///< MPI_Iallreduce; empty: in all of them
    std::string object;       ///< file of the program or library that calls; empty: from anywhere
    std::int64_t offset = 0;  ///< behind the call, as addr2line takes it
    std::string symbol;       ///< of the calling function, where the dynamic linker knows it
    std::int64_t calls = 0, ranks = 0;                        ///< over ranks; ranks that called
    double sum = 0, max_rank = 0, min_rank = 0, waiting = 0;  ///< seconds
    int most_on = 0, least_on = 0;                            ///< ranks with max_rank and min_rank
};

/// Calls that no problem has, as there was no room for more of them.
struct Lost {
    std::int64_t calls = 0;
    double seconds = 0;
};

/// A file of one rank alone.
struct Part {
    int rank = 0;
    std::string reason;
};

struct Recording {
    std::string library;  ///< first line of what MPI_Get_library_version says
    std::string program;
    int ranks = 1;
    std::vector<Host> hosts;
    std::string threads;
    double wall_seconds = 0;
    double delayed_seconds = 0;  ///< over ranks: ready, but without a processor
    bool is_synchronised = false;
    std::optional<Part> part;
    Lost lost;
    std::vector<Group> groups;
    std::vector<Problem> problems;
    std::vector<Share> shares;  ///< most time first; not read again
};

/// What `mpiaudit record` has written. Throws std::invalid_argument that names the file, the place
/// in it and what is wrong. \param origin the file's name
Recording parse_problems(const std::string& text, const std::string& origin);

}  // namespace mpiaudit::application
