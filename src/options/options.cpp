// SPDX-License-Identifier: BSD-3-Clause
#include "options/options.h"

#include <nlohmann/json.hpp>

namespace mpiaudit {

double default_tolerance(judge::Criterion criterion) {
    return criterion == judge::Criterion::evidence ? 0.05 : 0.0;
}

nlohmann::json RunOptions::audit_json() const {
    return {{"guidelines", guidelines},
            {"length", length},
            {"only", only},
            {"collectives", collectives},
            {"algorithms", algorithms},
            {"setting", settings},
            {"distributions", distributions},
            {"counts", counts},
            {"block-sizes", block_sizes},
            {"root", root},
            {"element", element},
            {"op", op},
            {"seed", seed},
            {"memory", memory},
            {"network", network},
            {"no-communication", no_communication},
            {"shared-buffers", shared_buffers},
            {"sync", sync},
            {"rank-times", rank_times},
            {"clock", clock},
            {"bind", bind},
            {"confirm", confirm},
            {"warmup", warmup ? nlohmann::json(*warmup) : nlohmann::json(automatic_warm_up)},
            {"max-rounds", max_rounds},
            {"judge", judge},
            {"tolerance", rule(1).tolerance},
            {"alpha", alpha}};
}

void RunOptions::take_audit_options(const nlohmann::json& recorded) {
    const auto take = [&](const char* option, auto& value) {
        if (recorded.contains(option)) recorded[option].get_to(value);
    };
    take("guidelines", guidelines);
    take("length", length);
    take("only", only);
    take("collectives", collectives);
    take("distributions", distributions);
    take("counts", counts);
    take("block-sizes", block_sizes);
    take("root", root);
    take("element", element);
    take("op", op);
    take("seed", seed);
    take("memory", memory);
    take("shared-buffers", shared_buffers);
    take("sync", sync);
    take("rank-times", rank_times);
    take("clock", clock);
    take("bind", bind);
    if (recorded.contains("warmup") && recorded["warmup"].is_number())
        warmup = recorded["warmup"].get<int>();
    take("max-rounds", max_rounds);
    take("judge", judge);
    tolerance = recorded.at("tolerance").get<double>();
    take("alpha", alpha);
}

nlohmann::json RunOptions::session_json() const {
    return {{"budget", budget},   {"ranks", ranks},    {"ranks-per-node", ranks_per_node},
            {"output", output},   {"resume", resume},  {"overwrite", overwrite},
            {"fail-on", fail_on}, {"dry-run", dry_run}};
}

judge::Rule RunOptions::rule(int checks) const {
    judge::Rule rule;
    rule.criterion = judge::criterion(judge).value();
    rule.tolerance = tolerance.value_or(default_tolerance(rule.criterion));
    rule.alpha = alpha;
    rule.checks = checks;
    rule.deterministic = simulation::is_running();
    return rule;
}

}  // namespace mpiaudit
