// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "causes/old_texts.h"
#include "options/option_table.h"
#include "options/recorded_options.h"
#include "record/audit_record.h"

namespace mpiaudit {

/// The same time in every round.
inline std::vector<double> times(std::size_t rounds, double seconds) {
    return std::vector<double>(rounds, seconds);
}

/// A contestant scattered -> rooted.
inline record::Contestant contestant(const std::string& name, std::vector<double> samples_s) {
    record::Contestant made;
    made.name = name;
    made.from = "scattered";
    made.to = "rooted";
    made.samples_s = std::move(samples_s);
    return made;
}

inline record::Contestant contestant(const std::string& name, std::size_t rounds, double seconds) {
    return contestant(name, times(rounds, seconds));
}

inline record::Contestant skipped_contestant(const std::string& name, const std::string& reason) {
    record::Contestant made = contestant(name, {});
    made.skipped = reason_of_old_text(reason);
    return made;
}

inline record::Contestant wrong_contestant(const std::string& name, const std::string& finding) {
    record::Contestant made = contestant(name, {});
    made.wrong = fault_of_old_text(finding);
    return made;
}

/// A problem of four ranks. Its check k is guideline k of the header, between the contestants 2k
/// and 2k + 1. Every contestant runs in the first rounds, once for each of its samples.
inline record::ProblemRecord problem_record(const std::string& distribution,
                                            std::vector<record::Contestant> contestants,
                                            record::Stopped stopped = record::Stopped::decided) {
    record::ProblemRecord made;
    made.problem = {.id = distribution + "/b=10",
                    .distribution = distribution,
                    .block_size = 10,
                    .ranks = 4,
                    .root = 2,
                    .element = "int",
                    .element_bytes = 4,
                    .op = "sum",
                    .total = 40,
                    .padded_total = 40,
                    .smallest = 10,
                    .largest = 10};
    made.counts = {10, 10, 10, 10};
    for (std::size_t k = 0; k < contestants.size() / 2; ++k)
        made.checks.push_back({"g" + std::to_string(k), 2 * k, 2 * k + 1});
    for (std::size_t i = 0; i < contestants.size(); ++i) {
        const std::size_t rounds = contestants[i].samples_s.size();
        made.order.resize(std::max(made.order.size(), rounds));
        for (std::size_t round = 0; round < rounds; ++round)
            made.order[round].push_back(static_cast<int>(i));
    }
    made.contestants = std::move(contestants);
    made.stopped = stopped;
    made.elapsed_s = 0.25;
    return made;
}

/// The header of an audit of two problems with three guidelines, alpha divided over three checks.
inline record::Header audit_header() {
    const std::string from = "irregular.json";
    record::Header header;
    header.tool = {"mpiaudit", "0", "c"};
    header.started = "2024-01-01T00:00:00Z";
    header.command = {"./mpiaudit", "run"};
    header.mpi = {"L", "3.1"};
    header.machine.ranks = 4;
    header.clock = {
        .name = "mpi", .resolution_s = 1e-9, .read_s = 1e-9, .synchronisation = "barrier"};
    header.rule = {{.tolerance = 0.05, .alpha = 0.05, .checks = 3}, 200};
    for (const char* name : {"same", "spikes"}) {
        record::DistributionRecord& each = header.distributions.emplace_back();
        each.name = name;
        each.formula = "b";
    }
    header.guidelines = {{"g0", "A(m) <= B(m)", "", "Use B.", from},
                         {"g1", "C(m) <= D(m)", "", "", from},
                         {"g2", "E(m) <= F(m)", "", "Use F.", from}};
    header.default_options = audit_options(default_run_options());
    header.options = header.default_options;
    set_option(header.options, "distributions", std::vector<std::string>{"same", "spikes"});
    set_option(header.options, "order-seed", std::uint64_t{7});
    header.planned_problems = 2;
    return header;
}

}  // namespace mpiaudit
