// SPDX-License-Identifier: BSD-3-Clause
#include "text/located_json.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace mpiaudit {
namespace {

using nlohmann::json;
using testing::ElementsAre;

template <class Read>
std::string refusal(const json& document, Read read) {
    try {
        read(LocatedJson(document));
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
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

TEST(LocatedJson, WhatIsWrongIsToldWithItsPlace) {
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
    EXPECT_EQ(integer(10), "accepted");
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

}  // namespace
}  // namespace mpiaudit
