// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ctime>
#include <string>

namespace mpiaudit {

/// The time in which a thread uses a processor, sleeps or gives way to others. The rest is the time
/// in which the thread waits for a processor that it needs, or is stopped.
class ThreadActivity {
  public:
    /// Of the calling thread.
    ThreadActivity();

    /// Returns the active part of the last `seconds`: all of them if the thread sleeps or gives
    /// way, else those on a processor since the last call. Any thread of the process may call this.
    double active_of(double seconds);

  private:
    double processor_s() const;
    /// Returns true if the kernel does not tell.
    bool is_asleep() const;
    /// Returns whether the thread has left the processor again and again by itself since the last
    /// call. A thread that waits for messages and yields on a busy machine does so.
    bool gives_way();

    std::string folder_;
    clockid_t clock_ = CLOCK_PROCESS_CPUTIME_ID;
    double last_s_ = 0;
    /// What the kernel has counted: nanoseconds on processors, and in how many turns.
    struct Turns {
        double ns = 0, number = 0;
    };
    Turns last_turns_;
};

}  // namespace mpiaudit
