// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/table.h"

#include <algorithm>
#include <iterator>

#include "memory/kind_of_address.h"

namespace mpiaudit::recorder {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 29);
}

bool is_buffer(const void* address) {
    return address != nullptr && address != MPI_IN_PLACE && address != MPI_BOTTOM;
}

MemoryKind kind_of_buffer(const void* address) {
    return is_buffer(address) ? kind_of_address(address) : MemoryKind::host;
}

}  // namespace

std::uint64_t hash_of(const Key& key) {
    std::uint64_t hash = mixed(key.counts_hash, reinterpret_cast<std::uintptr_t>(key.collective));
    hash = mixed(hash, static_cast<std::uint64_t>(key.bytes));
    hash = mixed(hash, static_cast<std::uint64_t>(key.root) << 32 | key.group);
    hash = mixed(hash, static_cast<std::uint64_t>(key.element_bytes) << 32 |
                           static_cast<std::uint64_t>(key.op) << 16 | key.type);
    return mixed(hash, static_cast<std::uint64_t>(key.mode) << 8 |
                           static_cast<std::uint64_t>(key.known) << 4 |
                           static_cast<std::uint64_t>(key.is_in_place) << 2 |
                           static_cast<std::uint64_t>(key.is_commutative) << 1 |
                           static_cast<std::uint64_t>(key.is_inter));
}

void BufferReuse::add(const void* sent, const void* received, std::int64_t bytes,
                      std::int64_t idle_ticks) {
    // No program passes through data faster than a core reads its first-level cache.
    constexpr std::int64_t most_bytes_per_tick = 16;
    auto* used = std::ranges::find_if(
        last_, [&](const Used& each) { return each.sent == sent && each.received == received; });
    if (used == last_.end()) {
        used = &last_[next_];
        *used = {sent, received, {kind_of_buffer(sent), kind_of_buffer(received)}};
        next_ = (next_ + 1) % last_.size();
    } else {
        ++same;
        untouched += idle_ticks < bytes / most_bytes_per_tick;
    }
    if (is_buffer(sent)) ++sent_in[static_cast<std::size_t>(used->kinds.sent)];
    if (is_buffer(received)) ++received_in[static_cast<std::size_t>(used->kinds.received)];
}

Totals& Sites::operator[](Site site) {
    while (true) {
        std::size_t at = mixed(reinterpret_cast<std::uintptr_t>(site.address),
                               reinterpret_cast<std::uintptr_t>(site.function)) &
                         (slots - 1);
        while (table_[at].first.function != nullptr && table_[at].first != site)
            at = (at + 1) & (slots - 1);
        const bool is_new = table_[at].first.function == nullptr;
        if (!is_new || taken_ < slots / 2 || site.address == nullptr) {
            taken_ += is_new;
            table_[at].first = site;
            return table_[at].second;
        }
        site.address = nullptr;
    }
}

std::vector<std::pair<Site, Totals>> Sites::all() const {
    std::vector<std::pair<Site, Totals>> called;
    std::ranges::copy_if(table_, std::back_inserter(called),
                         [](const auto& each) { return each.second.calls > 0; });
    return called;
}

Entry* Table::add(const Key& key, std::uint64_t hash) {
    if (entries_.size() >= most_) return nullptr;
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    Entry& entry = entries_.emplace_back();
    entry.key = key;
    place(&entry, hash);
    return &entry;
}

void Table::place(Entry* entry, std::uint64_t hash) {
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at] != nullptr) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = entry;
}

void Table::grow() {
    slots_.assign(2 * slots_.size(), nullptr);
    for (Entry& entry : entries_) place(&entry, hash_of(entry.key));
}

}  // namespace mpiaudit::recorder
