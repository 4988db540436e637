// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <vector>

namespace mpiaudit {

/// One message by which the ranks of a recorded call steer each other: those of a pair of ranks
/// with the same tag are numbered in their order.
struct MessageKey {
    int to;
    int tag;
    int from;
    int number;
    auto operator<=>(const MessageKey&) const = default;
};

/// The contents of the messages that ranks steer each other by, kept for receivers that come later
/// or again.
class Mailboxes {
  public:
    /// False when the message is there already: a rank that runs again sends what it has sent.
    /// Throws std::logic_error when it sends something else.
    bool post(const MessageKey& key, std::vector<std::byte> contents);
    /// Null when it has not been sent yet.
    const std::vector<std::byte>* find(const MessageKey& key) const;
    /// Ranks that have sent a message with this tag to `to`, in their order.
    std::vector<int> senders(int to, int tag) const;

  private:
    std::map<MessageKey, std::vector<std::byte>> messages_;
};

}  // namespace mpiaudit
