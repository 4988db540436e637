// SPDX-License-Identifier: BSD-3-Clause
#include "report/known_forms.h"

#include <gmock/gmock.h>

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

library_faults::Fault fault_with(std::vector<library_faults::Condition> when) {
    library_faults::Fault fault;
    fault.when = std::move(when);
    return fault;
}

Way way(const char* text) {
    return WayReader(text).way();
}

TEST(KnownForms, AreThoseOfFaultsWithoutFurtherConditions) {
    const library_faults::Condition operations = {"operation", {"MPI_Gather", "MPI_Bcast"}};
    EXPECT_THAT(forms_of(fault_with({operations})), ElementsAre("MPI_Gather", "MPI_Bcast"));
    EXPECT_THAT(forms_of(fault_with({operations, {"start", {"persistent"}}})),
                ElementsAre("MPI_Gather_init", "MPI_Bcast_init"));
    EXPECT_THAT(forms_of(fault_with({operations, {"counts", {"one"}}})), IsEmpty());
    EXPECT_THAT(forms_of(fault_with({{"start", {"persistent"}}})), IsEmpty());
    library_faults::Fault periodic = fault_with({operations});
    periodic.most_periodic_ranks = 2;
    EXPECT_THAT(forms_of(periodic), IsEmpty());
}

TEST(KnownForms, AreKnownWithTheirVariantsOnTheRanksOfTheFault) {
    library_faults::Fault fault =
        fault_with({{"operation", {"MPI_Gather"}}, {"start", {"persistent"}}});
    EXPECT_TRUE(is_known_form({fault}, way("MPI_Gather_init"), 3));
    EXPECT_TRUE(is_known_form({fault}, way("MPI_Gather_init[once]"), 3));
    EXPECT_FALSE(is_known_form({fault}, way("MPI_Gather"), 3));
    fault.most_ranks = 2;
    EXPECT_FALSE(is_known_form({fault}, way("MPI_Gather_init"), 3));
    EXPECT_TRUE(is_known_form({fault}, way("MPI_Gather_init"), 2));
    fault.least_ranks = 2;
    EXPECT_FALSE(is_known_form({fault}, way("MPI_Gather_init"), 1));
}

TEST(KnownForms, AreKnownInPartsIfCallsWithGapsFail) {
    const library_faults::Fault fault = fault_with({{"operation", {"MPI_Allgatherv"}},
                                                    {"start", {"nonblocking"}},
                                                    {"displacements", {"gaps", "reversed"}}});
    EXPECT_TRUE(is_known_form({fault}, way("MPI_Iallgatherv[2 parts](m) + MPI_Waitall"), 1));
    EXPECT_FALSE(is_known_form({fault}, way("MPI_Iallgatherv(m) + MPI_Wait"), 1));
}

}  // namespace
}  // namespace mpiaudit
