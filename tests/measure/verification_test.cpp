// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <mpi.h>
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <set>

#include "../world.h"
#include "algorithms/algorithms.h"
#include "guidelines/guideline.h"
#include "machine/machine.h"
#include "measure/verification.h"
#include "messages/under_test.h"
#include "mpi/texts.h"
#include "problem/workspace.h"

namespace mpiaudit {
namespace {

using testing::EndsWith;
using testing::Optional;
using testing::StartsWith;

constexpr Layout scattered{Holding::scattered, false};
constexpr Layout rooted{Holding::rooted, false};

using Finding = std::optional<Fault>;

auto says(FaultKind kind, const testing::Matcher<std::string>& text) {
    return Optional(
        testing::AllOf(testing::Field(&Fault::kind, kind), testing::Field(&Fault::text, text)));
}

/// Gathers blocks of different sizes, and spoils the result.
class VerificationTest : public testing::TestWithParam<std::string> {
  protected:
    VerificationTest() { use({4, 3, 0, 4, 6}); }

    /// Uses these block sizes, one for each rank.
    void use(const std::vector<Count>& counts) {
        problem_.distribution = "mine";
        problem_.counts = std::vector<Count>(counts.begin(), counts.begin() + ranks_of_world());
        problem_.root = ranks_of_world() / 2;
        problem_.element = &element_;
        const Inequality sides =
            resolve(parse_statement("MPI_Gatherv(m) <= MPI_Allreduce(1) + MPI_Gather(m')"));
        plain_ = sides.left;
        padded_ = sides.right;
        Needs needs = plain_.needs();
        needs.add(padded_.needs());
        workspace_ = std::make_unique<Workspace>(problem_, own_rank(), needs);
    }

    Finding verify_path(const Path& path) {
        return verify(path.prepare(instance()), scattered, rooted, instance());
    }
    /// Verifies the path with `after` behind its call, which gets the result's place.
    Finding verify_spoiled(const Path& path, const std::function<void(const Place&)>& after) {
        Step step = path.prepare(instance());
        step.call = [call = step.call, place = step.result, after] {
            call();
            after(place);
        };
        return verify(step, scattered, rooted, instance());
    }

    Instance instance() { return {*workspace_, MPI_COMM_WORLD}; }
    bool is_root() const { return own_rank() == problem_.root; }
    std::byte* at(const Place& place, std::size_t block, std::size_t position) const {
        return place.data + (static_cast<std::size_t>(place.displacements[block]) + position) *
                                element_.extent();
    }
    std::size_t bytes(std::size_t elements) const { return elements * element_.extent(); }
    /// Changes the data of the element at this place, and no gap.
    void flip(std::byte* element) const { element_.store(element, 0xbad); }
    std::string at_root(const std::string& place) const {
        return "rank " + std::to_string(problem_.root) + ", rooted: " + place;
    }

    const Element element_{GetParam()};
    Problem problem_;
    Path plain_, padded_;
    std::unique_ptr<Workspace> workspace_;
};

TEST_P(VerificationTest, EachPartHasBuffersOfItsOwn) {
    const Path twice = resolve(parse_statement("MPI_Gatherv(m) <= 2 MPI_Gatherv(m/2)")).right;
    Workspace second(problem_, own_rank(), twice.needs());
    for (const Workspace* each : {workspace_.get(), &second})
        Contents(problem_, scattered.holding).write(each->source(scattered), own_rank());
    const Step step = twice.prepare(std::array{instance(), Instance{second, MPI_COMM_WORLD}});
    for (Workspace* each : {workspace_.get(), &second}) each->clear_targets({rooted});
    step.call();
    const Place one = workspace_->target(rooted), other = second.target(rooted);
    EXPECT_TRUE(std::equal(one.data, one.data + one.bytes_to_end(), other.data));
    EXPECT_EQ(verify(step, scattered, rooted, instance()), std::nullopt);
    EXPECT_EQ(verify(step, scattered, rooted, {second, MPI_COMM_WORLD}), std::nullopt);
    std::set<const std::byte*> used;
    for (const Place& each : step.used) used.insert(each.data);
    EXPECT_EQ(used.size(), is_root() ? 4U : 3U);  // others than the root have no result
}

TEST_P(VerificationTest, MemoryIsLostIfEveryCallKeepsSome) {
    constexpr Repetition always{12, 1e3};
    // A size larger than malloc takes from freed memory.
    constexpr std::size_t bytes_of_a_call = 5000;
    // `keeping`: how many of the first calls keep memory. `every`: each or every second call.
    // `spoilt`: the call with a spoilt result. `pool`: the call that makes a pool larger.
    const auto lost_by = [&](int keeping, int spoilt, Finding& finding, int every = 1,
                             int pool = 0) {
        std::vector<std::unique_ptr<char[]>> kept;
        kept.reserve(2000);
        int calls = 0;
        Step step = plain_.prepare(instance());
        step.call = [&, call = step.call, place = step.result] {
            call();
            ++calls;
            if (calls <= keeping && calls % every == 0)
                kept.push_back(std::make_unique<char[]>(bytes_of_a_call));
            if (calls == pool) kept.push_back(std::make_unique<char[]>(100 * bytes_of_a_call));
            if (calls == spoilt && is_root()) flip(at(place, 0, 0));
        };
        Growth growth;
        finding = verify(step, scattered, rooted, instance(), always, &growth);
        return growth.lost_bytes;
    };
    Finding finding;
    constexpr int all = 100'000;
    const double lost = lost_by(all, 0, finding);
    EXPECT_EQ(finding, std::nullopt);
    // A pool is being filled, or a ring of blocks.
    for (const int number : {30, 400}) EXPECT_EQ(lost_by(number, 0, finding), 0.0);
    EXPECT_EQ(finding, std::nullopt);
    if (allocated_bytes() == 0)
        GTEST_SKIP() << "nobody tells what is allocated, as with sanitizers";
    EXPECT_GE(lost, static_cast<double>(bytes_of_a_call));
    EXPECT_LE(lost, bytes_of_a_call + 100.0);
    EXPECT_EQ(lost_by(all, 0, finding, 1, 800), lost);
    EXPECT_EQ(lost_by(all, 0, finding, 2), lost / 2);
    lost_by(all, 50, finding);
    EXPECT_THAT(finding, says(FaultKind::wrong_value, testing::HasSubstr("(in call 50 of ")));
}

TEST_P(VerificationTest, OneFlippedElementOfAnyBlock) {
    for (const Path* path : {&plain_, &padded_}) {
        for (std::size_t block = 0; block < problem_.counts.size(); ++block) {
            if (problem_.counts[block] == 0) continue;
            const auto last = static_cast<std::size_t>(problem_.counts[block]) - 1;
            const Finding finding = verify_spoiled(*path, [&](const Place& place) {
                if (is_root()) flip(at(place, block, last));
            });
            EXPECT_THAT(finding,
                        says(FaultKind::wrong_value,
                             StartsWith(at_root("element " + std::to_string(last) + " of block " +
                                                std::to_string(block) + " is "))));
        }
    }
}

TEST_P(VerificationTest, StaleDataOfTheRunBefore) {
    for (const Path* path : {&plain_, &padded_}) {
        EXPECT_EQ(verify_path(*path), std::nullopt);
        Step nothing = path->prepare(instance());
        nothing.call = [] {};
        EXPECT_THAT(verify(nothing, scattered, rooted, instance()),
                    says(FaultKind::wrong_value,
                         testing::AnyOf(StartsWith(at_root("element 0 of block 0 is ")),
                                        StartsWith("rank 0: MPI_Allreduce(1) agrees on -"))));
    }
}

TEST_P(VerificationTest, WriteBehindTheEndOfTheLowestRankThatDidIt) {
    for (int guilty = 0; guilty < ranks_of_world(); ++guilty) {
        use({4, 3, 0, 4, 6});  // the bytes behind the ends stay as they were written
        const Finding finding = verify_spoiled(plain_, [&](const Place&) {
            // Padded or not, a rank's own block has the room of the largest one.
            std::byte* own = workspace_->source(scattered).data;
            const auto slot = static_cast<std::size_t>(problem_.largest());
            if (own_rank() >= guilty) own[bytes(slot)] = std::byte{1};
        });
        EXPECT_EQ(finding,
                  (Fault{FaultKind::outside_buffers,
                         "rank " + std::to_string(guilty) + ": wrote behind the end of a buffer"}));
    }
}

TEST_P(VerificationTest, ChangedSendBuffer) {
    const int guilty = ranks_of_world() > 2 ? 1 : 0;  // a rank with data
    const Finding finding = verify_spoiled(plain_, [&](const Place&) {
        if (own_rank() == guilty) flip(workspace_->source(scattered).data + bytes(2));
    });
    EXPECT_THAT(finding, says(FaultKind::send_buffer_changed,
                              StartsWith("rank " + std::to_string(guilty) +
                                         ", scattered: element 2 of block 0 is ")));
    EXPECT_THAT(finding,
                says(FaultKind::send_buffer_changed, EndsWith(" (the send buffer was changed)")));
    // The next verification begins with a fresh one.
    EXPECT_EQ(verify_path(plain_), std::nullopt);
}

TEST_P(VerificationTest, ReturnedErrorCodeOfOneRank) {
    const int guilty = ranks_of_world() - 1;
    const Finding finding = verify_spoiled(plain_, [&](const Place&) {
        if (own_rank() == guilty) under_test::look_at(MPI_ERR_OTHER);
    });
    std::array<char, MPI_MAX_ERROR_STRING> words{};
    int length = 0;
    MPI_Error_string(MPI_ERR_OTHER, words.data(), &length);
    EXPECT_THAT(finding, says(FaultKind::error_returned,
                              StartsWith("rank " + std::to_string(guilty) +
                                         ": returned the error " + words.data())));
    EXPECT_EQ(verify_path(plain_), std::nullopt);
}

TEST_P(VerificationTest, EveryTenthRun) {
    Step step = plain_.prepare(instance());
    int runs = 0;
    step.call = [&, call = step.call, place = step.result] {
        call();
        if (++runs % 10 == 0 && is_root()) flip(at(place, 0, 1));
    };
    // However slow the machine is.
    EXPECT_THAT(verify(step, scattered, rooted, instance(), {12, 1e9}),
                says(FaultKind::wrong_value, EndsWith(" (in call 10 of 12)")));
    EXPECT_EQ(runs, 12);
}

// MPI_Scatter_init of MPICH 4.2.1 has this fault.
TEST_P(VerificationTest, EachRunButTheFirstOnASlowMachine) {
    Step step = plain_.prepare(instance());
    int runs = 0;
    step.call = [&, call = step.call, place = step.result] {
        call();
        if (++runs > 1 && is_root()) flip(at(place, 0, 1));
    };
    constexpr Repetition no_time{usual_repetition.most_runs, 0.0, usual_repetition.fewest_runs};
    EXPECT_THAT(verify(step, scattered, rooted, instance(), no_time),
                says(FaultKind::wrong_value, EndsWith(" (in call 2 of 2)")));
}

TEST_P(VerificationTest, AgreementThatIsNotTheLargestBlock) {
    Step step = padded_.prepare(instance());
    ASSERT_THAT(step.agreements, testing::SizeIs(1));
    EXPECT_EQ(verify(step, scattered, rooted, instance()), std::nullopt);
    // The path's data arrive, but the agreement has not taken place.
    step.call = [call = step.call, forget = step.agreements.front().forget] {
        call();
        forget();
    };
    EXPECT_THAT(verify(step, scattered, rooted, instance()),
                says(FaultKind::wrong_value, StartsWith("rank 0: MPI_Allreduce(1) agrees on ")));
}

INSTANTIATE_TEST_SUITE_P(Elements, VerificationTest, testing::Values("int", "byte", "struct"),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace mpiaudit
