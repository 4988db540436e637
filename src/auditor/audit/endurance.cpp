// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include "audit/commands.h"
#include "measure/protocol.h"
#include "measure/verification.h"
#include "messages/agreement.h"
#include "messages/messages.h"
#include "messages/under_test.h"
#include "timing/clock.h"

namespace mpiaudit {
namespace {

/// Parts of the calls in a row. The first one has the set-up and the late rank.
constexpr std::size_t parts = 8;
using Parts = std::array<double, parts>;
/// Each part takes longer than the one before, and the last so many times as long as the second,
/// twice in a row: by chance one operation in 5040^2 has its parts in this order.
constexpr double clearly = 1.5, again = 1.1;
/// The other ranks can send for so long before the last one takes anything.
constexpr std::chrono::milliseconds late{50};

double growth(const Parts& seconds) {
    return std::ranges::is_sorted(seconds.begin() + 1, seconds.end()) ? seconds.back() / seconds[1]
                                                                      : 1.0;
}

}  // namespace

std::optional<std::string> endure_calls(const Path& path, const Instance& instance, int calls,
                                        int operation) {
    const int of_part = std::max(1, calls / static_cast<int>(parts));
    under_test::enter();
    const Step prepared = path.prepare(instance);
    under_test::leave();
    const auto seconds_of_parts = [&] {
        Parts seconds{};
        for (double& part_s : seconds) {
            end_if_interrupted(instance.comm);
            const double start_s = wall_time_s();
            for (int call = 0; call < of_part; ++call) {
                under_test::arrive(operation);
                under_test::enter();
                prepared.call();
                under_test::leave();
            }
            part_s = wall_time_s() - start_s;
        }
        under_test::finish();
        take_largest(seconds, instance.comm);
        return seconds;
    };
    if (messages::rank_in(instance.comm) == messages::size_of(instance.comm) - 1)
        std::this_thread::sleep_for(late);
    const double slower = growth(seconds_of_parts());
    const bool becomes_slower = slower > clearly && growth(seconds_of_parts()) > again;
    if (auto wrong = verify(prepared, path.from(), path.to(), instance))
        return fmt::format("{} (after {} calls in a row)", *wrong, calls);
    if (!becomes_slower) return std::nullopt;
    return fmt::format(
        "calls become slower: the last {0} of {1} took {2:.2f} times as long as the second {0}",
        of_part, calls, slower);
}

std::optional<std::string> endure_communicators(int wanted) {
    const int rank = messages::rank_in(MPI_COMM_WORLD);
    std::vector<MPI_Comm> made;
    std::optional<std::string> ends;
    // Groups that overlap, and gaps: numbers that one rank has free are taken on others.
    for (int k = 0; !ends && static_cast<int>(made.size()) < wanted; ++k) {
        end_if_interrupted(MPI_COMM_WORLD);
        const bool is_of_all = k % 2 == 0;
        MPI_Comm comm = MPI_COMM_NULL;
        under_test::arrive(0);
        under_test::enter();
        const int code = is_of_all
                             ? MPI_Comm_dup(MPI_COMM_WORLD, &comm)
                             : MPI_Comm_split(MPI_COMM_WORLD, (rank >> (k / 2 % 4)) & 1, 0, &comm);
        under_test::leave();
        const auto failure = text_of_lowest_rank(
            code == MPI_SUCCESS ? std::nullopt : std::optional(error_text(code)), MPI_COMM_WORLD);
        if (failure) {
            ends =
                fmt::format("{} fails beside {} communicators: {}",
                            is_of_all ? "MPI_Comm_dup" : "MPI_Comm_split", made.size(), *failure);
            if (comm == MPI_COMM_NULL) break;
        }
        made.push_back(comm);
        if (k % 5 == 4) {
            const auto old = made.begin() + static_cast<std::ptrdiff_t>(made.size() / 2);
            MPI_Comm_free(&*old);
            made.erase(old);
        }
    }
    under_test::finish();
    for (MPI_Comm& each : made) MPI_Comm_free(&each);
    return ends;
}

}  // namespace mpiaudit
