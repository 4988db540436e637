// SPDX-License-Identifier: BSD-3-Clause
#include "small_audit.h"

#include <algorithm>

namespace mpiaudit {
namespace {

using nlohmann::json;

json bare_contestant(const std::string& name) {
    return {{"name", name}, {"from", "scattered"}, {"to", "rooted"}, {"steps", json::array()}};
}

}  // namespace

json contestant(const std::string& name, const std::vector<double>& samples_s) {
    json entry = bare_contestant(name);
    if (!samples_s.empty()) entry["samples_s"] = samples_s;
    return entry;
}

json skipped_contestant(const std::string& name, const std::string& reason) {
    json entry = bare_contestant(name);
    entry["skipped"] = reason;
    return entry;
}

json wrong_contestant(const std::string& name, const std::string& finding) {
    json entry = bare_contestant(name);
    entry["wrong"] = finding;
    return entry;
}

json problem_line(const std::string& distribution, const json& contestants,
                  const std::string& stopped) {
    std::size_t rounds = 0;
    for (const json& each : contestants)
        rounds = std::max(rounds, each.contains("samples_s") ? each["samples_s"].size() : 0);
    json line = {{"kind", "problem"},
                 {"id", distribution + "/b=10"},
                 {"distribution", distribution},
                 {"block_size", 10},
                 {"ranks", 4},
                 {"root", 2},
                 {"element", "int"},
                 {"op", "sum"},
                 {"element_bytes", 4},
                 {"total", 40},
                 {"padded_total", 40},
                 {"smallest", 10},
                 {"largest", 10},
                 {"counts", {10, 10, 10, 10}},
                 {"contestants", contestants},
                 {"order", json(rounds, json::array())},
                 {"stopped", stopped},
                 {"elapsed_s", 0.25}};
    line["checks"] = json::array();
    for (std::size_t k = 0; k < contestants.size() / 2; ++k)
        line["checks"].push_back(
            {{"guideline", "g" + std::to_string(k)}, {"left", 2 * k}, {"right", 2 * k + 1}});
    return line;
}

json audit_header() {
    json header = json::parse(R"json({
        "kind": "header", "schema_version": "1.0",
        "tool": {"name": "mpiaudit", "version": "0", "commit": "c"},
        "started": "2024-01-01T00:00:00Z", "command": ["./mpiaudit", "run"],
        "mpi": {"library": "L", "standard": "3.1"},
        "machine": {"ranks": 4, "hosts": [], "bindings": []}, "simulated": false,
        "clock": {"name": "mpi", "resolution_s": 1e-9, "synchronisation": "barrier"},
        "environment": {}, "warnings": [], "implementations": [], "planned_problems": 2,
        "rule": {"criterion": "evidence", "tolerance": 0.05, "alpha": 0.05, "checks": 3,
                 "max_rounds": 200},
        "distributions": [{"name": "same", "formula": "b"}, {"name": "spikes", "formula": "b"}],
        "guidelines": [
            {"id": "g0", "statement": "A(m) <= B(m)", "file": "irregular.json", "advice": "Use B."},
            {"id": "g1", "statement": "C(m) <= D(m)", "file": "irregular.json"},
            {"id": "g2", "statement": "E(m) <= F(m)", "file": "irregular.json", "advice": "Use F."}
        ]})json");
    header["default_options"] = {{"distributions", {"same", "spikes"}},
                                 {"counts", ""},
                                 {"root", "half"},
                                 {"element", "int"},
                                 {"op", "sum"},
                                 {"seed", 1},
                                 {"sync", "barrier"},
                                 {"clock", "mpi"},
                                 {"bind", "core"},
                                 {"warmup", 10},
                                 {"max-rounds", 200}};
    header["options"] = header["default_options"];
    header["options"]["order-seed"] = 7;
    return header;
}

}  // namespace mpiaudit
