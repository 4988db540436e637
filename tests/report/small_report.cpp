// SPDX-License-Identifier: BSD-3-Clause
#include "small_report.h"

#include <regex>
#include <sstream>

namespace mpiaudit {
namespace {

using nlohmann::json;

json measured(const std::string& name, double mean_s, double minimum_s) {
    return {{"name", name},
            {"from", "scattered"},
            {"to", "rooted"},
            {"statistics", {{"mean_s", mean_s}, {"minimum_s", minimum_s}}}};
}

json check(const std::string& guideline, const std::string& problem, const std::string& verdict) {
    return {{"guideline", guideline},
            {"problem", problem},
            {"left", guideline == "g1" ? "A(m)" : "B(m)"},
            {"right", guideline == "g1" ? "B(m)" : "C(1) + A(m')"},
            {"verdict", verdict}};
}

json violated(json check, double ratio) {
    check["verdict"] = "violated";
    check["ratio"] = {
        {"median", ratio}, {"low", ratio - 0.25}, {"high", ratio + 0.25}, {"coverage", 0.961}};
    check["reproduce"] = "mpirun -n 4 mpiaudit run --only " + check["guideline"].get<std::string>();
    return check;
}

json skipped(json check, const std::string& reason) {
    check["reason"] = reason;
    return check;
}

}  // namespace

json small_report() {
    json report = {{"simulated", false},
                   {"complete", true},
                   {"elapsed_s", 12.34},
                   {"warnings", json::array()}};
    report["guidelines"] = {{{"id", "g1"}, {"statement", "A(m) <= B(m)"}},
                            {{"id", "g2"}, {"statement", "B(m) <= C(1) + A(m')"}}};
    json regular = {
        {"id", "same/b=10"}, {"distribution", "same"}, {"total", 40}, {"padded_total", 40}};
    regular["contestants"] = {measured("A(m)", 3.0046e-6, 2.5e-6),
                              measured("B(m)", 2e-6, 1.9996e-6),
                              measured("C(1) + A(m')", 45.678e-6, 33e-6)};
    json irregular = {{"id", "two-blocks/b=1000"},
                      {"distribution", "two-blocks"},
                      {"total", 2000},
                      {"padded_total", 4000}};
    irregular["contestants"] = {measured("A(m)", 0, 0), measured("B(m)", 123456e-6, 1000.4e-6),
                                measured("C(1) + A(m')", 0, 0)};
    for (const int k : {0, 2}) irregular["contestants"][k].erase("statistics");
    irregular["contestants"][0]["skipped"] = "A needs equal blocks";
    irregular["contestants"][2]["wrong"] = "rank 2, rooted: element 0 of block 3 is 5, not 7";
    report["problems"] = {regular, irregular};
    report["checks"] = {
        violated(check("g1", "same/b=10", ""), 1.5), check("g2", "same/b=10", "holds"),
        skipped(check("g1", "two-blocks/b=1000", "skipped"), "A needs equal blocks"),
        skipped(check("g2", "two-blocks/b=1000", "skipped"), "C is wrong")};
    report["checks"][0]["advice"] =
        "Where all blocks are equal, call B in place of A. The library could do the same.";
    report["summary"] = {
        {"checks", 4},  {"violated", 1}, {"holds", 1},    {"undecided", 0},
        {"skipped", 2}, {"wrong", 1},    {"samples", 48}, {"fixed_protocol_samples", 300}};
    return report;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string without_colour(const std::string& text) {
    return std::regex_replace(text, std::regex("\033\\[[0-9;]*m"), "");
}

}  // namespace mpiaudit
