// SPDX-License-Identifier: BSD-3-Clause
#include "audit/results_of_checks.h"

#include <gmock/gmock.h>

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Guideline guideline(const std::string& statement) {
    Guideline guideline;
    guideline.id = guideline.statement = statement;
    guideline.inequality = resolve(parse_statement(statement));
    return guideline;
}

/// Records of a library with two operations; the tests choose their times.
class RefinementTest : public testing::Test {
  protected:
    RefinementTest() { header_.options = {{"order-seed", std::uint64_t{7}}}; }
    /// \param gatherv, bcast time over the time of the right side
    record::ProblemRecord measured(std::int64_t block_size, double gatherv, double bcast) const {
        record::ProblemRecord record;
        record.problem.id = "same/b=" + std::to_string(block_size);
        record.problem.distribution = "same";
        record.problem.block_size = block_size;
        const double s = 1e-6 * static_cast<double>(block_size);
        for (const auto& [name, time_s] :
             {std::pair{"MPI_Gatherv(m)", gatherv * s}, std::pair{"TUW_Gatherv(m)", s},
              std::pair{"MPI_Bcast(m)", bcast * s}, std::pair{"linear_Bcast(m)", s}}) {
            record.contestants.emplace_back().name = name;
            record.contestants.back().samples_s.assign(40, time_s);
        }
        record.checks = {{inputs_.guidelines[0].id, 0, 1}, {inputs_.guidelines[1].id, 2, 3}};
        record.elapsed_s = 0.02;
        return record;
    }
    /// A record without samples of MPI_Bcast and of its right side.
    record::ProblemRecord without_bcast(std::int64_t block_size, double gatherv = 0.5) const {
        record::ProblemRecord record = measured(block_size, gatherv, 0.5);
        for (const std::size_t each : {2, 3}) record.contestants[each].samples_s.clear();
        return record;
    }
    record::ProblemRecord late_bcast(std::int64_t block_size, double gatherv) const {
        record::ProblemRecord record = without_bcast(block_size, gatherv);
        for (const std::size_t each : {2, 3})
            record.contestants[each].skipped = Reason{ReasonKind::no_time};
        return record;
    }
    static void expect_next(const Refinement& refinement, const SweepPoint& place,
                            const std::vector<std::size_t>& guidelines) {
        const auto next = refinement.next(100.0);
        ASSERT_TRUE(next);
        EXPECT_EQ(next->place, place);
        EXPECT_EQ(next->guidelines, guidelines);
    }
    ProblemResult of(const record::ProblemRecord& measured) const {
        return ResultsOfChecks{inputs_, header_, {.checks = 2000}}.of(measured);
    }
    Refinement after(const std::vector<record::ProblemRecord>& measured) const {
        Refinement refinement{{"same", "other"}, most_checks_};
        for (const record::ProblemRecord& each : measured) refinement.add(of(each));
        return refinement;
    }

    int most_checks_ = 1000;
    const Inputs inputs_{
        {guideline("MPI_Gatherv <= TUW_Gatherv"), guideline("MPI_Bcast <= linear_Bcast")},
        {{.name = "same", .formula = "b"}, {.name = "other", .formula = "b"}}};
    record::Header header_;
};

TEST_F(RefinementTest, ChoosesBetweenASizeThatHoldsAndAViolatedOne) {
    Refinement refinement = after({measured(1, 0.5, 0.5), measured(100, 9.0, 0.5)});
    // MPI_Bcast holds at both sizes.
    expect_next(refinement, {0, 10, 100}, {0});
    refinement.add(of(measured(10, 9.0, 0.5)));
    EXPECT_EQ(refinement.next(100.0)->place, (SweepPoint{0, 3, 10}));
}

TEST_F(RefinementTest, ChoosesInWideGapsIfNoGapHasAnEdge) {
    Refinement refinement = after({measured(1, 0.5, 0.5), measured(4, 0.5, 0.5)});
    expect_next(refinement, {0, 2, 4}, {0, 1});
    refinement.add(of(measured(2, 0.5, 0.5)));
    EXPECT_FALSE(refinement.next(100.0));
}

TEST_F(RefinementTest, TriesASizeWithoutAnswerOnce) {
    Refinement refinement = after({measured(1, 0.5, 0.5), measured(4, 9.0, 0.5)});
    record::ProblemRecord unclear = measured(2, 9.0, 0.5);
    for (const std::size_t left : {0, 2}) {
        for (std::size_t i = 0; i < unclear.contestants[left].samples_s.size(); ++i)
            unclear.contestants[left].samples_s[i] = i % 2 == 0 ? 1e-6 : 1e-5;
    }
    refinement.add(of(unclear));
    EXPECT_FALSE(refinement.next(100.0));
}

TEST_F(RefinementTest, TriesOperationsWithoutTimeBesideTheSize) {
    Refinement refinement = after({measured(16, 0.5, 0.5), without_bcast(32)});
    expect_next(refinement, {0, 33, 0}, {1});
    refinement.add(of(measured(64, 0.5, 0.5)));
    expect_next(refinement, {0, 33, 64}, {1});
    EXPECT_THAT(refinement.strongest_near("same", 40, 3), ElementsAre(0, 1));
    EXPECT_THAT(refinement.strongest_near("random", 40, 3), IsEmpty());
}

TEST_F(RefinementTest, AnOperationWithoutAnyAnswerOnADistributionComesFirst) {
    Refinement refinement = after({measured(1, 0.5, 0.5), measured(100, 9.0, 0.5)});
    record::ProblemRecord late = late_bcast(16, 0.5);
    late.problem.distribution = "other";
    refinement.add(of(late));
    expect_next(refinement, {1, 17, 0}, {1});
    // An operation is tried once beside each size, and never if it cannot run.
    late.problem.block_size = 17;
    late.problem.chosen = true;
    refinement.add(of(late));
    EXPECT_EQ(refinement.next(100.0)->place.distribution, 0U);
    Refinement other = after({measured(1, 0.5, 0.5)});
    late.problem.chosen = false;
    late.contestants[3].skipped = Reason{ReasonKind::does_not_fit, "needs equal blocks"};
    other.add(of(late));
    EXPECT_FALSE(other.next(100.0));
}

TEST_F(RefinementTest, CountsFewRoundsWithoutAnswerAsNoTry) {
    record::ProblemRecord short_of_time = measured(1, 9.0, 0.5);
    for (record::Contestant& each : short_of_time.contestants) each.samples_s.resize(2);
    expect_next(after({short_of_time}), {0, 2, 0}, {0, 1});
}

TEST_F(RefinementTest, OperationsWithoutAnyAnswerTakeTurnsWithGaps) {
    Refinement refinement = after({late_bcast(1, 0.5), late_bcast(100, 9.0)});
    expect_next(refinement, {0, 2, 100}, {1});
    record::ProblemRecord chosen = without_bcast(2);
    chosen.problem.chosen = true;
    refinement.add(of(chosen));
    EXPECT_EQ(refinement.next(100.0)->place, (SweepPoint{0, 14, 100})) << "for MPI_Gatherv";
    chosen.problem.block_size = 14;
    refinement.add(of(chosen));
    EXPECT_EQ(refinement.next(100.0)->place, (SweepPoint{0, 3, 14})) << "for MPI_Bcast";
}

TEST_F(RefinementTest, ReferencesThatWereLeftOutHaveTheirTurnWhileTimeIsLeft) {
    record::ProblemRecord planned = measured(1, 0.5, 0.5);
    planned.contestants[3].samples_s.clear();
    planned.contestants[3].skipped = Reason{ReasonKind::slower_reference, "", {3, 9, 180.0}};
    Refinement refinement = after({planned});
    expect_next(refinement, {0, 2, 0}, {1});
    EXPECT_FALSE(refinement.next(0.1));  // not enough time
    record::ProblemRecord chosen = measured(2, 0.5, 0.5);
    chosen.problem.chosen = true;
    chosen.checks = {chosen.checks[1]};
    refinement.add(of(chosen));
    EXPECT_FALSE(refinement.next(100.0));
}

TEST_F(RefinementTest, LeftOutReferencesWithTheBestPredictionsComeFirst) {
    ProblemResult planned{"same", 1, false, 0.01};
    for (const double predicted_s : {4e-6, 1e-6, 3e-6, 2e-6})
        planned.checks.push_back({.operation = "MPI_Bcast",
                                  .guideline = planned.checks.size(),
                                  .answer = CheckResult::Answer::left_out,
                                  .was_begun = false,
                                  .predicted_s = predicted_s});
    Refinement refinement{{"same"}, most_checks_};
    refinement.add(planned);
    expect_next(refinement, {0, 2, 0}, {1, 2, 3});
}

TEST_F(RefinementTest, ABarrierIsTheSameAtAllSizes) {
    const Inputs inputs{{guideline("MPI_Barrier <= MPI_Allreduce(1)")}, inputs_.distributions};
    const ResultsOfChecks results{inputs, header_, {.checks = 2000}};
    Refinement refinement{{"same", "other"}, most_checks_};
    record::ProblemRecord record = measured(1, 0.5, 0.5);
    record.checks = {{inputs.guidelines[0].id, 0, 1}};
    refinement.add(results.of(record));
    record.problem.block_size = 100;
    refinement.add(results.of(record));
    EXPECT_FALSE(refinement.next(100.0));
}

TEST_F(RefinementTest, ChoosesAsManyGuidelinesAsTheTimeAllows) {
    record::ProblemRecord late = measured(1, 0.5, 0.5);
    late.elapsed_s = 2.0;  // 1 s a check
    Refinement refinement = after({late});
    late.problem.distribution = "other";
    for (record::Contestant& each : late.contestants) {
        each.samples_s.clear();
        each.skipped = Reason{ReasonKind::no_time};
    }
    refinement.add(of(late));
    EXPECT_THAT(refinement.next(100.0)->guidelines, ElementsAre(0U, 1U));
    EXPECT_THAT(refinement.next(7.0)->guidelines, ElementsAre(0U));
    EXPECT_FALSE(refinement.next(4.0));
}

TEST_F(RefinementTest, StrongestGuidelinesHaveTheLargestRatios) {
    record::ProblemRecord record = measured(16, 3.0, 1.0);
    // MPI_Gatherv takes 3 times as long as one right side and 1.5 times as long as the other.
    record.checks[1].left = 0;
    record.contestants[3].samples_s.assign(40, 2.0 * 16e-6);
    EXPECT_THAT(after({record}).strongest_near("same", 64, 2), ElementsAre(0, 1));
    EXPECT_THAT(after({record}).strongest_near("same", 64, 1), ElementsAre(0));
}

TEST_F(RefinementTest, TriesOnceBehindThePlannedSizes) {
    Refinement refinement = after({measured(16, 0.5, 0.5), without_bcast(32)});
    record::ProblemRecord chosen = without_bcast(33);
    chosen.problem.chosen = true;
    refinement.add(of(chosen));
    EXPECT_FALSE(refinement.next(100.0));
}

TEST_F(RefinementTest, ChoosesWithinTheTimeAndTheNumberOfChecks) {
    Refinement refinement = after({measured(1, 0.5, 0.5), measured(100, 9.0, 0.5)});
    // A check takes 0.01 s, and a problem at least 0.1 s.
    EXPECT_FALSE(refinement.next(0.25));
    EXPECT_TRUE(refinement.next(0.27));
    most_checks_ = 1;
    record::ProblemRecord chosen = measured(10, 9.0, 9.0);
    chosen.problem.chosen = true;
    refinement = after({measured(1, 0.5, 0.5), measured(100, 9.0, 0.5)});
    EXPECT_TRUE(refinement.next(100.0));
    refinement.add(of(chosen));
    EXPECT_FALSE(refinement.next(100.0));
}

}  // namespace
}  // namespace mpiaudit
