// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "files/files.h"

namespace mpiaudit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

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
    /// Returns the message that `act` throws, without the path of the folder.
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

using WrittenFile = FolderOfTest;

/// Limits the size of files, like a full disk.
class LimitedFileSize {
  public:
    explicit LimitedFileSize(rlim_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~LimitedFileSize() { setrlimit(RLIMIT_FSIZE, &before_); }
    LimitedFileSize(const LimitedFileSize&) = delete;
    LimitedFileSize& operator=(const LimitedFileSize&) = delete;

  private:
    rlimit before_{};
};

TEST_F(WrittenFile, IsNewOrReplaced) {
    replace_file(in_folder("a"), "one\n");
    EXPECT_EQ(read("a"), "one\n");
    replace_file(in_folder("a"), std::string(100000, 'x'));
    EXPECT_EQ(read("a"), std::string(100000, 'x'));
    check_replaceable(in_folder("b"));
    EXPECT_EQ(files(), 1U);
}

TEST_F(WrittenFile, TheOldOneStaysOnAFullDisk) {
    write("a", "precious");
    {
        const LimitedFileSize limit(10);
        EXPECT_THAT(error_of([&] { replace_file(in_folder("a"), std::string(1000, 'x')); }),
                    HasSubstr("/a: cannot be written ("));
    }
    EXPECT_EQ(read("a"), "precious");
    EXPECT_EQ(files(), 1U);
}

TEST_F(WrittenFile, NothingButARegularFileIsReplaced) {
    write("victim", "precious");
    fs::create_symlink(in_folder("victim"), in_folder("link"));
    fs::create_symlink("nowhere", in_folder("dangling"));
    fs::create_directory(in_folder("folder"));
    ASSERT_EQ(mkfifo(in_folder("pipe").c_str(), 0600), 0);
    for (const auto& [name, kind] : {std::pair{"link", "a symbolic link"},
                                     {"dangling", "a symbolic link"},
                                     {"folder", "a folder"},
                                     {"pipe", "a pipe"}}) {
        const std::string expected = std::string("/") + name + ": cannot be written, it is " + kind;
        EXPECT_THAT(error_of([&] { check_replaceable(in_folder(name)); }), HasSubstr(expected));
        EXPECT_THAT(error_of([&] { replace_file(in_folder(name), "x"); }), HasSubstr(expected));
        EXPECT_THAT(error_of([&] { GrowingFile file(in_folder(name)); }), HasSubstr(expected));
    }
    // Asked only: a mistake would cost the machine its device.
    EXPECT_THAT(error_of([] { check_replaceable("/dev/null"); }), HasSubstr("a device"));
    EXPECT_EQ(read("victim"), "precious");
    EXPECT_EQ(files(), 5U);
}

TEST_F(WrittenFile, NamesThatCannotBe) {
    EXPECT_EQ(error_of([&] { check_replaceable(in_folder("no/a")); }),
              "/no/a: cannot be written (No such file or directory)");
    EXPECT_THAT(error_of([&] { check_replaceable(in_folder(std::string(300, 'x'))); }),
                HasSubstr("File name too long"));
    // Long, but not too long, with its temporary file, too.
    replace_file(in_folder(std::string(250, 'x')), "x");
    EXPECT_EQ(files(), 1U);
}

TEST_F(WrittenFile, NobodysTemporaryFileIsTouched) {
    write("victim", "precious");
    for (const char* guess : {"a.part", ".a.part", "a.tmp"})
        fs::create_symlink(in_folder("victim"), in_folder(guess));
    replace_file(in_folder("a"), "x");
    EXPECT_EQ(read("victim"), "precious");
}

TEST_F(WrittenFile, GrowsOrStaysAsItWas) {
    write("a", "one\n");
    GrowingFile file(in_folder("a"));
    file.append("two\n");
    EXPECT_EQ(read("a"), "one\ntwo\n");
    {
        const LimitedFileSize limit(20);
        EXPECT_THAT(error_of([&] { file.append(std::string(100, 'x')); }),
                    HasSubstr("/a: cannot be written ("));
    }
    EXPECT_EQ(read("a"), "one\ntwo\n");
    file.shorten(4);
    file.append("three\n");
    EXPECT_EQ(read("a"), "one\nthree\n");
}

TEST_F(WrittenFile, NobodyElseMayChangeWhatGrows) {
    const std::string changed =
        "/a: was changed by another program while this one writes it; "
        "nothing more is written";
    write("a", "one\n");
    GrowingFile file(in_folder("a"));
    write("a", "one\nsomebody\n");
    EXPECT_EQ(error_of([&] { file.append("two\n"); }), changed);
    GrowingFile again(in_folder("a"));
    replace_file(in_folder("a"), "one\nsomebody\n");
    EXPECT_EQ(error_of([&] { again.append("two\n"); }), changed);
    EXPECT_EQ(read("a"), "one\nsomebody\n");
}

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

using ReadFile = FolderOfTest;

TEST_F(ReadFile, TextsWithAndWithoutAMarkOfTheByteOrder) {
    write("a", "µ ≤ 😀\n");
    EXPECT_EQ(read_file(in_folder("a")), "µ ≤ 😀\n");
    write("a", "\xef\xbb\xbf[1, 2]");
    EXPECT_EQ(read_file(in_folder("a")), "[1, 2]");
    write("a", "");
    EXPECT_EQ(read_file(in_folder("a")), "");
}

TEST_F(ReadFile, TextThatIsNotUtf8IsRefusedWithItsPlace) {
    write("a", "one\ntw\xe9\n");
    EXPECT_EQ(error_of([&] { read_file(in_folder("a")); }),
              "/a:2: byte 3 is 0xe9, which is not UTF-8; save the file as UTF-8");
    write("a", "\xff");
    EXPECT_THAT(error_of([&] { read_file(in_folder("a")); }), HasSubstr("/a:1: byte 1 is 0xff"));
}

TEST_F(ReadFile, UnreadableFilesAreNamed) {
    EXPECT_EQ(error_of([&] { read_file(in_folder("no")); }),
              "/no: cannot be read; is it a readable file?");
    EXPECT_EQ(error_of([&] { read_file(folder_); }), ": cannot be read; is it a readable file?");
    EXPECT_EQ(error_of([] { read_file("/dev/zero"); }), "/dev/zero: is larger than 256 MiB");
    ASSERT_EQ(mkfifo(in_folder("pipe").c_str(), 0600), 0);
    EXPECT_EQ(error_of([&] { read_file(in_folder("pipe")); }),
              "/pipe: is a pipe that nobody writes to");
}

}  // namespace
}  // namespace mpiaudit
