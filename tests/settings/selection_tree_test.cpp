// SPDX-License-Identifier: BSD-3-Clause
#include "settings/selection_tree.h"

#include <gtest/gtest.h>

#include "../error_message.h"

namespace mpiaudit::settings {
namespace {

TEST(SelectionTree, NamesCollectives) {
    EXPECT_EQ(SelectionTree(R"({"collective=bcast": {}, "collective=alltoall": {}})").collectives(),
              (std::vector<std::string>{"MPI_Bcast", "MPI_Alltoall"}));
}

TEST(SelectionTree, OtherFilesAreRefused) {
    EXPECT_EQ(error_message([] { SelectionTree("1 2"); }), "it is no JSON object");
    EXPECT_EQ(error_message([] { SelectionTree(R"({"bcast": {}})"); }),
              "its key 'bcast' does not begin with collective=");
}

}  // namespace
}  // namespace mpiaudit::settings
