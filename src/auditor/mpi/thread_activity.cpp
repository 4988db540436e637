// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/thread_activity.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

namespace mpiaudit {

ThreadActivity::ThreadActivity() : folder_{fmt::format("/proc/self/task/{}/", gettid())} {
    pthread_getcpuclockid(pthread_self(), &clock_);
    last_s_ = processor_s();
}

double ThreadActivity::active_of(double seconds) {
    const double now_s = processor_s(), used_s = now_s - std::exchange(last_s_, now_s);
    const bool is_giving_way = gives_way();
    return is_giving_way || is_asleep() ? seconds : std::min(seconds, used_s);
}

double ThreadActivity::processor_s() const {
    timespec used{};
    clock_gettime(clock_, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

bool ThreadActivity::is_asleep() const {
    std::ifstream file(folder_ + "stat");
    std::string text;
    std::getline(file, text);
    // The state follows the name, which may contain brackets: 12 (name) S 1 ...
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos || name_end + 2 >= text.size()) return true;
    const char state = text[name_end + 2];
    return state == 'S' || state == 'D' || state == 'I';
}

bool ThreadActivity::gives_way() {
    // The kernel lets a thread run for about a millisecond or more before another one has its turn.
    constexpr double short_turn_ns = 100e3;
    double waited_ns = 0;
    Turns now;
    if (!(std::ifstream(folder_ + "schedstat") >> now.ns >> waited_ns >> now.number)) return false;
    const Turns before = std::exchange(last_turns_, now);
    const double turns = now.number - before.number;
    return turns > 0 && now.ns - before.ns < turns * short_turn_ns;
}

}  // namespace mpiaudit
