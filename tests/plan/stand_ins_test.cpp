// SPDX-License-Identifier: BSD-3-Clause
#include "plan/stand_ins.h"

#include <gmock/gmock.h>

#include "catalogue/arrow.h"
#include "catalogue/catalogue.h"
#include "error_message.h"
#include "files/files.h"
#include "files/shipped_files.h"

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A file with one stand-in for MPI_Gather.
std::string file_with(const std::string& choices, const std::string& operation = "MPI_Gather") {
    return R"({"base": "ompi", "stand_ins": [{"operation": ")" + operation + R"(", "choices": )" +
           choices + "}]}";
}
std::vector<StandIn> parsed(const std::string& text) {
    return parse_stand_ins(text, "./mine.json");
}
std::string error_of(const std::string& choices, const std::string& operation = "MPI_Gather") {
    return error_message([&] { parsed(file_with(choices, operation)); });
}

TEST(StandIns, ShippedFilesName) {
    for (const std::string& name : shipped_names("libraries")) {
        const std::string file = shipped_file("libraries", name);
        const std::vector<StandIn> all = parse_stand_ins(read_file(file), file);
        ASSERT_EQ(all.size(), 2) << name;
        EXPECT_EQ(all[0].name(), "MPI_Gather[as " + name + "]");
        EXPECT_EQ(all[1].name(), "MPI_Gatherv[as " + name + "]");
    }
}

TEST(StandIns, ChooseByTheLargestBlock) {
    const StandIn gather = parsed(file_with(R"([
        {"algorithm": "binomial_Gather", "to_bytes": 6000, "reason": "a tree"},
        {"algorithm": "linear_Gather", "message_us": "2 * bytes", "reason": "directly"}])"))[0];
    EXPECT_EQ(gather.choice(1).algorithm->name, "binomial_Gather");
    EXPECT_EQ(gather.choice(6000).algorithm->name, "binomial_Gather");
    EXPECT_EQ(gather.choice(6001).algorithm->name, "linear_Gather");
    EXPECT_EQ(gather.summary(),
              "in the place of the library's MPI_Gather: binomial_Gather for blocks of up to 6000 "
              "bytes (a tree); linear_Gather, with a cost of each message at the root (directly).");
}

TEST(StandIns, TakeThePlaceOfOperationsByNamesOfTheirOwn) {
    const std::vector<StandIn> all =
        parsed(file_with(R"([{"algorithm": "linear_Gather", "reason": "so"}])"));
    const std::size_t known = catalogue().size();
    join_stand_in(all[0]);
    join_stand_in(all[0]);
    Guideline guideline;
    guideline.statement = "MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m')";
    const Guideline made = with_stand_ins(guideline, all);
    EXPECT_EQ(made.statement, "MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather[as mine](m')");
    EXPECT_EQ(made.inequality.right.name, "MPI_Allreduce(1) + MPI_Gather[as mine](m')");
    const std::vector<const Arrow*> arrows = find_arrows("MPI_Gather[as mine]", Argument::whole);
    ASSERT_EQ(arrows.size(), 1);
    // Its violations accuse no library.
    EXPECT_EQ(arrows[0]->kind, Kind::reference);
    EXPECT_EQ(arrows[0]->stands_for(), "MPI_Gather");
    EXPECT_EQ(find_arrows("linear_Gather", Argument::whole)[0]->stands_for(), "");
    // Nobody can call the stand-in.
    EXPECT_EQ(written_as(*arrows[0]), "");
    EXPECT_EQ(written_as(*find_arrows("linear_Gather", Argument::whole)[0]),
              "mpiaudit::linear_Gather");
    guideline.statement = "MPI_Gather(m) <= linear_Gather(m)";
    EXPECT_EQ(with_stand_ins(guideline, all).statement,
              "MPI_Gather[as mine](m) <= linear_Gather(m)");
    guideline.statement = "MPI_Allgather(m) <= MPI_Gather(m) + MPI_Bcast(m)";
    EXPECT_EQ(with_stand_ins(guideline, all).statement,
              "MPI_Allgather(m) <= MPI_Gather[as mine](m) + MPI_Bcast(m)");
    // This one is an agreement, not the operation on the data.
    guideline.statement = "MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m')";
    EXPECT_EQ(
        with_stand_ins(
            guideline,
            parsed(file_with(R"([{"algorithm": "recursive_doubling_Allreduce", "reason": "so"}])",
                             "MPI_Allreduce")))
            .statement,
        guideline.statement);
    shorten_catalogue(known);
}

TEST(StandIns, ErrorsNameWhatIsValid) {
    EXPECT_THAT(error_of(R"([{"algorithm": "linear_Gathr", "reason": "so"}])"),
                AllOf(HasSubstr("./mine.json"), HasSubstr("did you mean 'linear_Gather'")));
    EXPECT_THAT(error_of(R"([{"algorithm": "linear_Gather", "reason": "so"}])", "MPI_Gater"),
                HasSubstr("did you mean 'MPI_Gather'"));
    EXPECT_THAT(error_of(R"([{"algorithm": "linear_Gather", "to_bytes": 1, "reason": "so"}])"),
                HasSubstr("must ascend by to_bytes and end with one that has none"));
    EXPECT_THAT(error_of("[]"), HasSubstr("must ascend by to_bytes"));
    EXPECT_THAT(error_of(R"([{"algorithm": "linear_Gather", "to_bytes": 5, "reason": "so"},
                             {"algorithm": "linear_Gather", "to_bytes": 5, "reason": "so"},
                             {"algorithm": "linear_Gather", "reason": "so"}])"),
                HasSubstr("must ascend by to_bytes"));
    EXPECT_THAT(error_of(R"([{"algorithm": "linear_Scatter", "message_us": "1", "reason": "so"}])",
                         "MPI_Scatter"),
                HasSubstr("is for operations that gather at a root"));
    EXPECT_THAT(error_of(R"([{"algorithm": "linear_Gather", "message_us": "size",
                              "reason": "so"}])"),
                HasSubstr("size"));
    EXPECT_THAT(error_of(R"([{"algorithm": "linear_Gather"}])"), HasSubstr("reason"));
}

}  // namespace
}  // namespace mpiaudit
