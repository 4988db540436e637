// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <malloc.h>

#include "plan/plan.h"

namespace mpiaudit {

inline constexpr std::uint64_t plenty = std::uint64_t{1} << 40;

inline Guideline guideline(const std::string& statement) {
    Guideline guideline;
    guideline.id = guideline.statement = statement;
    guideline.inequality = resolve(parse_statement(statement));
    return guideline;
}
inline Distribution formula(const std::string& name, const std::string& text) {
    return {.name = name, .formula = text};
}
inline Distribution explicit_counts(std::vector<Count> counts) {
    return {.name = "counts", .counts = std::move(counts)};
}
inline RunOptions with_sizes(const std::string& block_sizes) {
    RunOptions options;
    options.block_sizes = block_sizes;
    return options;
}
inline std::vector<std::string> ids_of(const Plan& plan) {
    std::vector<std::string> ids;
    for (const ProblemOutline& planned : plan.problems) ids.push_back(planned.id);
    return ids;
}
inline std::vector<std::string> contestants(const ProblemOutline& planned) {
    std::vector<std::string> names;
    for (const Contestant& each : planned.contestants) names.push_back(each.name);
    return names;
}

class PlanTest : public testing::Test {
  protected:
    /// Plans for `ranks` ranks with enough memory.
    static Plan plan(const Inputs& inputs, const std::string& block_sizes, int ranks,
                     const Types& types) {
        return make_plan(inputs, with_sizes(block_sizes), types, ranks, plenty);
    }
    Plan plan(const Inputs& inputs, const std::string& block_sizes, int ranks = 4) const {
        return plan(inputs, block_sizes, ranks, types_);
    }
    static Types types_of(const Inputs& inputs) { return {"int", "sum", nullptr, inputs.looks}; }
    const Types types_{"int", "sum"};
};

/// A broadcast of 6 doubles from rank 1, and a gather of integers, with less time.
inline Inputs inputs_of_application() {
    application::Recording recording;
    recording.ranks = 3;
    recording.groups = {{{0, 1, 2}, 1}};
    recording.problems.resize(2);
    for (application::Problem& each : recording.problems) each.mode = "blocking";
    application::Problem& gatherv = recording.problems[0];
    gatherv.collective = "MPI_Gatherv";
    gatherv.root = 2;
    gatherv.element = application::Element{"MPI_INT", 4, 4, "predefined"};
    gatherv.bytes.blocks = {0, 8, 4};
    gatherv.seconds.sum = 1;
    application::Problem& bcast = recording.problems[1];
    bcast.collective = "MPI_Bcast";
    bcast.root = 1;
    bcast.element = application::Element{"MPI_DOUBLE", 8, 8, "predefined"};
    bcast.bytes.block = 48;
    bcast.seconds.sum = 3;
    Inputs inputs{
        {guideline("MPI_Gatherv <= TUW_Gatherv"), guideline("MPI_Bcast <= linear_Bcast"),
         guideline("MPI_Bcast <= 2 MPI_Bcast(m/2)"), guideline("TUW_Gatherv <= linear_Gatherv")},
        {}};
    inputs.recording = recording;
    select_problems(inputs, {3, {}}, "problems.json");
    return inputs;
}

inline std::vector<std::string> names_of(const std::vector<const Arrow*>& arrows) {
    std::vector<std::string> names;
    for (const Arrow* each : arrows) names.push_back(each->name);
    return names;
}

}  // namespace mpiaudit
