// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace mpiaudit {

/// Keeps the tests of the named files, or the tests that --gtest_filter names. Returns false if a
/// file has no tests.
inline bool choose_tests(int argc, char** argv) {
    std::string chosen;
    for (int i = 1; i < argc; ++i) {
        const std::size_t before = chosen.size();
        const auto& all = *testing::UnitTest::GetInstance();
        for (int suite = 0; suite < all.total_test_suite_count(); ++suite)
            for (int test = 0; test < all.GetTestSuite(suite)->total_test_count(); ++test) {
                const testing::TestInfo& each = *all.GetTestSuite(suite)->GetTestInfo(test);
                if (std::string_view(each.file()).ends_with(argv[i]))
                    chosen += std::string(each.test_suite_name()) + "." + each.name() + ":";
            }
        if (chosen.size() > before) continue;
        std::fprintf(stderr, "no test stands in %s\n", argv[i]);
        return false;
    }
    if (testing::GTEST_FLAG(filter) == "*" && !chosen.empty()) testing::GTEST_FLAG(filter) = chosen;
    return true;
}

}  // namespace mpiaudit
