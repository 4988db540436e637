// SPDX-License-Identifier: BSD-3-Clause
#include "report/report.h"

#include <gmock/gmock.h>

namespace mpiaudit {
namespace {

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

record::ContestantDescription way(const std::string& name, std::vector<std::string> steps = {},
                                  bool forced = false) {
    record::ContestantDescription made;
    made.name = name;
    made.steps.assign(steps.begin(), steps.end());
    made.forced = forced;
    return made;
}

record::Implementation stand_in(const std::string& name) {
    record::Implementation made = implementation(name, false);
    made.stands_for = "MPI_Gather";
    return made;
}

TEST(CheckKind, FollowsFromTheLeftSide) {
    const Names references = reference_names(
        {implementation("MPI_Gather", true), implementation("TUW_Gatherv", false),
         implementation("MPI_Igather", false), implementation("MPI_Pack", false, "local"),
         implementation("zero fill", false, "local"), implementation("MPI_Gather[binomial]", true),
         stand_in("MPI_Gather[as mine]")});
    EXPECT_THAT(references, ElementsAre("MPI_Gather[as mine]", "TUW_Gatherv"));
    for (const auto& left : {way("MPI_Gather(m)", {"MPI_Gather: a -> b"}),
                             way("MPI_Igather(m) + MPI_Wait", {"MPI_Igather: a -> b"}),
                             way("MPI_Pack + MPI_Gather(m)",
                                 {"MPI_Pack: a -> c", "zero fill: c -> d", "MPI_Gather: d -> b"}),
                             way("MPI_Gather[binomial](m)", {"MPI_Gather[binomial]: a -> b"}, true),
                             way("MPI_Gather(m) + MPI_Gather(m)"),
                             way("TUW_Gatherv(m)", {"TUW_Gatherv: a -> b"}, true)})
        EXPECT_EQ(kind_of(left, references), CheckKind::verdict) << left.name;
    for (const auto& left :
         {way("TUW_Gatherv(m)", {"TUW_Gatherv: a -> b"}),
          way("MPI_Gather(m) + TUW_Gatherv(m)", {"MPI_Gather: a -> c", "TUW_Gatherv: c -> b"}),
          way("MPI_Gather[as mine](m)", {"MPI_Gather[as mine]: a -> b"}),
          way("MPI_Gather[as mine](m')"), way("TUW_Gatherv(m)#2"), way("10 TUW_Gatherv(m/10)"),
          way("MPI_Gather(m) + TUW_Gatherv(m)")})
        EXPECT_EQ(kind_of(left, references), CheckKind::remark) << left.name;
}

}  // namespace
}  // namespace mpiaudit
