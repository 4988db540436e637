// SPDX-License-Identifier: BSD-3-Clause
#include "options/packed_options.h"

#include <gtest/gtest.h>

#include "text/string_list.h"

namespace mpiaudit {
namespace {

TEST(PackedOptions, AreUnpackedWithTheirTypes) {
    const OptionValues options = {{"a", std::monostate{}},
                                  {"b", true},
                                  {"c", false},
                                  {"d", std::uint64_t{18446744073709551615U}},
                                  {"e", 0.1},
                                  {"f", 1e-300},
                                  {"g", "3:text"},
                                  {"h", std::vector<std::string>{}},
                                  {"i", std::vector<std::string>{"", "x,y"}}};
    EXPECT_EQ(unpacked_options(packed(options)), options);
    EXPECT_TRUE(unpacked_options(packed(OptionValues{})).empty());
}

TEST(PackedOptions, AnythingElseIsRefused) {
    for (const auto& texts : {std::vector<std::string>{"a"},
                              {"a", "x", ""},
                              {"a", "6", ""},
                              {"a", "2", "-1"},
                              {"a", "3", "1.5s"}})
        EXPECT_THROW(unpacked_options(packed(texts)), std::invalid_argument);
}

}  // namespace
}  // namespace mpiaudit
