// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mpiaudit {

/// Fills a text whose lines may begin with conditions: words between bars, "|one other||!third|". A
/// line is kept if one word of each condition holds; a word behind an exclamation mark holds if
/// `holds` denies it. A line "@@", with or without conditions behind it, begins a section: all its
/// lines have these conditions, too. Then each @NAME@ becomes the word of this name.
std::string filled_text(std::string_view text, const std::map<std::string, std::string>& words,
                        const std::function<bool(std::string_view word)>& holds);

/// Returns all words of the conditions in such a text.
std::set<std::string> words_of_conditions(std::string_view text);

/// Returns the pieces of a text with line breaks between some of them.
std::string folded(const std::vector<std::string>& pieces, std::string_view line_break);

/// Returns the initialisers of an array of C, folded.
std::string folded_numbers(const std::vector<std::int64_t>& all);

}  // namespace mpiaudit
