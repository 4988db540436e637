// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "network/network.h"

namespace mpiaudit {

/// One message of a schedule: some of its data from one host to another.
struct ScheduledMessage {
    int source;
    int destination;
    std::uint32_t first;  ///< index of its first datum in AllgatherSchedule::data
    std::uint32_t count;
};

/// An allgather as a list of messages between hosts 0 ... hosts-1; host i starts with datum i.
/// Every host sends and receives its messages in the order of the list.
struct AllgatherSchedule {
    int hosts = 0;
    std::vector<ScheduledMessage> messages;
    std::vector<int> data;
    double predicted_s =
        0.0;  ///< end of the last message in the model; 0 where nothing is predicted

    std::span<const int> data_of(const ScheduledMessage& message) const {
        return std::span(data).subspan(message.first, message.count);
    }
    void add(int source, int destination, std::span<const int> sent) {
        messages.push_back({source, destination, static_cast<std::uint32_t>(data.size()),
                            static_cast<std::uint32_t>(sent.size())});
        data.insert(data.end(), sent.begin(), sent.end());
    }
    void add(int source, int destination, int datum) {
        add(source, destination, std::span(&datum, 1));
    }
};

/// A set of data numbers.
class DataSet {
  public:
    DataSet() = default;
    explicit DataSet(int data) : words_((index(data) + 63) / 64) {}

    void add(int datum) { words_[word(datum)] |= bit(datum); }
    bool has(int datum) const { return (words_[word(datum)] & bit(datum)) != 0; }
    void add(const DataSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    }
    /// Returns the lowest datum, from number `first` on, that `other` lacks, or -1.
    int first_not_in(const DataSet& other, int first = 0) const {
        std::uint64_t wanted = ~(bit(first) - 1);
        for (std::size_t i = word(first); i < words_.size(); ++i) {
            if (const std::uint64_t rest = words_[i] & ~other.words_[i] & wanted; rest != 0)
                return static_cast<int>(i * 64) + std::countr_zero(rest);
            wanted = ~std::uint64_t{0};
        }
        return -1;
    }

    /// Returns whether the set has a datum below `limit` that `other` lacks.
    bool has_below(int limit, const DataSet& other) const {
        const std::size_t last = word(limit);
        for (std::size_t i = 0; i < last; ++i) {
            if ((words_[i] & ~other.words_[i]) != 0) return true;
        }
        return (words_[last] & ~other.words_[last] & (bit(limit) - 1)) != 0;
    }

  private:
    static std::size_t word(int datum) { return index(datum) / 64; }
    static std::uint64_t bit(int datum) {
        return std::uint64_t{1} << (static_cast<unsigned>(datum) % 64);
    }
    std::vector<std::uint64_t> words_;
};

}  // namespace mpiaudit
