// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "proof/proof.h"
#include "text/json_text.h"

namespace mpiaudit::proof {

Run parse_run(const std::string& text, const std::string& origin) {
    const JsonDocument document(text, origin);
    try {
        const LocatedJson file = document.root();
        Run run;
        run.collective_s = file.at("collective_seconds").number(0);
        run.wall_s = file.at("wall_seconds").number(0);
        run.calls = file.at("calls").integer(0);
        run.differences = file.at("differences").integer(0);
        return run;
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(fmt::format("{}: {}", origin, error.what()));
    }
}

std::string proof_file(const Proof& proof, const std::string& rules, double tolerance, double alpha,
                       std::uint64_t seed) {
    using Json = nlohmann::ordered_json;
    Json json{{"format", "mpiaudit-proof"},
              {"version", 1},
              {"rules", rules},
              {"pairs", proof.pairs()},
              {"calls", proof.calls()},
              {"tolerance", tolerance},
              {"alpha", alpha},
              {"seed", seed},
              {"faster", proof.is_faster()}};
    for (const Question& each : proof.questions()) {
        const judge::MedianInterval ratio = each.ratio();
        const bool is_faster = each.verdict() == judge::Verdict::violated && proof.can_be_faster();
        json[std::string(each.what())] = {{"without_seconds", each.median_base_s()},
                                          {"with_seconds", each.median_repaired_s()},
                                          {"ratio", {ratio.median, ratio.low, ratio.high}},
                                          {"pairs_won", each.won()},
                                          {"faster", is_faster}};
    }
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mpiaudit::proof
