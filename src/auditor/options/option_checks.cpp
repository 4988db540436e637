// SPDX-License-Identifier: BSD-3-Clause
#include "options/option_checks.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "options/failure_condition.h"
#include "options/option_row.h"
#include "options/size_range.h"
#include "problem/arrivals.h"
#include "problem/graph.h"
#include "simulation/platform.h"
#include "text/nearest_name.h"

namespace mpiaudit {
namespace {

/// Without another base, or a sign, which the parser would take in its own way.
template <class T>
bool is_whole_number(const std::string& text, T least, T most) {
    T value = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    const bool is_plain = text.size() == 1 || !text.starts_with('0');
    return error == std::errc{} && end == last && is_plain && value >= least && value <= most;
}

template <class T>
std::string whole_number(const std::string& text, T least, T most) {
    if (is_whole_number(text, least, most)) return "";
    return fmt::format("'{}' is no whole number from {} to {}", text, least, most);
}

/// No comparison holds for nan.
bool is_number(const std::string& text, double least, double most) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return !text.empty() && end == text.c_str() + text.size() && value >= least && value <= most;
}

}  // namespace

std::string joined(const std::vector<std::string>& names, const char* separator) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : separator) + name;
    return text;
}

std::string none_of(const std::string& text, const std::vector<std::string>& valid) {
    return unknown_name("value", text, valid);
}

std::string number_from_0(const std::string& text) {
    return whole_number(text, 0, std::numeric_limits<int>::max());
}

std::string positive_number(const std::string& text) {
    return whole_number(text, 1, std::numeric_limits<int>::max());
}

std::string graph(const std::string& text) {
    constexpr int some_ranks = 4;
    try {
        if (!is_graph_file(text)) make_graph(text, some_ranks);
        return "";
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

std::string arrivals(const std::string& text) {
    try {
        arrival_formula(text);
        return "";
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

std::string number_of_launches(const std::string& text) {
    return whole_number(text, 0, std::numeric_limits<int>::max());
}

std::string seed(const std::string& text) {
    return whole_number(text, std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max());
}

std::string share(const std::string& text) {
    if (is_number(text, 0.0, std::numeric_limits<double>::max())) return "";
    return "'" + text + "' is no number of at least 0";
}

std::string duration(const std::string& text) {
    try {
        parse_duration("", text);
        return "";
    } catch (const std::invalid_argument& error) {
        // Without the option, which the parser names.
        return std::string(error.what()).substr(1);
    }
}

std::string length_of_derived(const std::string& text) {
    return whole_number(text, 1, 4);
}

std::string probability(const std::string& text) {
    return is_number(text, 1e-12, 0.5) ? "" : "'" + text + "' is no number from 1e-12 to 0.5";
}

std::string number_of_rounds_or_auto(const std::string& text) {
    constexpr int most = 999'999;
    const int least = platform().least_warm_up_rounds;
    if (text == automatic_warm_up || is_whole_number(text, least, most)) return "";
    return fmt::format("'{}' is neither a number of rounds from {} to {} nor auto{}", text, least,
                       most,
                       least == 0 ? ""
                                  : "; in a simulation the first call of an operation may set up "
                                    "what later ones find");
}

std::string failure_condition(const std::string& text) {
    return find_failure_condition(text)
               ? ""
               : "'" + text +
                     "' is no condition; use never, violation, or a ratio as in 'ratio>1.5'";
}

std::string name_and_value(const std::string& text) {
    const std::size_t equals = text.find('=');
    return equals > 0 && equals != std::string::npos ? "" : "'" + text + "' is not NAME=VALUE";
}

}  // namespace mpiaudit
