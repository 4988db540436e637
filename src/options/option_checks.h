// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace mpiaudit {

// What is wrong with the text of a value, in words; empty when nothing is.

std::string positive_number(const std::string& text);
std::string not_negative_number(const std::string& text);
std::string length_of_derived(const std::string& text);  ///< 1 to 4
std::string probability(const std::string& text);        ///< up to one half
std::string number_of_rounds_or_auto(const std::string& text);
std::string name_and_value(const std::string& text);  ///< NAME=VALUE

}  // namespace mpiaudit
