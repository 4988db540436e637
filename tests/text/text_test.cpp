// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "error_message.h"
#include "options/option_value.h"
#include "text/command.h"
#include "text/fast_json.h"
#include "text/json_text.h"
#include "text/packed.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

const std::vector<std::string> names{"same", "random", "spikes", "two-blocks"};

TEST(NearestName, IsSuggestedWhereItIsCloseAndAllAreListedSorted) {
    using Names = std::vector<std::string>;
    for (const auto& [what, name, of, answer] :
         {std::tuple{"distribution", "spike", names,
                     "did you mean 'spikes'? Valid: random, same, spikes, two-blocks"},
          {"distribution", "zipf", names, "valid: random, same, spikes, two-blocks"},
          {"distribution", "", names, "valid: random, same, spikes, two-blocks"},
          // The case of letters does not matter.
          {"collective", "mpi_gatherv", Names{"MPI_Gather", "MPI_Gatherv"},
           "did you mean 'MPI_Gatherv'? Valid: MPI_Gather, MPI_Gatherv"},
          // Short names are not replaced altogether.
          {"name", "x", Names{"i", "p"}, "valid: i, p"},
          {"parameter", "rho", Names{}, "valid: none"}})
        EXPECT_EQ(unknown_name(what, name, of),
                  std::string("unknown ") + what + " '" + name + "'; " + answer);
    // Insertions, deletions and replacements.
    for (const char* typo : {"two_blocks", "twoblocks", "two--blocks", "tow-blocks", "two-bloks"})
        EXPECT_THAT(unknown_name("distribution", typo, names),
                    testing::HasSubstr("did you mean 'two-blocks'?"));
}

TEST(NearestName, TheNearestOfManyAreListed) {
    std::vector<std::string> many{"gather-1"};
    for (int k = 0; k < 400; ++k) many.push_back("reference-" + std::to_string(k));
    const std::string text = unknown_name("id", "gather-2", many);
    EXPECT_TRUE(
        text.starts_with("unknown id 'gather-2'; did you mean 'gather-1'? Valid: gather-1, "))
        << text;
    EXPECT_TRUE(text.ends_with(" and 371 more")) << text;
}

const OptionValues options = {{"a", std::monostate{}},
                              {"b", true},
                              {"c", std::uint64_t{18446744073709551615U}},
                              {"d", 1e-300},
                              {"e", std::string("3:text\0\xe9", 8)},
                              {"f", std::vector<std::string>{"", "x"}}};

TEST(CommandLine, TextsAreSplitIntoWordsAndNothingIsExpanded) {
    using testing::ElementsAre;
    EXPECT_THAT(CommandLine::of("  mpirun -n 2\t--host 'a b',c \n").words,
                ElementsAre("mpirun", "-n", "2", "--host", "a b,c"));
    EXPECT_THAT(
        CommandLine::of("mpirun; touch pwned $(touch pwned) `touch` * $HOME").words,
        ElementsAre("mpirun;", "touch", "pwned", "$(touch", "pwned)", "`touch`", "*", "$HOME"));
    // Everything that bash's printf %q writes.
    EXPECT_THAT(CommandLine::of("a\\ b\\;c $'d\\ne\\'\\033' '' \"f\\\"\\$g\\h\"").words,
                ElementsAre("a b;c", "d\ne'\033", "", "f\"$g\\h"));
    EXPECT_THAT(CommandLine::of("'not closed").words, ElementsAre("not closed"));
    EXPECT_TRUE(CommandLine::of(" ").empty());
    for (const char* open : {"a='x", "a=\"x", "a=$'x", "a='x' \"", "a=x\\", "a=\"x\\\""})
        EXPECT_FALSE(CommandLine::of_complete(open)) << open;
    EXPECT_THAT(CommandLine::of_complete("a='x' \"\" b\\'").value().words,
                ElementsAre("a=x", "", "b'"));
}

TEST(CommandLine, IsReadAsItWasWritten) {
    const CommandLine hostile{
        {"mpirun", "; touch pwned", "$(touch pwned)", "a\nb", "it's", "\"", "", "\\"}};
    EXPECT_EQ(CommandLine::of(hostile.text()), hostile);
}

TEST(FastJson, ReadsWhatTheLibraryReadsOrLeavesItToTheLibrary) {
    for (const char* text :
         {"{}", "[]", " [ 1 , -2,\t3 ] ",
          R"({"a": [1.5, -0, 0.0, 1e-7, 9.619999996601791e-07, 2E+3]})", "18446744073709551615",
          "-9223372036854775808", "true", "false", "null", R"("x y")", R"({"a": 1, "a": 2})",
          R"([[[{"b": [{}]}]]])", "5e-324", "1.7976931348623157e308"}) {
        const auto value = fast_parsed_json(text);
        ASSERT_TRUE(value) << text;
        EXPECT_EQ(*value, nlohmann::json::parse(text)) << text;
        EXPECT_EQ(value->dump(), nlohmann::json::parse(text).dump()) << text;
    }
    for (const char* text : {"",       " ",       "[",
                             "[1,]",   "[1 2]",   "{\"a\"}",
                             "{a: 1}", "01",      "1.",
                             ".5",     "-",       "+1",
                             "1e",     "tru",     "nul",
                             "\"a",    "\"\\n\"", "\"\xc3\xa9\"",
                             "\"\t\"", "1e999",   "18446744073709551616",
                             "NaN",    "[1]x",    "{} {}"})
        EXPECT_FALSE(fast_parsed_json(text)) << text;
    EXPECT_FALSE(fast_parsed_json(std::string(70, '[') + std::string(70, ']')));
}

TEST(Packed, IsUnpackedAsItWas) {
    EXPECT_EQ(unpacked<OptionValues>(packed(options)), options);
    EXPECT_TRUE(unpacked<OptionValues>(packed(OptionValues{})).empty());
    const std::pair<std::optional<int>, std::string> both{std::nullopt, ""};
    EXPECT_EQ((unpacked<std::pair<std::optional<int>, std::string>>(packed(both))), both);
}

TEST(Packed, CutOrLongerTextsAreRefused) {
    const std::string bytes = packed(options);
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_THROW(unpacked<OptionValues>(bytes.substr(0, size)), std::invalid_argument) << size;
    EXPECT_THROW(unpacked<OptionValues>(bytes + " "), std::invalid_argument);
    EXPECT_THROW(unpacked<std::string>(std::string(8, '\xff')), std::invalid_argument);
}

using nlohmann::json;
using testing::ElementsAre;

template <class Read>
std::string refusal(const json& document, Read read) {
    return error_message([&] { read(LocatedJson(document)); });
}

TEST(LocatedJson, ValuesAreRead) {
    const json document = {{"a", {{"list", {1, 2.5}}, {"word", "x"}, {"flag", true}}},
                           {"large", 18446744073709551615U}};
    const LocatedJson inner = LocatedJson(document).at("a");
    EXPECT_THAT(inner.at("list").numbers(0), ElementsAre(1.0, 2.5));
    EXPECT_EQ(inner.at("word").text(), "x");
    EXPECT_TRUE(inner.at("flag").boolean());
    EXPECT_FALSE(inner.find("nothing"));
    EXPECT_EQ(LocatedJson(document).at("large").unsigned_integer(), 18446744073709551615U);
    std::vector<std::string> keys;
    inner.for_each_member([&](std::string key, const LocatedJson&) { keys.push_back(key); });
    EXPECT_THAT(keys, ElementsAre("flag", "list", "word"));
}

TEST(LocatedJson, ErrorsHaveTheirPlace) {
    const json document = {{"a", {{"list", {1, "x", -1}}}}};
    const auto list = [](const LocatedJson& whole) { return whole.at("a").at("list"); };
    EXPECT_EQ(refusal(document, [&](auto whole) { list(whole).numbers(-1); }),
              "a.list[1] must be a number, is a string");
    EXPECT_EQ(refusal(document,
                      [&](auto whole) {
                          list(whole).list([](const LocatedJson& each) { return each.integer(0); });
                      }),
              "a.list[1] must be an integer, is a string");
    EXPECT_EQ(refusal(document, [&](auto whole) { list(whole).at("x"); }),
              "a.list must be an object, is an array");
    EXPECT_EQ(refusal(document, [&](auto whole) { whole.at("a").at("b"); }), "a.b is missing");
    EXPECT_EQ(refusal(document, [&](auto whole) { whole.at("b"); }), "b is missing");
    EXPECT_EQ(refusal(document, [&](auto whole) { whole.text(); }),
              "must be a string, is an object");
    EXPECT_EQ(refusal(document, [&](auto whole) { list(whole).refuse("is too long"); }),
              "a.list is too long");
}

TEST(LocatedJson, NumbersHaveTheirRange) {
    const auto integer = [](const json& value) {
        return refusal(value, [](const LocatedJson& whole) { whole.integer(0, 10); });
    };
    EXPECT_EQ(integer(10), "");
    EXPECT_EQ(integer(11), "must be at most 10, is 11");
    EXPECT_EQ(integer(18446744073709551615U), "must be at most 10, is 18446744073709551615");
    EXPECT_EQ(integer(-1), "must be at least 0, is -1");
    EXPECT_EQ(integer(1.0), "must be an integer, is 1.0");
    EXPECT_EQ(refusal(-1, [](const LocatedJson& whole) { whole.unsigned_integer(); }),
              "must be at least 0, is -1");
    EXPECT_EQ(refusal(std::numeric_limits<double>::infinity(),
                      [](const LocatedJson& whole) { whole.number(0); }),
              "must be finite");
}

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
