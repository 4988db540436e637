// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace mpiaudit {

/// A test with an empty folder of its own.
class FolderOfTest : public testing::Test {
  protected:
    FolderOfTest()
        : folder_{testing::TempDir() + "files_" +
                  testing::UnitTest::GetInstance()->current_test_info()->name()} {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    ~FolderOfTest() override { std::filesystem::remove_all(folder_); }

    std::string in_folder(const std::string& name) const { return folder_ + "/" + name; }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(in_folder(name), std::ios::binary) << text;
    }
    std::string read(const std::string& name) const {
        std::ifstream file(in_folder(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(folder_), {}));
    }
    /// What `act` throws, after the path of the folder.
    template <class Act>
    std::string error_of(Act act) const {
        try {
            act();
        } catch (const std::exception& error) {
            std::string text = error.what();
            if (text.starts_with(folder_)) text.erase(0, folder_.size());
            return text;
        }
        return "";
    }

    std::string folder_;
};

}  // namespace mpiaudit
