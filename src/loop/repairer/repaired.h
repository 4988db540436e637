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

/// The data that a rank has where a call puts its result, so that the call can be made twice.
class Received {
  public:
    Received(interposition::Shape shape, const interposition::Arguments& call, bool is_exclusive);

    /// What is there now. Restored, it is there again, but for the gaps in types, where no call
    /// writes.
    std::string contents() const;
    void restore(const std::string& contents) const;
    /// The part of it that the call defines.
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
    std::size_t defined_ = 0;  ///< of the pieces, the first ones
};

/// Whether a call is the application's, and to be looked at.
inline bool is_active() {
    return interposition::depth == 0 && session.phase == Phase::on;
}

/// Functions with counts of MPI_Count stay the library's: paths have counts of int.
constexpr bool has_int_counts(std::string_view function) {
    return !function.ends_with("_c");
}

/// Adds the time in a call, where somebody asks for it.
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

/// Says that a rank has another result than with the library.
void note_difference(AppliedRule& applied, const interposition::Arguments& arguments);

/// Notes a call after which the ranks have different results. Collective.
void compare_ranks(AppliedRule& applied, MPI_Comm comm, const std::string& result);

template <class Next, class... T>
int taken(AppliedRule& applied, const interposition::Arguments& arguments, Next next, T... values) {
    ++applied.calls;
    const int returned = paths::take(applied.path, arguments, next, values...);
    const int noted = take_error();
    if (noted == MPI_SUCCESS) return returned;
    // On the communicator of the call, whose handler the application knows.
    PMPI_Comm_call_errhandler(arguments.comm, noted);
    return noted;
}

/// Makes the call: by the path of the rule that is about it, or by the library.
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

/// Makes a call that begins a collective, and counts it where it has not failed: on one rank of its
/// communicator, so that the sum over ranks is a number of calls.
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
