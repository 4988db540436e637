// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/gather/direct_subtrees.h"

#include <algorithm>
#include <array>
#include <utility>

#include "collectives/gather/gather_tags.h"
#include "messages/kept_with.h"

namespace mpiaudit {
namespace {

struct Announcement {
    std::int64_t call_number;
    Subtree subtree;
};

/// Kept with the communicator.
struct DegradingCalls {
    std::int64_t next_number = 0;
    std::vector<Announcement> early;
};

Announcement receive_announcement(MPI_Comm comm) {
    std::array<std::int64_t, 3> message{};
    const int source = messages::receive_from_any(message.data(), static_cast<int>(message.size()),
                                                  MPI_INT64_T, GatherTag::direct_subtree, comm);
    return {message[0], {source, static_cast<int>(message[1]), static_cast<int>(message[2]), 0}};
}

}  // namespace

std::int64_t next_degrading_call(MPI_Comm private_comm) {
    return kept_with<DegradingCalls>(private_comm).next_number++;
}

void announce_direct_subtree(const Subtree& subtree, std::int64_t call_number, int root,
                             MPI_Comm private_comm) {
    const std::array<std::int64_t, 3> message = {call_number, subtree.first, subtree.ranks};
    messages::send(message.data(), static_cast<int>(message.size()), MPI_INT64_T, root,
                   GatherTag::direct_subtree, private_comm);
}

std::vector<Subtree> direct_subtrees(std::int64_t count, std::int64_t call_number,
                                     MPI_Comm private_comm) {
    std::vector<Announcement>& early = kept_with<DegradingCalls>(private_comm).early;
    std::vector<Subtree> subtrees;
    const auto keep_others = [&](const Announcement& announcement) {
        if (announcement.call_number != call_number) return false;
        subtrees.push_back(announcement.subtree);
        return true;
    };
    std::erase_if(early, keep_others);
    while (std::ssize(subtrees) < count) {
        const Announcement announcement = receive_announcement(private_comm);
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
