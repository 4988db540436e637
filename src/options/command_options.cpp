// SPDX-License-Identifier: BSD-3-Clause
#include "options/command_options.h"

#include <map>

namespace mpiaudit {
namespace {

const std::map<std::string, When> whens = {
    {"auto", When::automatic}, {"always", When::always}, {"never", When::never}};

}  // namespace

CLI::Option* add_when(CLI::App& app, const char* name, When& value, const char* help) {
    return app.add_option(name, value, help)
        ->transform(CLI::CheckedTransformer(whens, CLI::ignore_case).description(""))
        ->type_name("auto|always|never")
        ->default_str("auto");
}

void add_verdict_options(CLI::App& app, std::string& criterion, std::optional<double>& tolerance) {
    app.add_option("--judge", criterion,
                   "What decides: evidence bounds the probability of a wrong verdict, averages and "
                   "minima are the plain comparisons of the papers")
        ->check(CLI::IsMember(std::vector<std::string>{"evidence", "averages", "minima"})
                    .description(""))
        ->type_name("evidence|averages|minima")
        ->group("Verdicts")
        ->capture_default_str();
    app.add_option(
           "--tolerance", tolerance,
           "Share by which the left side may be slower (default: 0.05; averages, minima: 0)")
        ->check(CLI::NonNegativeNumber.description(""))
        ->type_name("SHARE")
        ->group("Verdicts");
}

void add_fail_on(CLI::App& app, std::string& fail_on) {
    app.add_option("--fail-on", fail_on, "Exit with 1 when a guideline is violated")
        ->check(CLI::IsMember(std::vector<std::string>{"never", "violation"}).description(""))
        ->type_name("never|violation")
        ->group("Verdicts")
        ->capture_default_str();
}

CLI::Option* add_length(CLI::App& app, int& length) {
    return app
        .add_option("--length", length, "Most operations on the right side of derived guidelines")
        ->check(CLI::Range(1, 4).description(""))
        ->type_name("NUMBER")
        ->capture_default_str();
}

}  // namespace mpiaudit
