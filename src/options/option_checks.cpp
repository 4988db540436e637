// SPDX-License-Identifier: BSD-3-Clause
#include "options/option_checks.h"

#include <charconv>
#include <cstdlib>
#include <limits>

#include "options/option_row.h"

namespace mpiaudit {
namespace {

using Double = std::numeric_limits<double>;

template <class T>
std::string outside(const std::string& text, T least, T most) {
    return "Value " + text + " not in range " + std::to_string(least) + " to " +
           std::to_string(most);
}

std::string outside_numbers(const std::string& text, double least, double most) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool is_number = !text.empty() && end == text.c_str() + text.size();
    return is_number && !(value < least || value > most) ? "" : outside(text, least, most);
}

}  // namespace

std::string joined(const std::vector<std::string>& names, const char* separator) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : separator) + name;
    return text;
}

std::string positive_number(const std::string& text) {
    return outside_numbers(text, Double::min(), Double::max());
}

std::string not_negative_number(const std::string& text) {
    return outside_numbers(text, 0.0, Double::max());
}

std::string length_of_derived(const std::string& text) {
    constexpr int shortest = 1, longest = 4;
    int value = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    const bool is_number = error == std::errc{} && end == last;
    return is_number && value >= shortest && value <= longest ? ""
                                                              : outside(text, shortest, longest);
}

std::string probability(const std::string& text) {
    return outside_numbers(text, 1e-12, 0.5);
}

std::string number_of_rounds_or_auto(const std::string& text) {
    const bool is_number = !text.empty() && text.size() < 7 &&
                           text.find_first_not_of("0123456789") == std::string::npos;
    if (is_number || text == automatic_warm_up) return "";
    return "'" + text + "' is neither a number of rounds nor auto";
}

std::string name_and_value(const std::string& text) {
    const std::size_t equals = text.find('=');
    return equals > 0 && equals != std::string::npos ? "" : "'" + text + "' is not NAME=VALUE";
}

}  // namespace mpiaudit
