// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/thread_activity.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

namespace mpiaudit {

ThreadActivity::ThreadActivity() : file_{fmt::format("/proc/self/task/{}/stat", gettid())} {
    pthread_getcpuclockid(pthread_self(), &clock_);
    last_s_ = processor_s();
}

double ThreadActivity::active_of(double seconds) {
    const double now_s = processor_s(), used_s = now_s - std::exchange(last_s_, now_s);
    return is_asleep() ? seconds : std::min(seconds, used_s);
}

double ThreadActivity::processor_s() const {
    timespec used{};
    clock_gettime(clock_, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

bool ThreadActivity::is_asleep() const {
    std::ifstream file(file_);
    std::string text;
    std::getline(file, text);
    // The state follows the name, which may contain brackets: 12 (name) S 1 ...
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos || name_end + 2 >= text.size()) return true;
    const char state = text[name_end + 2];
    return state == 'S' || state == 'D' || state == 'I';
}

}  // namespace mpiaudit
