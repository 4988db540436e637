// SPDX-License-Identifier: BSD-3-Clause
#include "record/session.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "small_audit.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;

class SessionTest : public testing::Test {
  protected:
    SessionTest() { std::filesystem::remove_all(folder_); }
    ~SessionTest() override { std::filesystem::remove_all(folder_); }

    void leave_note(int rank, const std::string& operation, const std::string& clearness) const {
        std::ofstream(folder_ + "/incident-" + std::to_string(rank))
            << "same/b=1\n" + operation + "\nhangs: ...\n" + clearness + "\n";
    }
    /// Operations of the incidents that a session knows when it begins; those unclear with a "?".
    std::vector<std::string> known(bool resume = true) const {
        RunOptions options;
        options.resume = resume;
        const Session session(folder_, options, audit_header());
        std::vector<std::string> names;
        for (const record::Incident& each : session.audit().incidents)
            names.push_back(each.operation + (each.is_unclear ? "?" : ""));
        return names;
    }

    std::string folder_ = testing::TempDir() + "session_test";
};

TEST_F(SessionTest, WhatHangsWhereAHostMayBeLostIsBlamedTheSecondTime) {
    EXPECT_THAT(known(false), ElementsAre());
    leave_note(0, "A", "unclear");
    leave_note(1, "A", "unclear");  // of the same session
    EXPECT_THAT(known(), ElementsAre("A?"));
    leave_note(1, "B", "unclear");
    EXPECT_THAT(known(), ElementsAre("A?", "B?"));
    leave_note(0, "A", "unclear");
    EXPECT_THAT(known(), ElementsAre("A?", "B?", "A"));
    EXPECT_THAT(known(), ElementsAre("A?", "B?", "A"));
}

TEST_F(SessionTest, WhatIsClearIsBlamedAtOnce) {
    EXPECT_THAT(known(false), ElementsAre());
    leave_note(0, "A", "clear");
    EXPECT_THAT(known(), ElementsAre("A"));
}

}  // namespace
}  // namespace mpiaudit
