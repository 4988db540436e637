// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace mpiaudit {

// What is wrong with the text of a value, in words; empty when nothing is.

std::string positive_number(const std::string& text);
std::string number_from_0(const std::string& text);       ///< whole
std::string number_of_launches(const std::string& text);  ///< whole
std::string seed(const std::string& text);                ///< 64 bits
std::string share(const std::string& text);               ///< at least 0
std::string duration(const std::string& text);            ///< 90s
std::string length_of_derived(const std::string& text);   ///< 1 to 4
std::string probability(const std::string& text);         ///< up to one half
std::string graph(const std::string& text);               ///< name, file or formula of a graph
std::string arrivals(const std::string& text);            ///< name or formula of a pattern
std::string number_of_rounds_or_auto(const std::string& text);
std::string failure_condition(const std::string& text);
std::string name_and_value(const std::string& text);  ///< NAME=VALUE

}  // namespace mpiaudit
