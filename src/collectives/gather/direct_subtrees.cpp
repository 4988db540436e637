// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/direct_subtrees.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "collectives/call/tags.h"

namespace mpiaudit {
namespace {

struct Announcement {
    std::int64_t call_number;
    Subtree subtree;
};

/// Kept as an attribute of the communicator.
struct DegradingCalls {
    std::int64_t next_number = 0;
    std::vector<Announcement> early;
};

int delete_calls(MPI_Comm, int, void* value, void*) {
    const std::unique_ptr<DegradingCalls> calls(static_cast<DegradingCalls*>(value));
    return MPI_SUCCESS;
}

DegradingCalls& calls_on(MPI_Comm comm) {
    static const int key = [] {
        int created = MPI_KEYVAL_INVALID;
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_calls, &created, nullptr);
        return created;
    }();
    DegradingCalls* calls = nullptr;
    int found = 0;
    MPI_Comm_get_attr(comm, key, &calls, &found);
    if (!found) {
        calls = new DegradingCalls;
        MPI_Comm_set_attr(comm, key, calls);
    }
    return *calls;
}

Announcement receive_announcement(MPI_Comm comm) {
    std::array<std::int64_t, 3> message{};
    MPI_Status status;
    MPI_Recv(message.data(), static_cast<int>(message.size()), MPI_INT64_T, MPI_ANY_SOURCE,
             Tag::direct_subtree, comm, &status);
    return {message[0],
            {status.MPI_SOURCE, static_cast<int>(message[1]), static_cast<int>(message[2]), 0}};
}

}  // namespace

std::int64_t next_degrading_call(const Ranks& ranks) {
    return calls_on(ranks.comm).next_number++;
}

void announce_direct_subtree(const Subtree& subtree, std::int64_t call_number, int root,
                             const Ranks& ranks) {
    const std::array<std::int64_t, 3> message = {call_number, subtree.first, subtree.ranks};
    MPI_Send(message.data(), static_cast<int>(message.size()), MPI_INT64_T, root,
             Tag::direct_subtree, ranks.comm);
}

std::vector<Subtree> direct_subtrees(std::int64_t count, std::int64_t call_number,
                                     const Ranks& ranks) {
    std::vector<Announcement>& early = calls_on(ranks.comm).early;
    std::vector<Subtree> subtrees;
    const auto keep_others = [&](const Announcement& announcement) {
        if (announcement.call_number != call_number) return false;
        subtrees.push_back(announcement.subtree);
        return true;
    };
    std::erase_if(early, keep_others);
    while (std::ssize(subtrees) < count) {
        const Announcement announcement = receive_announcement(ranks.comm);
        if (announcement.call_number == call_number)
            subtrees.push_back(announcement.subtree);
        else
            early.push_back(announcement);
    }
    std::ranges::sort(subtrees, {}, [](const Subtree& subtree) {
        return std::pair(subtree.first, -subtree.ranks);
    });
    return subtrees;
}

}  // namespace mpiaudit
