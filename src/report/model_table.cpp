// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "report/console.h"

namespace mpiaudit {
namespace {

/// Of one implementation, over the problems.
struct Ratios {
    std::vector<double> to_prediction;
    std::vector<double> to_bound;
};

/// In the order of their first appearance.
std::vector<std::pair<std::string, Ratios>> ratios_of(const Report& report) {
    std::vector<std::pair<std::string, Ratios>> all;
    std::map<std::string, std::size_t> places;
    for (const ReportedProblem& problem : report.problems) {
        for (const ReportedContestant& contestant : problem.contestants) {
            if (!contestant.statistics) continue;
            const auto [place, is_new] = places.emplace(contestant.name, all.size());
            if (is_new) all.emplace_back(contestant.name, Ratios{});
            Ratios& ratios = all[place->second].second;
            // Without data nothing has to be sent, and nothing can be divided by.
            const auto add = [&](std::vector<double>& to, std::optional<double> time_s) {
                if (time_s && *time_s > 0) to.push_back(contestant.statistics->median / *time_s);
            };
            add(ratios.to_prediction, contestant.predicted_s);
            add(ratios.to_bound, contestant.lower_bound_s);
        }
    }
    return all;
}

std::string ratio(double value) {
    return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

/// "1.32  0.98 - 2.11"
std::string spread(std::vector<double> values) {
    if (values.empty()) return fmt::format("{:>6} {:16}", "-", "");
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    const double median =
        values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    return fmt::format("{:>6} {:16}", ratio(median),
                       fmt::format("[{}, {}]", ratio(values.front()), ratio(values.back())));
}

}  // namespace

std::string model_table(const Report& report) {
    if (!report.header.cost_model) return {};
    const LinearModel& model = *report.header.cost_model;
    std::string text = fmt::format(
        "Against the linear model: alpha = {} us, beta = {:.3g} ns/byte, gamma = {:.3g} ns/byte\n"
        "  measured time over the predicted one, and over the lower bound: median [range]\n",
        microseconds(model.alpha), model.beta * 1e9, model.gamma * 1e9);
    text += fmt::format("{:>23} {:>23}\n", "over predicted", "over lower bound");
    for (const auto& [name, ratios] : ratios_of(report)) {
        if (ratios.to_bound.empty() && ratios.to_prediction.empty()) continue;
        text +=
            fmt::format("{} {} {}\n", spread(ratios.to_prediction), spread(ratios.to_bound), name);
    }
    return text + "\n";
}

}  // namespace mpiaudit
