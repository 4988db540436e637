// SPDX-License-Identifier: BSD-3-Clause
#include "options/option_types.h"

#include <gmock/gmock.h>

#include "error_message.h"

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Count> sizes(std::string_view text) {
    return parse_sizes(text);
}

std::string sizes_error(std::string_view text) {
    return error_message([text] { parse_sizes(text); });
}

TEST(Sizes, Lists) {
    EXPECT_THAT(sizes("7"), ElementsAre(7));
    EXPECT_THAT(sizes("1,10,100"), ElementsAre(1, 10, 100));
    EXPECT_THAT(sizes("0"), ElementsAre(0));
}

TEST(Sizes, Suffixes) {
    EXPECT_THAT(sizes("1k,2M,3G"), ElementsAre(1'000, 2'000'000, 3'000'000'000));
    EXPECT_THAT(sizes("1Ki,2Mi,3Gi"), ElementsAre(1'024, 2'097'152, 3'221'225'472));
}

TEST(Sizes, RangesEndOnlyOnTheirLastSizeWhenTheyHitIt) {
    EXPECT_THAT(sizes("1..100000:x10"), ElementsAre(1, 10, 100, 1'000, 10'000, 100'000));
    EXPECT_THAT(sizes("1..1Mi:x10"), ElementsAre(1, 10, 100, 1'000, 10'000, 100'000, 1'000'000));
    EXPECT_THAT(sizes("0..30:+10"), ElementsAre(0, 10, 20, 30));
    EXPECT_THAT(sizes("0..39:+10"), ElementsAre(0, 10, 20, 30));
    EXPECT_THAT(sizes("5..5:x2"), ElementsAre(5));
    EXPECT_THAT(sizes("1..2Ki:+1Ki"), ElementsAre(1, 1'025));
}

TEST(Sizes, AscendingWithoutDuplicates) {
    EXPECT_THAT(sizes("100,1..100:x10,50,1"), ElementsAre(1, 10, 50, 100));
}

TEST(Sizes, UpToTheLargestCount) {
    constexpr Count largest = 9'223'372'036'854'775'807;
    EXPECT_THAT(sizes("9223372036854775807"), ElementsAre(largest));
    EXPECT_EQ(sizes("1..9223372036854775807:x2").back(), Count{1} << 62);
    EXPECT_THAT(sizes("9223372036854775800..9223372036854775807:+7"),
                ElementsAre(largest - 7, largest));
    EXPECT_THAT(sizes_error("9223372036854775808"), HasSubstr("too large"));
    EXPECT_THAT(sizes_error("9223372036854775807k"), HasSubstr("'9223372036854775807k' is too"));
    EXPECT_THAT(sizes_error("99999999999999999999999"), HasSubstr("too large"));
}

TEST(Sizes, ErrorsNameOptionTextAndRemedy) {
    EXPECT_EQ(sizes_error("1,-5"),
              "'1,-5': '-5' is not a non-negative integer; write one, such as 100 or 64Ki");
    EXPECT_THAT(sizes_error("1.5"), HasSubstr("'1.5' is not a non-negative integer"));
    EXPECT_THAT(sizes_error("1.5k"), HasSubstr("'1.5k' is not a non-negative integer"));
    EXPECT_THAT(sizes_error(""), HasSubstr("'' is not a non-negative integer"));
    EXPECT_THAT(sizes_error("1,,2"), HasSubstr("'' is not a non-negative integer"));
    EXPECT_THAT(sizes_error("1,"), HasSubstr("'' is not a non-negative integer"));
    EXPECT_THAT(sizes_error("many"), HasSubstr("'many' is not a non-negative integer"));
    EXPECT_EQ(sizes_error("1K"),
              "'1K': 'K' in '1K' is no suffix; use k, M, G (powers of 1000) or Ki, Mi, Gi "
              "(powers of 1024)");
    EXPECT_THAT(sizes_error("1e9"), HasSubstr("'e9' in '1e9' is no suffix"));
}

TEST(Sizes, RangesThatMakeNoSense) {
    for (const char* text : {"1..100", "1..100:", "1..100:10", "1..100:*10"}) {
        EXPECT_THAT(sizes_error(text),
                    AllOf(HasSubstr("needs a first and a last size and a factor or a step"),
                          HasSubstr("1..1000:x10")))
            << text;
    }
    EXPECT_THAT(sizes_error("1..100:x1"), HasSubstr("factor of '1..100:x1' must be at least 2"));
    EXPECT_THAT(sizes_error("1..100:x0"), HasSubstr("must be at least 2"));
    EXPECT_THAT(sizes_error("1..100:+0"), HasSubstr("step of '1..100:+0' must be at least 1"));
    EXPECT_THAT(sizes_error("0..100:x10"), HasSubstr("never leaves 0; start at 1"));
    EXPECT_THAT(sizes_error("100..1:x10"), HasSubstr("ends below its start"));
    EXPECT_THAT(sizes_error("..5:x10"), HasSubstr("'' is not a non-negative integer"));
    EXPECT_THAT(sizes_error("1..:x10"), HasSubstr("'' is not a non-negative integer"));
    EXPECT_THAT(sizes_error("1..9:x-2"), HasSubstr("'-2' is not a non-negative integer"));
    EXPECT_THAT(sizes_error("0..1G:+1"), HasSubstr("more than 100000 sizes; use a larger step"));
}

TEST(Bytes, IntegersWithSuffixes) {
    EXPECT_EQ(parse_bytes("4Gi"), 4'294'967'296u);
    EXPECT_EQ(parse_bytes("512Mi"), 536'870'912u);
    EXPECT_EQ(parse_bytes("100"), 100u);
}

TEST(Bytes, Errors) {
    const auto bytes_error = [](std::string_view text) {
        return error_message([text] { parse_bytes(text); });
    };
    EXPECT_THAT(bytes_error("1e9"), HasSubstr("'1e9': 'e9' in '1e9' is no suffix"));
    EXPECT_THAT(bytes_error("4GiB"), HasSubstr("'GiB' in '4GiB' is no suffix"));
    EXPECT_THAT(bytes_error("1,2"), HasSubstr("',2' in '1,2' is no suffix"));
    EXPECT_THAT(bytes_error("-1"), HasSubstr("not a non-negative integer"));
    EXPECT_THAT(bytes_error("9999999999Gi"), HasSubstr("too large"));
}

TEST(Rate, BitsAndBytesPerSecond) {
    EXPECT_DOUBLE_EQ(parse_rate("100Gb/s"), 12.5e9);
    EXPECT_DOUBLE_EQ(parse_rate("12.5GB/s"), 12.5e9);
    EXPECT_DOUBLE_EQ(parse_rate("8b/s"), 1);
    for (const char* text : {"", "100", "100G", "Gb/s", "0Gb/s", "-1Gb/s", "inf Gb/s", "1Gib/s",
                             "1Xb/s", "1G/s", "1GGb/s"})
        EXPECT_EQ(error_message([text] { parse_rate(text); }),
                  "'" + std::string(text) +
                      "': not a rate; write 100Gb/s for bits or 12.5GB/s for bytes");
}

TEST(Duration, SecondsAndUnits) {
    const auto duration = [](std::string_view text) { return parse_duration(text); };
    EXPECT_DOUBLE_EQ(duration("0"), 0);
    EXPECT_DOUBLE_EQ(duration("90s"), 90);
    EXPECT_DOUBLE_EQ(duration("5m"), 300);
    EXPECT_DOUBLE_EQ(duration("1h30m"), 5400);
    EXPECT_DOUBLE_EQ(duration("250ms"), 0.25);
    EXPECT_DOUBLE_EQ(duration("20us"), 20e-6);
    EXPECT_DOUBLE_EQ(duration("2h3m4.5s6ms7us"), 7384.506007);
}

TEST(Duration, Errors) {
    const auto duration_error = [](std::string_view text) {
        return error_message([text] { parse_duration(text); });
    };
    for (const char* text : {"", "-5", "soon", "inf", "nan", ".5", "+3"}) {
        EXPECT_EQ(duration_error(text),
                  "'" + std::string(text) +
                      "': not a duration; write amounts with units, such as 90s, 1h30m or 250ms");
    }
    // Slurm would count minutes, others seconds.
    EXPECT_EQ(duration_error("5"), "'5': the unit is missing: 5s, 5m or 5h?");
    EXPECT_THAT(duration_error("1.5"), HasSubstr("1.5s, 1.5m or 1.5h"));
    EXPECT_THAT(duration_error("5d"), HasSubstr("'d' is no unit here; use h, m, s, ms, us"));
    EXPECT_THAT(duration_error("1m1h"), HasSubstr("'h' is no unit here"));
    EXPECT_THAT(duration_error("1m1m"), HasSubstr("'m' is no unit here"));
    EXPECT_THAT(duration_error("1h30"), HasSubstr("'' is no unit here"));
    EXPECT_THAT(duration_error("1e400"), HasSubstr("'e' is no unit here"));
    EXPECT_THAT(duration_error("5 s"), HasSubstr("' s' is no unit here"));
}

TEST(Root, HalfOrARank) {
    const auto among = [](const char* text, int ranks) {
        return AsGiven<Root>(text)->among(ranks);
    };
    EXPECT_EQ(among("half", 1), 0);
    EXPECT_EQ(among("half", 5), 2);
    EXPECT_EQ(among("0", 5), 0);
    EXPECT_EQ(among("4", 5), 4);
    EXPECT_EQ(error_message([&] { among("5", 5); }),
              "--root: there is no rank 5 among 5 ranks; give 0 to 4, or half");
    for (const char* text : {"last", "1x", "1.5", " 1", "-1", "99999999999"})
        EXPECT_EQ(error_message([&] { among(text, 5); }),
                  "'" + std::string(text) + "' is neither a rank nor half");
}

}  // namespace
}  // namespace mpiaudit
