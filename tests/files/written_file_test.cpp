// SPDX-License-Identifier: BSD-3-Clause
#include "files/written_file.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "folder_of_test.h"

namespace mpiaudit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using WrittenFile = FolderOfTest;

/// As much as a full disk would take of each file.
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

}  // namespace
}  // namespace mpiaudit
