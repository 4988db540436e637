// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/patterns/node_communicators.h"
#include "cost/prediction.h"
#include "world.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

namespace mpiaudit {
namespace {

TEST(FitLine, ALineIsFound) {
    constexpr LinearModel line{2e-6, 1e-10};
    std::array<Transmission, 4> transmissions{};
    double bytes = 1;
    for (Transmission& each : transmissions) {
        each = {bytes, line.alpha + line.beta * bytes};
        bytes *= 100;
    }
    const LinearModel model = fit_line(transmissions);
    EXPECT_NEAR(model.alpha, line.alpha, 1e-6 * line.alpha);
    EXPECT_NEAR(model.beta, line.beta, 1e-6 * line.beta);
}

TEST(FitLine, RelativeErrorsCountAlike) {
    // A latency that is twice as large at the far end moves the start-up, a thousandth of it, by
    // less than a tenth.
    const std::array<Transmission, 4> transmissions = {
        Transmission{0, 1e-6}, {0, 1e-6}, {1e6, 1e-3}, {1e6, 2e-3}};
    EXPECT_NEAR(fit_line(transmissions).alpha, 1e-6, 1e-7);
}

TEST(FitLine, NeitherParameterIsNegative) {
    const std::array<Transmission, 2> falling = {Transmission{1, 3e-6}, {1000, 1e-6}};
    EXPECT_EQ(fit_line(falling).beta, 0);
    EXPECT_GT(fit_line(falling).alpha, 0);
    const std::array<Transmission, 2> steep = {Transmission{10, 1e-6}, {20, 3e-6}};
    EXPECT_EQ(fit_line(steep).alpha, 0);
    EXPECT_GT(fit_line(steep).beta, 0);
}

TEST(FitLine, AClockThatHasSeenNoTimePassTellsNothing) {
    const std::array<Transmission, 3> some = {Transmission{1, 0}, {10, 1e-6}, {100, -1e-6}};
    EXPECT_DOUBLE_EQ(fit_line(some).alpha, 1e-6);
    EXPECT_EQ(fit_line(some).beta, 0);
    EXPECT_EQ(fit_line(std::span(some).first(1)).alpha, 0);
}

TEST(FitModel, AllRanksHaveTheSame) {
    const int ranks = ranks_of_world();
    const auto model = fit_model(MPI_COMM_WORLD, Element("int"), Operator("sum"));
    ASSERT_EQ(model.has_value(), ranks > 1);
    if (!model) return;
    std::array values = {model->alpha, model->beta, model->gamma, model->copying};
    for (const double value : values) EXPECT_TRUE(std::isfinite(value) && value >= 0) << value;
    EXPECT_GT(model->gamma, 0);
    EXPECT_GT(model->copying, 0);
    MPI_Bcast(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    EXPECT_EQ(model->alpha, values[0]);
    EXPECT_EQ(model->beta, values[1]);
    EXPECT_EQ(model->gamma, values[2]);
    EXPECT_EQ(model->copying, values[3]);
    EXPECT_EQ(fit_model(MPI_COMM_WORLD, Element("char"), Operator("sum"))->gamma, 0);
}

/// Two ranks on each of two nodes.
TEST(FitModel, KnowsNodes) {
    const int ranks = ranks_of_world();
    MPI_Comm comm = MPI_COMM_NULL;
    set_ranks_per_node(2);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const auto model = fit_model(comm, Element("int"), Operator("sum"));
    MPI_Comm_free(&comm);
    set_ranks_per_node(0);
    // One of three ranks is alone on the last node.
    ASSERT_EQ(model && model->nodes, ranks > 1);
    if (!model) return;
    EXPECT_EQ(model->nodes->ranks_per_node, 2);
    EXPECT_EQ(model->nodes->memory, 1);
    EXPECT_EQ(model->nodes->processors, 0);
    std::array values = {model->nodes->alpha,        model->nodes->beta,
                         model->nodes->within.send,  model->nodes->within.receive,
                         model->nodes->between.send, model->nodes->between.receive};
    for (const double value : values) EXPECT_TRUE(std::isfinite(value) && value >= 0) << value;
    const auto own = values;
    MPI_Bcast(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    EXPECT_EQ(own, values);
}

/// All ranks on one node, or one on each.
TEST(FitModel, KnowsOverheadsOnOneNodeAndBetweenSingleRanks) {
    const int ranks = ranks_of_world();
    for (const int ranks_per_node : {1, ranks}) {
        MPI_Comm comm = MPI_COMM_NULL;
        set_ranks_per_node(ranks_per_node);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        const auto model = fit_model(comm, Element("int"), Operator("sum"));
        MPI_Comm_free(&comm);
        set_ranks_per_node(0);
        if (!model) continue;
        EXPECT_EQ(model->nodes->ranks_per_node, ranks_per_node);
        // Costs of the kind of message that does not exist are 0.
        const bool is_within = ranks_per_node > 1;
        EXPECT_EQ(model->nodes->within.send > 0, is_within);
        EXPECT_EQ(model->nodes->between.send > 0, !is_within);
        EXPECT_EQ(model->nodes->alpha > 0, is_within);
    }
}

TEST(FitModel, KnowsThatRanksShareProcessors) {
    const int ranks = ranks_of_world();
    for (const auto& [processors, expected] :
         {std::pair{1.0, 1}, {ranks - 1.0, ranks - 1}, {ranks + 0.0, 0}, {0.0, 0}}) {
        const auto model =
            fit_model(MPI_COMM_WORLD, Element("int"), Operator("sum"), processors / ranks);
        if (!model) continue;
        EXPECT_EQ(model->nodes->processors, ranks == 1 ? 0 : expected) << processors;
        if (expected > 0) {
            EXPECT_LE(model->nodes->memory, expected);
        }
    }
}

}  // namespace
}  // namespace mpiaudit
