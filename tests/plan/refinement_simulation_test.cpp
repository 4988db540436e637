// SPDX-License-Identifier: BSD-3-Clause
// The choice of further sizes on a model: operations that turn slow at a size that the policy does
// not know, and times of checks that grow with the size.
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <tuple>

#include "plan/refinement.h"

namespace mpiaudit {
namespace {

/// Planned sizes are factors of 4 apart, so a gap has 2 octaves. Halving the octaves until a gap
/// has a factor of 1.1 takes 4 sizes.
constexpr Count largest = 65536;
constexpr int planned_gaps = 8, sizes_of_an_edge = 4;
/// Sizes are whole numbers, so a gap of 1.1 or little more may have no size in its middle.
constexpr double narrowest_edge = 1.12;

struct ModelOperation {
    Count crossing;        ///< the first size at which the operation is violated
    double ratio;          ///< of left over right from there on
    bool has_time = true;  ///< false: no planned problem has time for the operation
};

/// An audit of model operations. Operation k has guideline k.
class ModelAudit {
  public:
    ModelAudit(std::vector<ModelOperation> operations, double check_s, int most_checks = 1000)
        : operations_{std::move(operations)},
          check_s_{check_s},
          refinement_{{"same"}, most_checks} {
        std::vector<std::size_t> all(operations_.size());
        for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
        for (Count size = 1; size <= largest; size *= 4) measure(size, all, false);
    }

    /// Measures what the policy chooses until it chooses nothing, or `is_over` says so. Each
    /// problem takes the time that the policy expects. Returns the places that were chosen.
    std::vector<Count> refine(
        double budget_s, const std::function<bool()>& is_over = [] { return false; }) {
        std::vector<Count> chosen;
        for (double left_s = budget_s; !is_over();) {
            const auto choice = refinement_.next(left_s);
            if (!choice) break;
            const double cost_s = refinement_.expected_s(*choice);
            EXPECT_LE(cost_s, left_s / 2);
            left_s -= cost_s;
            spent_s_ += cost_s;
            checks_ += static_cast<int>(choice->guidelines.size());
            EXPECT_FALSE(results_.contains(choice->place.block_size)) << "measured before";
            chosen.push_back(choice->place.block_size);
            measure(choice->place.block_size, choice->guidelines, true);
            if (chosen.size() > 1000) break;
        }
        return chosen;
    }

    /// The factor between the largest size that holds and the smallest that is violated; 1 where
    /// they are next to each other.
    double factor_around(std::size_t operation) const {
        const Count crossing = operations_[operation].crossing;
        Count below = 0, above = 0;
        for (const auto& [size, result] : results_) {
            if (!has_answer(operation, result)) continue;
            if (size < crossing) below = size;
            if (size >= crossing && above == 0) above = size;
        }
        if (below == 0 || above == 0) return std::numeric_limits<double>::infinity();
        return above - below == 1 ? 1.0 : static_cast<double>(above) / static_cast<double>(below);
    }
    bool has_all_edges() const {
        for (std::size_t k = 0; k < operations_.size(); ++k)
            if (factor_around(k) > narrowest_edge) return false;
        return true;
    }
    double spent_s() const { return spent_s_; }
    int checks() const { return checks_; }
    const std::map<Count, ProblemResult>& results() const { return results_; }

  private:
    static bool has_answer(std::size_t operation, const ProblemResult& result) {
        return std::ranges::any_of(result.checks, [operation](const CheckResult& check) {
            return check.guideline == operation && check.answer != CheckResult::Answer::no_time;
        });
    }
    void measure(Count size, const std::vector<std::size_t>& guidelines, bool is_chosen) {
        // A check takes twice as long from 4096 on as before: a time that does not dominate.
        const double seconds = check_s_ * (size >= 4096 ? 2.0 : 1.0);
        ProblemResult result{"same", size, is_chosen, seconds};
        for (const std::size_t k : guidelines) {
            const ModelOperation& operation = operations_[k];
            const bool is_violated = size >= operation.crossing;
            const bool has_time = operation.has_time || is_chosen;
            result.checks.push_back({"MPI_" + std::to_string(k), k,
                                     !has_time     ? CheckResult::Answer::no_time
                                     : is_violated ? CheckResult::Answer::violated
                                                   : CheckResult::Answer::holds,
                                     has_time, is_violated ? operation.ratio : 0.9,
                                     1e-6 * static_cast<double>(size)});
        }
        refinement_.add(result);
        results_.emplace(size, std::move(result));
    }

    std::vector<ModelOperation> operations_;
    double check_s_, spent_s_ = 0.0;
    int checks_ = 0;
    Refinement refinement_;
    std::map<Count, ProblemResult> results_;
};

class HiddenCrossing : public testing::TestWithParam<std::tuple<Count, double, double>> {};

TEST_P(HiddenCrossing, IsReachedWithinTheSizesOfAnEdgeAndOneForEachWideGap) {
    const auto [crossing, ratio, check_s] = GetParam();
    ModelAudit audit({{crossing, ratio}}, check_s);
    const std::vector<Count> chosen = audit.refine(1e6, [&] { return audit.has_all_edges(); });
    EXPECT_TRUE(audit.has_all_edges());
    EXPECT_LE(chosen.size(), sizes_of_an_edge + planned_gaps - 1);
}

/// Until the octaves of an edge, which count 8 times, weigh as little as a gap of 2 octaves.
TEST_P(HiddenCrossing, ComesBeforeWideGapsIfTheOperationIsSlowerByHalf) {
    const auto [crossing, ratio, check_s] = GetParam();
    if (ratio < 1.5) return;
    ModelAudit audit({{crossing, ratio}}, check_s);
    int chosen = 0;
    audit.refine(1e6, [&] { return chosen++ == 3 || audit.has_all_edges(); });
    EXPECT_LE(audit.factor_around(0), 1.2);
}

INSTANTIATE_TEST_SUITE_P(Model, HiddenCrossing,
                         testing::Combine(testing::Values(2, 3, 6, 37, 1000, 5000, 65536),
                                          testing::Values(1.06, 1.2, 1.5, 4.0),
                                          testing::Values(0.001, 0.05, 2.0)));

TEST(RefinementInAModel, ReachesTheCrossingsOfAllOperations) {
    std::mt19937 random(58);
    for (int repetition = 0; repetition < 50; ++repetition) {
        std::vector<ModelOperation> operations;
        for (int k = 0; k < 6; ++k)
            operations.push_back({2 + static_cast<Count>(random() % (largest - 2)), 2.0});
        ModelAudit audit(operations, 0.05);
        const std::vector<Count> chosen = audit.refine(1e6, [&] { return audit.has_all_edges(); });
        EXPECT_TRUE(audit.has_all_edges());
        EXPECT_LE(chosen.size(), operations.size() * sizes_of_an_edge + planned_gaps);
    }
}

TEST(RefinementInAModel, EndsWithinItsBudgetAndItsChecks) {
    const std::vector<ModelOperation> operations{{37, 2.0}, {5000, 1.2}, {100, 3.0, false}};
    for (const double budget_s : {0.1, 0.5, 2.0, 10.0, 100.0, 1e6}) {
        for (const int most_checks : {0, 1, 7, 1000}) {
            ModelAudit audit(operations, 0.05, most_checks);
            audit.refine(budget_s);
            EXPECT_LE(audit.spent_s(), budget_s);
            EXPECT_LE(audit.checks(), most_checks);
        }
    }
}

TEST(RefinementInAModel, AskedForEverEndsWhenNoSizeTellsMore) {
    ModelAudit audit({{37, 2.0}, {5000, 1.2}}, 0.05);
    const std::size_t chosen = audit.refine(1e9).size();
    EXPECT_TRUE(audit.has_all_edges());
    EXPECT_LE(chosen, 2 * (sizes_of_an_edge + planned_gaps));
}

TEST(RefinementInAModel, OperationsWithoutTimeGetAnAnswerFirst) {
    ModelAudit audit({{37, 2.0}, {100, 3.0, false}}, 0.05);
    // Behind the smallest size.
    EXPECT_EQ(audit.refine(1e6, [&] { return audit.results().contains(2); }).size(), 1U);
}

TEST(RefinementInAModel, ChoosesTheSameForTheSameAnswersInAnyOrder) {
    const std::vector<ModelOperation> operations{{37, 2.0}, {5000, 1.2}, {100, 3.0, false}};
    ModelAudit audit(operations, 0.05), again(operations, 0.05);
    const std::vector<Count> chosen = audit.refine(50.0);
    ASSERT_FALSE(chosen.empty());
    EXPECT_EQ(chosen, again.refine(50.0));
    // A resumed audit reads what was measured in any order.
    std::vector<ProblemResult> results;
    for (const auto& [size, result] : audit.results()) results.push_back(result);
    Refinement forward{{"same"}, 1000}, backward{{"same"}, 1000};
    for (const ProblemResult& each : results) forward.add(each);
    std::ranges::reverse(results);
    for (const ProblemResult& each : results) backward.add(each);
    const auto one = forward.next(1e6), other = backward.next(1e6);
    ASSERT_EQ(one.has_value(), other.has_value());
    if (one) {
        EXPECT_EQ(one->place, other->place);
        EXPECT_EQ(one->guidelines, other->guidelines);
    }
}

}  // namespace
}  // namespace mpiaudit
