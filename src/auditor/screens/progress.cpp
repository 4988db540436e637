// SPDX-License-Identifier: BSD-3-Clause
#include "screens/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "screens/console.h"
#include "text/console.h"
#include "text/plain.h"

namespace mpiaudit {

namespace {

constexpr double quiet_interval_s = 60.0;
constexpr double width_of_bar = 10.0;

double now_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

Progress::Progress(std::vector<double> work, bool moving, double limit_s)
    : work_{std::move(work)},
      moving_{moving},
      end_s_{now_s() + limit_s},
      ended_(work_.size()),
      last_line_s_{now_s()} {}

std::string Progress::bar() const {
    double all = 0.0, done = 0.0;
    for (std::size_t i = 0; i < work_.size(); ++i) {
        all += work_[i];
        done += ended_[i] ? work_[i] : 0.0;
    }
    const auto marks =
        static_cast<std::size_t>(all > 0.0 ? std::floor(width_of_bar * done / all) : 0.0);
    return std::string(marks, '#') +
           std::string(static_cast<std::size_t>(width_of_bar) - marks, '-') + ' ';
}

void Progress::begin(const std::string& what, double decided) {
    const double left = remaining_s();
    const std::string time = (decided < 0 ? "" : fmt::format(", {:.0f} % decided", 100 * decided)) +
                             (left < 0 ? "" : fmt::format(", {} left", time_in_words(left)));
    // The index tells nothing about progress: problems are not measured in their listed order.
    const auto number = std::ranges::count(ended_, true) + 1;
    const bool is_planned = static_cast<std::size_t>(number) <= work_.size();
    std::string line = plain_line(fmt::format(
        "[{}{}{}] {}", moving_ ? bar() : "",
        is_planned ? fmt::format("{}/{}", number, work_.size()) : "refining", time, what));
    if (moving_) {
        // A line as wide as the terminal would wrap, and its first part would stay on the screen.
        const auto most =
            static_cast<std::size_t>(std::max(1, standard_output(When::never).columns - 1));
        if (line.size() > most) line = shortened(line, most);
        std::fputs(("\r\033[K" + line).c_str(), stderr);
    } else if (number == 1 || now_s() - last_line_s_ >= quiet_interval_s) {
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

void Progress::say(const std::string& line) const {
    finish();
    std::fputs((plain_line(line) + "\n").c_str(), stderr);
    std::fflush(stderr);
}

void Progress::finish() const {
    if (moving_) std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
}

double Progress::remaining_s() const {
    const double most = std::max(0.0, end_s_ - now_s());
    if (measured_work_ <= 0.0) return std::isinf(most) ? -1.0 : most;
    // Problems that the audit chooses during the run are measured until the limit.
    if (std::ranges::count(ended_, false) == 0) return std::isinf(most) ? 0.0 : most;
    double left = 0.0;
    for (std::size_t i = 0; i < work_.size(); ++i) left += ended_[i] ? 0.0 : work_[i];
    return std::min(most, left * measured_s_ / measured_work_);
}

std::string time_in_words(double seconds) {
    const auto whole = static_cast<long>(std::ceil(seconds));
    if (whole < 100) return fmt::format("{} s", whole);
    const long minutes = (whole + 59) / 60;
    if (minutes < 100) return fmt::format("{} min", minutes);
    return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace mpiaudit
