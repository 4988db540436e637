// SPDX-License-Identifier: BSD-3-Clause
#include "text/plain.h"

#include <gtest/gtest.h>

namespace mpiaudit {
namespace {

TEST(Utf8, FirstByteThatIsNone) {
    for (const char* good :
         {"", "a", "µ≤😀", "\x7f", "\xc2\x80", "\xef\xbf\xbf", "\xf4\x8f\xbf\xbf"})
        EXPECT_EQ(first_invalid_utf8(good), std::nullopt) << good;
    // Alone, cut off, overlong, half of a surrogate pair, beyond the last character.
    for (const char* bad : {"ab\x80", "ab\xe9 b", "ab\xc3", "ab\xe2\x89", "ab\xf0\x9f\x98",
                            "ab\xc0\x80", "ab\xe0\x80\x80", "ab\xf0\x80\x80\x80", "ab\xed\xa0\x80",
                            "ab\xf4\x90\x80\x80", "ab\xf5\x80\x80\x80", "ab\xff"})
        EXPECT_EQ(first_invalid_utf8(bad), 2U) << bad;
    EXPECT_EQ(not_utf8("ab\xe9", 2), "byte 3 is 0xe9, which is not UTF-8");
}

TEST(Plain, NothingActsOnATerminal) {
    EXPECT_EQ(plain("a\x1b]0;title\x07\r\n\tb\x7f"), "a\\x1b]0;title\\x07\\x0d\n\tb\\x7f");
    EXPECT_EQ(plain("\xc2\x9b"
                    "1m \u202e \u2028 \u200b \ufeff µ"),
              "\\x9b1m \\u202e \\u2028 \\u200b \\ufeff µ");
    EXPECT_EQ(plain(std::string("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(plain("\xe9\x80 \xff"), "\\xe9\\x80 \\xff");
    EXPECT_EQ(plain_line("a\nb\tc"), "a\\x0ab\\x09c");
    EXPECT_EQ(as_utf8("a\x1b\xff"), "a\x1b\\xff");
}

TEST(Plain, NamesOfFiles) {
    EXPECT_EQ(file_name_of("node-01.site_b"), "node-01.site_b");
    EXPECT_EQ(file_name_of("../../../x"), "_._.._.._x");
    EXPECT_EQ(file_name_of(""), "_");
    EXPECT_EQ(file_name_of("a b\n\xff"), "a_b__");
    EXPECT_EQ(file_name_of(std::string(300, 'x')).size(), 64U);
}

}  // namespace
}  // namespace mpiaudit
