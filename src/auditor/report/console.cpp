// SPDX-License-Identifier: BSD-3-Clause
#include "report/console.h"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "machine/launcher.h"
#include "text/console.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

bool writes_to_a_terminal(int id, int descriptor) {
    std::error_code failure;
    const std::string target =
        std::filesystem::read_symlink(fmt::format("/proc/{}/fd/{}", id, descriptor), failure);
    return target.starts_with("/dev/pts/") || target.starts_with("/dev/tty");
}

bool has_launcher_at_a_terminal(int descriptor) {
    for (int id = getppid(); id > 1;) {
        const Process launcher = process(id);
        if (!is_launcher(launcher.name)) return false;
        if (writes_to_a_terminal(id, descriptor)) return true;
        id = launcher.parent;
    }
    return false;
}

/// Returns the number in the variable, else the size of the terminal, else `otherwise`.
int extent(const char* variable, int of_terminal, int otherwise) {
    const char* text = std::getenv(variable);
    if (text != nullptr && std::atoi(text) > 0) return std::atoi(text);
    return of_terminal > 0 ? of_terminal : otherwise;
}

}  // namespace

bool errors_reach_a_terminal() {
    if (isatty(STDERR_FILENO) == 1) return true;
    return has_launcher_at_a_terminal(STDERR_FILENO);
}

bool is_terminal(int descriptor) {
    if (isatty(descriptor) != 1) return false;
    if (std::getenv("OMPI_COMM_WORLD_RANK") == nullptr) return true;
    // Open MPI gives its ranks a pseudo-terminal, even if its own output is no terminal.
    return writes_to_a_terminal(getppid(), descriptor);
}

Terminal standard_output(When colour) {
    Terminal terminal;
    terminal.colour = is_terminal(STDOUT_FILENO) && std::getenv("NO_COLOR") == nullptr;
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = {};
    terminal.columns = std::max(60, extent("COLUMNS", size.ws_col, terminal.columns));
    const bool is_screen = is_terminal(STDOUT_FILENO) || has_launcher_at_a_terminal(STDOUT_FILENO);
    terminal.rows =
        is_screen ? std::max(24, extent("LINES", size.ws_row, 24)) : extent("LINES", 0, 0);
    if (colour != When::automatic) terminal.colour = colour == When::always;
    return terminal;
}

std::string emphasised(const std::string& text, const Terminal& terminal, CheckKind kind) {
    if (!terminal.colour) return text;
    return std::string(kind == CheckKind::verdict ? emphasis_begins : remark_begins) + text +
           std::string(emphasis_ends);
}

std::string microseconds(double seconds) {
    const double us = seconds * 1e6;
    if (us < 9.9995) return fmt::format("{:.3f}", us);
    if (us < 99.995) return fmt::format("{:.2f}", us);
    if (us < 999.95) return fmt::format("{:.1f}", us);
    if (us < 99999.5) return fmt::format("{:.0f}", us);
    if (us < 999.5e3) return fmt::format("{:.0f}k", us / 1e3);
    return fmt::format("{:.3g}M", us / 1e6);
}

std::string time_text(double seconds) {
    if (seconds >= 0.1 || seconds <= 0) return fmt::format("{:.3g} s", seconds);
    if (seconds >= 1e-4) return fmt::format("{:.3g} ms", seconds * 1e3);
    return fmt::format("{:.3g} us", seconds * 1e6);
}

std::string ratio_text(double ratio) {
    if (!std::isfinite(ratio)) return "inf";
    if (ratio >= 100) return fmt::format("{:.0f}", ratio);
    return fmt::format("{:.{}f}", ratio, ratio >= 10 ? 1 : 2);
}

std::string short_text(double value) {
    if (value == 0 || !std::isfinite(value)) return fmt::format("{:g}", value);
    const int decimals = 2 - static_cast<int>(std::floor(std::log10(std::abs(value))));
    std::string digits = fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 6));
    const std::size_t point = digits.find('.');
    if (point == std::string::npos) return separated(static_cast<std::size_t>(std::llround(value)));
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) digits.pop_back();
    return digits;
}

std::string separated(std::size_t count) {
    std::string text = std::to_string(count);
    for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, "\u202f");
    return text;
}

std::string bytes_text(std::int64_t bytes) {
    constexpr std::array<const char*, 5> units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double count = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; count >= 1024 && unit + 1 < units.size(); ++unit) count /= 1024;
    // A format with three digits would print 1000 as 1e+03.
    if (count >= 999.5) return fmt::format("{:.0f} {}", count, units[unit]);
    return fmt::format("{:.3g} {}", count, units[unit]);
}

std::string counted(std::size_t count, const std::string& word) {
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

namespace {

constexpr double quiet_interval_s = 10.0;

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

void Progress::begin(const std::string& what) {
    const double left = remaining_s();
    const std::string time = left < 0 ? "" : fmt::format(", {} left", time_in_words(left));
    // The index tells nothing about progress: problems are not measured in their listed order.
    const auto number = std::ranges::count(ended_, true) + 1;
    const bool is_planned = static_cast<std::size_t>(number) <= work_.size();
    std::string line = plain_line(fmt::format(
        "[{}{}] {}", is_planned ? fmt::format("{}/{}", number, work_.size()) : "refining", time,
        what));
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

void Progress::finish() {
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
