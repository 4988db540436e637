// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "error_message.h"
#include "plan/inputs.h"

namespace mpiaudit {

/// Reads as rank 0 does, and parses as the other ranks do.
inline Inputs inputs_of(const RunOptions& options) {
    return parse_texts(unpacked<InputTexts>(packed(read_texts(options))), options);
}
inline std::string error_of(const RunOptions& options) {
    return error_message([&] { inputs_of(options); });
}

inline std::vector<std::string> ids(const Inputs& inputs) {
    std::vector<std::string> ids;
    for (const Guideline& each : inputs.guidelines) ids.push_back(each.id);
    return ids;
}
inline std::vector<std::string> names(const Inputs& inputs) {
    std::vector<std::string> names;
    for (const Distribution& each : inputs.distributions) names.push_back(each.name);
    return names;
}

/// A file in its own folder, removed at the end.
class UserFile {
  public:
    UserFile(const std::string& name, const std::string& text)
        : folder_{std::filesystem::path(testing::TempDir()) /
                  testing::UnitTest::GetInstance()->current_test_info()->name()} {
        std::filesystem::create_directories(folder_);
        path_ = folder_ / name;
        std::ofstream(path_) << text;
    }
    ~UserFile() { std::filesystem::remove_all(folder_); }
    UserFile(const UserFile&) = delete;
    UserFile& operator=(const UserFile&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::filesystem::path folder_;
    std::string path_;
};

}  // namespace mpiaudit
