// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ctime>
#include <string>

namespace mpiaudit {

/// The time in which a thread uses a processor or sleeps. The rest is the time in which the thread
/// waits for a processor or is stopped.
class ThreadActivity {
  public:
    /// Of the calling thread.
    ThreadActivity();

    /// Returns the active part of the last `seconds`: all of them if the thread sleeps, else those
    /// on a processor since the last call. Any thread of the process may call this.
    double active_of(double seconds);

  private:
    double processor_s() const;
    /// Returns true if the kernel does not tell.
    bool is_asleep() const;

    std::string file_;
    clockid_t clock_ = CLOCK_PROCESS_CPUTIME_ID;
    double last_s_ = 0;
};

}  // namespace mpiaudit
