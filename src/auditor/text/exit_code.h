// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace mpiaudit {

/// Exit codes of the program, the same on every rank.
enum ExitCode {
    exit_done = 0,
    exit_violations = 1,  ///< only with --fail-on or --baseline
    exit_usage = 2,
    exit_wrong_result = 3,
    exit_nothing_selected = 4,
    exit_nothing_decided = 5,  ///< no check has an answer
    exit_hang = 6,             ///< an operation does not return
    exit_internal = 70,
    exit_output = 74,       ///< EX_IOERR of sysexits.h: standard output is full or closed
    exit_interrupted = 75,  ///< EX_TEMPFAIL of sysexits.h: --resume goes on
};

/// Wrong use of the command line or of a file: prints one message and ends every rank with exit
/// code 2.
class UsageError : public std::invalid_argument {
  public:
    using std::invalid_argument::invalid_argument;
    template <class... Values>
    requires(sizeof...(Values) > 0) explicit UsageError(fmt::format_string<Values...> words,
                                                        Values&&... values)
        : invalid_argument(fmt::format(words, std::forward<Values>(values)...)) {}
};

/// Makes a std::invalid_argument. Callers that know the option or file convert it to UsageError.
template <class... Values>
std::invalid_argument make_invalid_argument(fmt::format_string<Values...> words,
                                            Values&&... values) {
    return std::invalid_argument(fmt::format(words, std::forward<Values>(values)...));
}

/// Calls `read`. Returns the message of its std::invalid_argument, or "".
std::string objection_of(const auto& read) {
    try {
        read();
        return "";
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

/// Returns read(). Puts "ORIGIN: " in front of the message of a std::invalid_argument.
auto in_file(const std::string& origin, const auto& read) {
    try {
        return read();
    } catch (const std::invalid_argument& error) {
        throw make_invalid_argument("{}: {}", origin, error.what());
    }
}

/// Returns make(); turns std::invalid_argument into UsageError.
auto or_usage_error(const auto& make) {
    try {
        return make();
    } catch (const UsageError&) {
        throw;
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
}

}  // namespace mpiaudit
