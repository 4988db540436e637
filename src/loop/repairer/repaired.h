// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "interposition/arguments.h"
#include "interposition/library.h"
#include "repairer/session.h"

namespace mpiaudit::repairer {

/// The buffers in which this rank receives the result of a call, so that the call can be made
/// twice.
class Received {
  public:
    Received(interposition::Shape shape, const interposition::Arguments& call, bool is_exclusive);

    /// Returns the contents of the buffers; restore() writes them back, except for gaps in types,
    /// where no call writes.
    std::string contents() const;
    void restore(const std::string& contents) const;
    /// Returns the part of the contents that the call defines.
    std::string result() const;

  private:
    struct Piece {
        void* address;
        std::int64_t count;
        MPI_Datatype type;
    };
    void add(const void* buffer, std::int64_t displacement, std::int64_t count, MPI_Datatype type);
    void add_all(const void* buffer, std::int64_t count, MPI_Datatype type, int blocks);
    std::string packed(std::size_t first, std::size_t pieces) const;

    MPI_Comm comm_;
    std::vector<Piece> pieces_;
    std::size_t defined_ = 0;  ///< number of the first pieces, which the call defines
};

/// Returns whether the application makes this call while rules are active.
inline bool is_active() {
    return interposition::depth == 0 && session.phase == Phase::on;
}

/// Returns whether a function has int counts. Calls with MPI_Count are left to the library, because
/// paths have int counts.
constexpr bool has_int_counts(std::string_view function) {
    return !function.ends_with("_c");
}

/// Adds the time of a call to session.ticks if a report is wanted.
class Timed {
  public:
    Timed() : begin_(session.report.empty() ? 0 : interposition::ticks()) {}
    ~Timed() {
        if (begin_ != 0) session.ticks += interposition::ticks() - begin_;
    }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

  private:
    std::int64_t begin_;
};

/// Counts a result that differs from the library's, and prints the first one.
void note_difference(AppliedRule& applied, const interposition::Arguments& arguments);

/// Notes a call after which the ranks have different results. Collective.
void compare_ranks(AppliedRule& applied, MPI_Comm comm, const std::string& result);

template <class Next, class... T>
int taken(AppliedRule& applied, const interposition::Arguments& arguments, Next next, T... values) {
    ++applied.calls;
    const int returned = paths::take(applied.path, arguments, next, values...);
    const int noted = take_error();
    if (noted == MPI_SUCCESS) return returned;
    // The handler of the call's communicator is the one that the application knows.
    PMPI_Comm_call_errhandler(arguments.comm, noted);
    return noted;
}

/// Makes a call by the path of its rule, or by the library. In mode verify makes both calls and
/// keeps the library's result.
template <bool has_int_counts, class Next, class... T>
int repaired(OfCollective& own, interposition::Shape shape,
             const interposition::Arguments& arguments, Next next, T... values) {
    const interposition::Inside inside;
    const Timed timed;
    if constexpr (has_int_counts) {
        AppliedRule* applied = match(own, shape, arguments);
        if (applied == nullptr) return next(values...);
        if (session.mode != Mode::verify) return taken(*applied, arguments, next, values...);
        const Received received(shape, arguments, own.collective->name == "MPI_Exscan");
        const std::string before = received.contents();
        const int code = taken(*applied, arguments, next, values...);
        if (code != MPI_SUCCESS) return code;
        const std::string repaired_result = received.result();
        // Sums may be rounded in another way than the library's, but alike on all ranks.
        if (own.collective->is_reduction() && own.collective->to == Holding::replicated)
            compare_ranks(*applied, arguments.comm, repaired_result);
        received.restore(before);
        const int native_code = next(values...);
        if (native_code == MPI_SUCCESS && received.result() != repaired_result)
            note_difference(*applied, arguments);
        return native_code;
    } else {
        return next(values...);
    }
}

/// Calls `next`, which starts a nonblocking or persistent collective, and counts it on rank 0 of
/// its communicator if it succeeds.
template <class Next>
int seen(std::atomic<std::int64_t>& calls, MPI_Comm comm, const Next& next) {
    const interposition::Inside inside;
    const int code = next();
    if (code != MPI_SUCCESS) return code;
    int rank = 0, is_inter = 0;
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0) PMPI_Comm_test_inter(comm, &is_inter);
    if (rank == 0 && is_inter == 0) ++calls;
    return code;
}

}  // namespace mpiaudit::repairer
