// SPDX-License-Identifier: BSD-3-Clause
// Defines read_baseline() of gate.h.
#include "report/gate.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "files/files.h"
#include "record/json_form.h"
#include "record/json_members.h"
#include "text/exit_code.h"
#include "text/json_text.h"
#include "text/plain.h"
#include "text/units.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

/// Returns the members of a contestant that a baseline needs. A report before 2.0 has objects in
/// place of rows.
json contestant_of(const json& contestant, const json& report) {
    if (contestant.is_object()) return contestant;
    json object;
    const json& shape = report.at("shapes").at(contestant.at(0).get<std::size_t>());
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const json& cell = contestant.at(i + 1);
        if (shape[i] == "name:text")
            object["name"] = report.at("texts").at(cell.get<std::size_t>());
        else if (shape[i] == "statistics.median_s")
            object["statistics"]["median_s"] = cell;
        else if (shape[i] == "wrong:text")
            object["wrong"] = true;
    }
    return object;
}

/// Takes the median times and the wrong forms from a report. Throws if the report lacks a member.
Baseline baseline_of(const json& report) {
    Baseline baseline;
    for (const json& problem : report.at("problems")) {
        for (const json& row : problem.at("contestants")) {
            const json each = contestant_of(row, report);
            const Way way = parse_way(each.at("name").get<std::string>());
            if (each.contains("statistics"))
                add_time(baseline.times[identity_of(record::description_of(problem))], way,
                         each.at("statistics").at("median_s"));
            if (each.contains("wrong")) baseline.wrong_forms.insert(way.operations());
        }
    }
    if (report.contains("wrong_barrier"))
        baseline.wrong_forms.insert(report.at("wrong_barrier").at("operation"));
    if (report.contains("generated_calls"))
        for (const json& each : report.at("generated_calls").at("findings"))
            baseline.wrong_forms.insert(each.at("call"));
    return baseline;
}

}  // namespace

Baseline read_baseline(const std::string& path) {
    std::filesystem::path file = path;
    std::error_code failure;
    if (std::filesystem::is_directory(file, failure)) file /= "report.json";
    if (!std::filesystem::exists(file, failure))
        throw UsageError("--baseline: there is no report {}", file.string());
    try {
        const JsonDocument document(read_file(file), file.string());
        const json& report = document.value();
        const auto version = report.at("schema_version").get<std::string>();
        if (!version.starts_with("1.") && !version.starts_with("2."))
            throw UsageError(
                "--baseline: {}: its schema_version is {}, this version "
                "of mpiaudit reads 1.x and 2.x: audit again",
                file.string(), version);
        return baseline_of(report);
    } catch (const json::exception& error) {
        // Leaves out the name of the exception, which stands in front in brackets.
        const std::string_view what = error.what();
        throw UsageError("--baseline: {} is no report: {}", file.string(),
                         what.substr(what.find(']') + 2));
    } catch (const std::invalid_argument& error) {
        const std::string_view what = error.what();
        throw UsageError((what.starts_with("--") ? "" : "--baseline: ") + std::string(what));
    }
}

}  // namespace mpiaudit
