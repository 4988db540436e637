// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "files/written_file.h"
#include "random/random_bits.h"
#include "schedule/replay.h"

namespace mpiaudit {
namespace {

namespace fs = std::filesystem;

// To be increased when a strategy changes, so that no schedule of an earlier version is found.
constexpr std::uint64_t generation = 1;
constexpr std::uint64_t mark = 0x316474676c6c6100U ^ generation;

/// Two hashes of 64 bits with different seeds, so that different inputs never share a file.
class Fingerprint {
  public:
    void add(std::uint64_t number) {
        low_ = mix_bits(low_, number);
        high_ = mix_bits(high_, number);
    }
    void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
    void add(const PairMatrix& matrix) {
        for (const double value : matrix.values()) add(value);
    }
    void add(const Clusters& clusters) {
        for (const auto& cluster : clusters) {
            add(std::uint64_t{cluster.size()});
            for (const int rank : cluster) add(static_cast<std::uint64_t>(rank));
        }
    }
    std::string text() const { return fmt::format("{:016x}{:016x}", high_, low_); }

  private:
    std::uint64_t low_ = 1;
    std::uint64_t high_ = 2;
};

template <class T>
void put(std::string& text, const T* first, std::size_t count) {
    text.append(reinterpret_cast<const char*>(first), count * sizeof(T));
}

/// Reads one thing after the other, and remembers when there was less than expected.
class Bytes {
  public:
    explicit Bytes(const std::string& text) : text_{text} {}
    template <class T>
    void get(T* first, std::size_t count) {
        is_complete_ = is_complete_ && count <= (text_.size() - at_) / sizeof(T);
        if (!is_complete_ || count == 0) return;
        std::memcpy(first, text_.data() + at_, count * sizeof(T));
        at_ += count * sizeof(T);
    }
    template <class T>
    void get(std::vector<T>& values, std::uint64_t count) {
        is_complete_ = is_complete_ && count <= (text_.size() - at_) / sizeof(T);
        if (!is_complete_) return;
        values.resize(count);
        get(values.data(), values.size());
    }
    bool is_complete() const { return is_complete_; }

  private:
    const std::string& text_;
    std::size_t at_ = 0;
    bool is_complete_ = true;
};

bool is_in_bounds(const AllgatherSchedule& schedule) {
    const auto is_host = [&](int i) { return i >= 0 && i < schedule.hosts; };
    return std::ranges::all_of(schedule.data, is_host) &&
           std::ranges::all_of(schedule.messages, [&](const ScheduledMessage& each) {
               return is_host(each.source) && is_host(each.destination) &&
                      std::uint64_t{each.first} + each.count <= schedule.data.size();
           });
}

/// For later jobs; of no consequence where it cannot be kept.
void write(const std::string& file, const std::string& text) {
    std::error_code failure;
    fs::create_directories(fs::path(file).parent_path(), failure);
    try {
        replace_file(file, text);
    } catch (const std::runtime_error&) {
        // It is made again the next time.
    }
}

}  // namespace

std::string Scheduler::schedule_text(Strategy strategy, std::span<const double> bytes) const {
    const std::string file = folder_.empty() ? "" : file_of(strategy, bytes);
    if (std::ifstream in(file, std::ios::binary); !file.empty() && in) {
        std::ostringstream text;
        text << in.rdbuf();
        const std::optional<AllgatherSchedule> found = schedule_from_text(text.str());
        if (found && found->hosts == grid_.network.size()) return text.str();
    }
    const std::string text = to_text(make_schedule(strategy, grid_, grid_.network.ports, bytes));
    if (!file.empty()) write(file, text);
    return text;
}

std::string Scheduler::file_of(Strategy strategy, std::span<const double> bytes) const {
    const Network& network = grid_.network;
    Fingerprint fingerprint;
    fingerprint.add(generation);
    fingerprint.add(static_cast<std::uint64_t>(network.ports));
    fingerprint.add(network.latency_s);
    fingerprint.add(network.bandwidth_bytes_per_s);
    for (const MessageOverheads& each : network.overheads) {
        fingerprint.add(each.bytes);
        fingerprint.add(each.send_s);
        fingerprint.add(each.gap_s);
    }
    fingerprint.add(grid_.sites);
    fingerprint.add(grid_.hosts);
    for (const double each : bytes) fingerprint.add(each);
    return fs::path(folder_) /
           fmt::format("{}-{}-{}", name(strategy), network.size(), fingerprint.text());
}

std::string schedule_folder() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && *cache != '\0') return fs::path(cache) / "mpiaudit" / "schedules";
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home == '\0') return "";
    return fs::path(home) / ".cache" / "mpiaudit" / "schedules";
}

std::string to_text(const AllgatherSchedule& schedule) {
    std::string text;
    const std::uint64_t header[] = {mark, static_cast<std::uint64_t>(schedule.hosts),
                                    schedule.messages.size(), schedule.data.size()};
    put(text, header, std::size(header));
    put(text, &schedule.predicted_s, 1);
    put(text, schedule.messages.data(), schedule.messages.size());
    put(text, schedule.data.data(), schedule.data.size());
    return text;
}

std::optional<AllgatherSchedule> schedule_from_text(const std::string& text) {
    Bytes bytes(text);
    std::uint64_t header[4] = {};
    AllgatherSchedule schedule;
    bytes.get(header, std::size(header));
    bytes.get(&schedule.predicted_s, 1);
    bytes.get(schedule.messages, header[2]);
    bytes.get(schedule.data, header[3]);
    // More hosts than twice the messages cannot all be reached: no need to believe the number.
    if (!bytes.is_complete() || header[0] != mark || header[1] > 2 * header[2] + 1)
        return std::nullopt;
    schedule.hosts = static_cast<int>(header[1]);
    if (!is_in_bounds(schedule) || flaw_of(schedule)) return std::nullopt;
    return schedule;
}

}  // namespace mpiaudit
