// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <filesystem>

#include "record/session.h"

namespace mpiaudit {
namespace {

TEST(DefaultFolder, IsNewHoweverManyAuditsBeginInOneSecond) {
    const auto before = std::filesystem::current_path();
    const auto place = std::filesystem::path(testing::TempDir()) / "mpiaudit-default-folder";
    std::filesystem::remove_all(place);
    std::filesystem::create_directories(place);
    std::filesystem::current_path(place);
    for (int audit = 0; audit < 20; ++audit) {
        const std::string folder = default_folder();
        EXPECT_FALSE(std::filesystem::exists(folder)) << folder;
        std::filesystem::create_directories(folder);
    }
    std::filesystem::current_path(before);
    std::filesystem::remove_all(place);
}

}  // namespace
}  // namespace mpiaudit
