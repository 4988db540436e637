// SPDX-License-Identifier: BSD-3-Clause
#include "text/packed.h"

#include <gtest/gtest.h>

#include "options/option_value.h"

namespace mpiaudit {
namespace {

const OptionValues options = {{"a", std::monostate{}},
                              {"b", true},
                              {"c", std::uint64_t{18446744073709551615U}},
                              {"d", 1e-300},
                              {"e", std::string("3:text\0\xe9", 8)},
                              {"f", std::vector<std::string>{"", "x"}}};

TEST(Packed, IsUnpackedAsItWas) {
    EXPECT_EQ(unpacked<OptionValues>(packed(options)), options);
    EXPECT_TRUE(unpacked<OptionValues>(packed(OptionValues{})).empty());
    const std::pair<std::optional<int>, std::string> both{std::nullopt, ""};
    EXPECT_EQ((unpacked<std::pair<std::optional<int>, std::string>>(packed(both))), both);
}

TEST(Packed, WhatIsCutOrLongerIsRefused) {
    const std::string bytes = packed(options);
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_THROW(unpacked<OptionValues>(bytes.substr(0, size)), std::invalid_argument) << size;
    EXPECT_THROW(unpacked<OptionValues>(bytes + " "), std::invalid_argument);
    EXPECT_THROW(unpacked<std::string>(std::string(8, '\xff')), std::invalid_argument);
}

}  // namespace
}  // namespace mpiaudit
