// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "report/console.h"
#include "report/console_text.h"

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

/// Why the model is none of this machine; empty where it may be one. A message costs something, a
/// byte does, and nothing is faster than what no algorithm can do without.
std::string reason_for_doubt(const LinearModel& model,
                             const std::vector<std::pair<std::string, Ratios>>& all) {
    if (!(model.alpha > 0 && model.beta > 0)) return "a message or a byte of it would cost nothing";
    std::size_t number = 0, below = 0;
    for (const auto& [name, ratios] : all) {
        number += ratios.to_bound.size();
        below += static_cast<std::size_t>(
            std::ranges::count_if(ratios.to_bound, [](double each) { return each < 1; }));
    }
    // Single ones are the noise of a fit.
    if (10 * below <= number) return "";
    return fmt::format("{} of {} times are below its lower bound", below, number);
}

/// "1.32  0.98 - 2.11"
std::string spread(std::vector<double> values) {
    if (values.empty()) return fmt::format("{:>6} {:16}", "-", "");
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    const double median =
        values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    return fmt::format(
        "{:>6} {:16}", ratio_text(median),
        fmt::format("[{}, {}]", ratio_text(values.front()), ratio_text(values.back())));
}

}  // namespace

std::string model_table(const Report& report) {
    if (!report.header.cost_model) return {};
    const LinearModel& model = *report.header.cost_model;
    const std::string parameters =
        fmt::format("alpha = {} us, beta = {:.3g}, gamma = {:.3g} ns/byte",
                    microseconds(model.alpha), model.beta * 1e9, model.gamma * 1e9);
    const auto all = ratios_of(report);
    if (const std::string doubt = reason_for_doubt(model, all); !doubt.empty())
        return fmt::format("The linear model does not fit here: {}\n  {}\n\n", parameters, doubt);
    std::string text = fmt::format(
        "Against the linear model: {}\n"
        "  measured time over the predicted one, and over the lower bound: median [range]\n",
        parameters);
    text += fmt::format("{:>23} {:>23}\n", "over predicted", "over lower bound");
    for (const auto& [name, ratios] : all) {
        if (ratios.to_bound.empty() && ratios.to_prediction.empty()) continue;
        text +=
            fmt::format("{} {} {}\n", spread(ratios.to_prediction), spread(ratios.to_bound), name);
    }
    return text + "\n";
}

}  // namespace mpiaudit
