// SPDX-License-Identifier: BSD-3-Clause
#include "files/read_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "folder_of_test.h"

namespace mpiaudit {
namespace {

using testing::HasSubstr;
using ReadFile = FolderOfTest;

TEST_F(ReadFile, TextsWithAndWithoutAMarkOfTheByteOrder) {
    write("a", "µ ≤ 😀\n");
    EXPECT_EQ(read_file(in_folder("a")), "µ ≤ 😀\n");
    write("a", "\xef\xbb\xbf[1, 2]");
    EXPECT_EQ(read_file(in_folder("a")), "[1, 2]");
    write("a", "");
    EXPECT_EQ(read_file(in_folder("a")), "");
}

TEST_F(ReadFile, WhatIsNotUtf8IsRefusedWithItsPlace) {
    write("a", "one\ntw\xe9\n");
    EXPECT_EQ(error_of([&] { read_file(in_folder("a")); }),
              "/a:2: byte 3 is 0xe9, which is not UTF-8; save the file as UTF-8");
    write("a", "\xff");
    EXPECT_THAT(error_of([&] { read_file(in_folder("a")); }), HasSubstr("/a:1: byte 1 is 0xff"));
}

TEST_F(ReadFile, WhatCannotBeRead) {
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
