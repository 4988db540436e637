// SPDX-License-Identifier: BSD-3-Clause
#include "text/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace mpiaudit {

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

std::string two_digits(double value) {
    return value < 99.5 ? fmt::format("{:.2g}", value) : fmt::format("{:.0f}", value);
}

}  // namespace mpiaudit
