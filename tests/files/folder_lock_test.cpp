// SPDX-License-Identifier: BSD-3-Clause
#include "files/folder_lock.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "folder_of_test.h"

namespace mpiaudit {
namespace {

using testing::StartsWith;
using FolderLockTest = FolderOfTest;

/// Another process that runs `act` and returns its answer.
int in_another_process(const std::function<int()>& act) {
    const pid_t child = fork();
    if (child == 0) _exit(act());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int can_lock(const std::string& folder) {
    try {
        const FolderLock lock(folder);
        return 1;
    } catch (const std::runtime_error&) {
        return 0;
    }
}

TEST_F(FolderLockTest, OneAtATime) {
    {
        const FolderLock lock(folder_);
        EXPECT_EQ(error_of([&] { FolderLock second(folder_); }),
                  " is being written by process " + std::to_string(getpid()) + " on " +
                      host_name() + "; wait for it, or give another --output");
        EXPECT_EQ(in_another_process([&] { return can_lock(folder_); }), 0);
    }
    EXPECT_EQ(files(), 0U);
    EXPECT_EQ(in_another_process([&] { return can_lock(folder_); }), 1);
}

TEST_F(FolderLockTest, AKilledProcessLocksNothing) {
    EXPECT_EQ(in_another_process([&] {
                  const FolderLock lock(folder_);
                  std::raise(SIGKILL);
                  return 0;
              }),
              -SIGKILL);
    EXPECT_EQ(files(), 1U);
    EXPECT_EQ(can_lock(folder_), 1);
    EXPECT_EQ(files(), 0U);
}

TEST_F(FolderLockTest, NothingIsFollowedOrOverwritten) {
    write("victim", "precious");
    std::filesystem::create_symlink(in_folder("victim"), in_folder(".lock"));
    EXPECT_THAT(error_of([&] { FolderLock lock(folder_); }),
                StartsWith("/.lock: cannot be written ("));
    EXPECT_EQ(read("victim"), "precious");
    EXPECT_THAT(error_of([&] { FolderLock lock(in_folder("no")); }),
                StartsWith("/no/.lock: cannot be written (No such file"));
}

}  // namespace
}  // namespace mpiaudit
