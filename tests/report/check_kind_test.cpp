// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "described_way.h"
#include "report/findings.h"
#include "report/report.h"

namespace mpiaudit {
namespace {

TEST(WrittenScale, OfNames) {
    EXPECT_TRUE(parse_way("MPI_Bcast(m)").scale.is_whole());
    EXPECT_TRUE(parse_way("10 MPI_Bcast(m/10)").scale.is_whole());
    EXPECT_TRUE(parse_way("MPI_Bcast(m+k)").scale.is_whole());
    EXPECT_FALSE(parse_way("MPI_Bcast(m/2)").scale.is_whole());
}

using testing::ElementsAre;

record::Implementation implementation(const std::string& name, bool native,
                                      const std::string& collective = "gather") {
    return {.name = name,
            .collective = collective,
            .from = {},
            .to = {},
            .native = native,
            .summary = {}};
}

TEST(CheckKind, FollowsFromTheLeftSide) {
    record::Implementation stand_in = implementation("MPI_Gather[as mine]", false);
    stand_in.stands_for = "MPI_Gather";
    const NameSet references = reference_names(
        {implementation("MPI_Gather", true), implementation("TUW_Gatherv", false),
         implementation("MPI_Igather", false), implementation("MPI_Pack", false, "local"),
         implementation("zero fill", false, "local"), implementation("MPI_Gather[binomial]", true),
         stand_in});
    EXPECT_THAT(references, ElementsAre("MPI_Gather[as mine]", "TUW_Gatherv"));
    record::ContestantDescription forced = described_way("TUW_Gatherv(m)", "a -> TUW_Gatherv -> b");
    forced.forced = true;
    for (const auto& left :
         {described_way("MPI_Gather(m)", "a -> MPI_Gather -> b"),
          described_way("MPI_Igather(m) + MPI_Wait", "a -> MPI_Igather -> b"),
          described_way("MPI_Pack + MPI_Gather(m)",
                        "a -> MPI_Pack -> c -> zero fill -> d -> MPI_Gather -> b"),
          described_way("MPI_Gather[binomial](m)", "a -> MPI_Gather[binomial] -> b"),
          described_way("MPI_Gather(m) + MPI_Gather(m)"), forced})
        EXPECT_EQ(kind_of(left, references), CheckKind::verdict) << left.name;
    for (const auto& left :
         {described_way("TUW_Gatherv(m)", "a -> TUW_Gatherv -> b"),
          described_way("MPI_Gather(m) + TUW_Gatherv(m)",
                        "a -> MPI_Gather -> c -> TUW_Gatherv -> b"),
          described_way("MPI_Gather[as mine](m)", "a -> MPI_Gather[as mine] -> b"),
          described_way("MPI_Gather[as mine](m')"), described_way("TUW_Gatherv(m)#2"),
          described_way("10 TUW_Gatherv(m/10)"), described_way("MPI_Gather(m) + TUW_Gatherv(m)")})
        EXPECT_EQ(kind_of(left, references), CheckKind::remark) << left.name;
}

}  // namespace
}  // namespace mpiaudit
