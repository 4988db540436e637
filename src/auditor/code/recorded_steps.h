// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "code/runs.h"
#include "messages/observer.h"

namespace mpiaudit {

/// One step of a rank in a recorded call.
struct RecordedStep {
    enum class What {
        allocate,
        send,
        receive,
        exchange,
        start_send,
        start_receive,
        wait,
        reduce,
        copy,
        pack,
        unpack
    };

    What what;
    /// The data that are sent, received (if nothing is sent), reduced or copied; temporary memory.
    std::vector<Run> data = {};
    std::vector<Run> other = {};  ///< where an exchange receives, or the result of the step
    int partner = 0, channel = 0;
    int other_partner = 0, other_channel = 0;  ///< of what an exchange receives
    int first = 0, count = 0;  ///< messages for which `wait` waits, by the order of their start
};

/// Collects the steps of all ranks with the memory that they use.
class RecordedSteps : public Observer {
  public:
    RecordedSteps(int ranks, const ElementType& element)
        : steps_(static_cast<std::size_t>(ranks)), element_{element} {}

    void begin(int rank) override;
    void allocate(const void* address, std::size_t bytes) override;
    void start(bool is_send, int number, const Data& data, int partner, int channel) override;
    void wait(std::span<const int> numbers) override;
    void reduce(const void* left, const Data& right) override;
    void pack(const Data& from, const void* packed) override;
    void unpack(const void* packed, const Data& to) override;
    void copy(const void* to, const void* from, std::size_t bytes) override;

    /// Returns the steps of a rank. A message that is waited for at once is one step, and so are a
    /// send and a receive that are waited for together.
    std::vector<RecordedStep> steps_of(int rank) const;

  private:
    struct Started {
        int place;  ///< among the messages of the rank
        bool is_done = false;
    };
    std::vector<RecordedStep>& own() { return steps_[static_cast<std::size_t>(rank_)]; }
    Run bytes_at(const void* address, std::size_t bytes) const;

    std::vector<std::vector<RecordedStep>> steps_;
    ElementType element_;
    int rank_ = 0, messages_ = 0;
    std::map<int, Started> started_;  ///< by the number of the observer
};

}  // namespace mpiaudit
