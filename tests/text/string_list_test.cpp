// SPDX-License-Identifier: BSD-3-Clause
#include "text/string_list.h"

#include <gmock/gmock.h>

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(StringList, WhatIsPackedIsUnpacked) {
    EXPECT_THAT(unpacked(packed({})), IsEmpty());
    EXPECT_THAT(unpacked(packed({""})), ElementsAre(""));
    const std::string odd = std::string("3:a\n\0:", 6);
    EXPECT_THAT(unpacked(packed({"a", "", odd, "12:"})), ElementsAre("a", "", odd, "12:"));
    EXPECT_THAT(unpacked(unpacked(packed({packed({"x", "y"}), "z"})).front()),
                ElementsAre("x", "y"));
}

TEST(StringList, AnythingElseIsRefused) {
    for (const char* text : {"a", "1", "1:", ":", "2:a", "-1:a", "1:ab", "99999999999999999999:a"})
        EXPECT_THROW(unpacked(text), std::invalid_argument) << text;
}

}  // namespace
}  // namespace mpiaudit
