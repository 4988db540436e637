// SPDX-License-Identifier: BSD-3-Clause
#include "report/progress.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>

#include "text/plain.h"

namespace mpiaudit {
namespace {

constexpr double quiet_interval_s = 10.0;

double now_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

Progress::Progress(std::vector<double> work, bool moving)
    : work_{std::move(work)}, moving_{moving}, ended_(work_.size()), last_line_s_{now_s()} {}

void Progress::begin(std::size_t index, const std::string& what) {
    const double left = remaining_s();
    const std::string time = left < 0 ? "" : fmt::format(", about {} left", clock_time(left));
    const std::string line =
        plain_line(fmt::format("[{}/{}] {}{}", index + 1, work_.size(), what, time));
    if (moving_) {
        std::fputs(("\r\033[K" + line).c_str(), stderr);
    } else if (index == 0 || now_s() - last_line_s_ >= quiet_interval_s) {
        std::fputs((line + "\n").c_str(), stderr);
        last_line_s_ = now_s();
    }
    std::fflush(stderr);
}

void Progress::end(std::size_t index, double elapsed_s) {
    ended_[index] = true;
    if (elapsed_s <= 0.0) return;
    measured_work_ += work_[index];
    measured_s_ += elapsed_s;
}

void Progress::finish() {
    if (moving_) std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
}

double Progress::remaining_s() const {
    if (measured_work_ <= 0.0) return -1.0;
    double left = 0.0;
    for (std::size_t i = 0; i < work_.size(); ++i) left += ended_[i] ? 0.0 : work_[i];
    return left * measured_s_ / measured_work_;
}

std::string clock_time(double seconds) {
    const auto whole = static_cast<long>(std::ceil(seconds));
    if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace mpiaudit
