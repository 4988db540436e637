// SPDX-License-Identifier: BSD-3-Clause
#include "messages/mailboxes.h"

#include <limits>
#include <stdexcept>

namespace mpiaudit {

bool Mailboxes::post(const MessageKey& key, std::vector<std::byte> contents) {
    const auto [place, is_new] = messages_.try_emplace(key, contents);
    if (!is_new && place->second != contents)
        throw std::logic_error("a rank that is run again sends something else");
    return is_new;
}

const std::vector<std::byte>* Mailboxes::find(const MessageKey& key) const {
    const auto found = messages_.find(key);
    return found == messages_.end() ? nullptr : &found->second;
}

std::vector<int> Mailboxes::senders(int to, int tag) const {
    std::vector<int> ranks;
    auto next = messages_.lower_bound({to, tag, 0, 0});
    while (next != messages_.end() && next->first.to == to && next->first.tag == tag) {
        ranks.push_back(next->first.from);
        next = messages_.upper_bound({to, tag, ranks.back(), std::numeric_limits<int>::max()});
    }
    return ranks;
}

}  // namespace mpiaudit
