// SPDX-License-Identifier: BSD-3-Clause
#include "measure/measurement.h"

#include <gmock/gmock.h>

#include <string>

#include "cost/prediction.h"

namespace mpiaudit {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr LinearModel model{3e-6, 0.3e-9};

/// MPI_Bcast of a million bytes on 16 ranks, whatever ranks the test has.
class PredictionsTest : public testing::Test {
  protected:
    PredictionsTest() {
        Problem problem;
        problem.counts = std::vector<Count>(16, 62500);
        problem.element = &element_;
        problem.op = &op_;
        planned_.variants = {problem};
        for (const char* right : {"MPI_Scatter + MPI_Allgather", "linear_Bcast", "binomial_Bcast",
                                  "van_de_Geijn_ring_Bcast", "chain_Bcast"}) {
            Guideline& guideline = guidelines_.emplace_back();
            guideline.is_of_library = true;
            guideline.inequality =
                resolve(parse_statement(std::string("MPI_Bcast(m) <= ") + right));
        }
        add(guidelines_.front().inequality.left);
        for (std::size_t i = 0; i < guidelines_.size(); ++i) {
            add(guidelines_[i].inequality.right);
            planned_.checks.push_back({i, 0, i + 1});
        }
    }
    void add(const Path& path) { planned_.contestants.push_back({path.name, path, 0, {}}); }
    std::vector<std::string> left_out() const {
        std::vector<std::string> names;
        for (const Contestant& each : planned_.contestants)
            if (record::is_skipped_by(ReasonKind::slower_reference, each.skipped))
                names.push_back(each.name);
        return names;
    }

    Element element_{"int"};
    Operator op_{"sum"};
    PlannedProblem planned_;
    std::vector<Guideline> guidelines_;
};

TEST_F(PredictionsTest, AreTheSameOnAllRanks) {
    planned_.contestants[2].skipped = Reason{ReasonKind::does_not_fit, "does not fit"};
    predict_contestants(planned_, model, MPI_COMM_WORLD);
    const auto predicted = [&](std::size_t i) {
        return DoubleEq(*predict(planned_.contestants[i].path, planned_.problem(), model));
    };
    EXPECT_THAT(planned_.predicted_s,
                ElementsAre(-1.0, -1.0, -1.0, predicted(3), predicted(4), predicted(5)));
}

TEST_F(PredictionsTest, TheSlowerReferencesAreLeft) {
    predict_contestants(planned_, model, MPI_COMM_WORLD);
    keep_fastest_references(planned_, guidelines_, {4, 20.0}, 4);
    EXPECT_THAT(left_out(), IsEmpty());
    keep_fastest_references(planned_, guidelines_, {2, 20.0}, 2);
    EXPECT_THAT(left_out(), ElementsAre("linear_Bcast(m)", "binomial_Bcast(m)"));
    EXPECT_EQ(in_words(planned_.contestants[2].skipped.value()),
              "only as many algorithms as the budget allows are measured, the 2 that are predicted "
              "to be the fastest; --budget 2m measures all 4");
}

TEST_F(PredictionsTest, FurtherReferencesAreMeasuredWhileTimeIsLeft) {
    predict_contestants(planned_, model, MPI_COMM_WORLD);
    keep_fastest_references(planned_, guidelines_, {2, 20.0}, 3);
    EXPECT_THAT(left_out(), ElementsAre("linear_Bcast(m)"));
    EXPECT_EQ(planned_.further_references, 1);
}

TEST_F(PredictionsTest, TheLowerBoundCountsMessagesThatOverlap) {
    const Layout from{Holding::rooted}, to{Holding::replicated};
    // 16 ranks: 4 rounds of a message, or a rank begins a message every 10 seconds.
    EXPECT_EQ(lower_bound(from, to, planned_.problem(), {100, 0}), 400);
    NodeModel nodes;
    nodes.between = {10, 20};
    EXPECT_EQ(lower_bound(from, to, planned_.problem(), {100, 0, 0, nodes}), 210);
    nodes.ranks_per_node = 16;
    nodes.alpha = 8;
    nodes.within = {8, 8};
    EXPECT_EQ(lower_bound(from, to, planned_.problem(), {100, 0, 0, nodes}), 32);
}

TEST_F(PredictionsTest, NoneIsLeftWhereTheGuidelinesAreNamed) {
    for (Guideline& each : guidelines_) each.is_of_library = false;
    predict_contestants(planned_, model, MPI_COMM_WORLD);
    keep_fastest_references(planned_, guidelines_, {1, 20.0}, 1);
    EXPECT_THAT(left_out(), IsEmpty());
}

}  // namespace
}  // namespace mpiaudit
