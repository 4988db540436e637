// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/profile.h"

#include <gtest/gtest.h>

#include "../error_message.h"

namespace mpiaudit {
namespace {

/// A profile in the form that PGMPITuneLib's own tests use.
constexpr const char* profile_text =
    "#\n# test profile\n#\nMPI_Allgather # collective name\n4 # profile for p=4 procs\n3\n"
    "1 allgather_as_allreduce \n2 allgather_as_alltoall \n3 allgather_as_gather_bcast\n"
    "2 # nb of (msg size range + alg id)\n16 16 1\n1024 2048 3\n";

std::string refusal_of(const std::string& text) {
    return error_message([&] { parse_profile(text, "p.prf"); });
}

TEST(Profile, IsReadAsPgmpiTuneLibReadsIt) {
    EXPECT_TRUE(is_profile(profile_text));
    const Profile profile = parse_profile(profile_text, "p.prf");
    EXPECT_EQ(profile.operation, "MPI_Allgather");
    EXPECT_EQ(profile.ranks, 4);
    EXPECT_EQ(profile.blocks(), 4);
    ASSERT_EQ(profile.ranges.size(), 2U);
    EXPECT_EQ(profile.ranges[0].path, "MPI_Allreduce(m)");
    EXPECT_EQ(profile.ranges[1].from_bytes, 1024);
    EXPECT_EQ(profile.ranges[1].to_bytes, 2048);
    EXPECT_EQ(profile.ranges[1].mockup, "allgather_as_gather_bcast");
    EXPECT_EQ(profile.ranges[1].path, "MPI_Gather(m) + MPI_Bcast(m)");
    EXPECT_EQ(
        parse_profile("MPI_Bcast\n2\n1\n1 bcast_as_scatter_allgather\n1\n1 2 1\n", "").blocks(), 1);
}

TEST(Profile, NamesOfMockupsArePaths) {
    EXPECT_EQ(path_of_mockup("reducescatterblock_as_reduce_scatter"),
              "MPI_Reduce(m) + MPI_Scatter(m)");
    EXPECT_EQ(path_of_mockup("allreduce_as_reducescatter_allgatherv"),
              "MPI_Reduce_scatter(m) + MPI_Allgatherv(m)");
    EXPECT_EQ(path_of_mockup("scan_as_exscan_reducelocal"), "MPI_Exscan(m) + MPI_Reduce_local(m)");
    EXPECT_EQ(path_of_mockup("allgather_as_allgather_lane"), "MPI_Allgather[lane](m)");
    EXPECT_EQ(path_of_mockup("bcast_as_bcast_hier"), "MPI_Bcast[hierarchical](m)");
    for (const char* other :
         {"default", "allgather_as_magic", "magic_as_gather", "gather_as_lane", ""})
        EXPECT_EQ(path_of_mockup(other), "") << other;
}

TEST(Profile, OtherTextsAreRefusedWithThePlace) {
    EXPECT_FALSE(is_profile("{\"guidelines\": []}"));
    EXPECT_EQ(refusal_of("MPI_Send\n"), "p.prf:1: 'MPI_Send' is no collective operation");
    EXPECT_EQ(refusal_of("# c\nMPI_Bcast\nfour\n"),
              "p.prf:3: the number of ranks must be a number from 1 to 2147483647");
    EXPECT_EQ(refusal_of("MPI_Bcast\n4\n1\n1 bcast_as_magic\n"),
              "p.prf:4: 'bcast_as_magic' is no mock-up of PGMPITuneLib, such as "
              "allgather_as_gather_bcast");
    EXPECT_EQ(refusal_of("MPI_Bcast\n4\n1\n1 bcast_as_allgatherv\n1\n1 2 7\n"),
              "p.prf:6: the range names a mock-up that is not in the list");
    EXPECT_EQ(refusal_of("MPI_Bcast\n4\n1\n1 bcast_as_allgatherv\n2\n1 2 1\n"),
              "p.prf:7: the file ends before a range");
    EXPECT_EQ(refusal_of("MPI_Bcast\n4\n1\n1 bcast_as_allgatherv\n1\n3 2 1\n"),
              "p.prf:6: the last size must be a number from 3 to 2147483647");
}

}  // namespace
}  // namespace mpiaudit
