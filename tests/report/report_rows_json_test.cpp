// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "answer/answer.h"
#include "error_message.h"
#include "report/findings.h"
#include "report/report.h"
#include "report/small_audit.h"
#include "report/small_report.h"
#include "screens/console.h"
#include "screens/report_json.h"
#include "screens/report_rows.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

TEST(ReportJson, SaysWhatTheFirstScreenSays) {
    const Report report = small_report();
    const json summary = json::parse(report_json(report)).at("summary");
    EXPECT_EQ(summary.at("audited"), audited_system(report));
    EXPECT_EQ(summary.at("headline"), headline(report));
    EXPECT_EQ(summary.at("library"), "Some MPI v1.2");
    EXPECT_EQ(summary.at("assurance"), assurance_in_words(report));
    EXPECT_EQ(summary.at("remarks_in_words"), "");
    EXPECT_FALSE(summary.contains("incomplete"));
    Report of_forms = report;
    for (const char* form : {"MPI_Ireduce(m) + MPI_Wait", "MPI_Cart_create"}) {
        of_forms.checks[0].left = form;
        const json operation = json::parse(report_json(of_forms)).at("operations").at(0);
        EXPECT_EQ(operation.at("is_other_form"), true) << form;
    }
    count_again(of_forms);
    EXPECT_EQ(rows_in_words(of_forms).at(0).instead, "keep the communicator");
}

TEST(ReportJson, HasTheRowsOfTheFirstScreen) {
    const json row = json::parse(report_json(small_report())).at("overview").at(0);
    EXPECT_EQ(row, json({{"operation", "A"},
                         {"is_other_form", false},
                         {"is_per_block", true},
                         {"sentence", "1.50 times as long as B(m) at 40\u00a0B; a call loses 1 µs"},
                         {"ranges", json::array()},
                         {"ways",
                          {{{"contestant", "A(m)"}, {"time_s", 0.0}},
                           {{"contestant", "B(m)"}, {"time_s", 0.0}},
                           {{"contestant", "C(1) + A(m')"}, {"time_s", 0.0}}}},
                         {"guideline", "g1"},
                         {"problem", "same/b=10"},
                         {"contestant", "B(m)"},
                         {"kind", "calls"},
                         {"instead", "B"},
                         {"factor", 1.5},
                         {"takes_s", 3e-6},
                         {"instead_s", 2e-6},
                         {"lost_s", 1e-6},
                         {"bytes", 40},
                         {"low_bytes", 40},
                         {"high_bytes", 40},
                         {"is_lowest", true},
                         {"is_highest", true},
                         {"is_clear", true},
                         {"worst",
                          {{"factor", 1.5},
                           {"problem", "same/b=10"},
                           {"contestant", "B(m)"},
                           {"bytes", 40}}}}));
}

TEST(ReportJson, HasTheNumbersOfVerdictsOnEachOperation) {
    const json operations = json::parse(report_json(small_report())).at("operations");
    EXPECT_EQ(operations, json({{{"operation", "A"},
                                 {"is_other_form", false},
                                 {"checks", 2},
                                 {"violated", 1},
                                 {"holds", 0},
                                 {"undecided", 0},
                                 {"skipped", 1}},
                                {{"operation", "B"},
                                 {"is_other_form", false},
                                 {"checks", 2},
                                 {"violated", 0},
                                 {"holds", 1},
                                 {"undecided", 0},
                                 {"skipped", 1}}}));
}

TEST(ReportJson, HasThePartsOfNames) {
    Report report = small_report();
    const auto parts_of = [&](const char* name) {
        report.problems[0].contestants[0].name = name;
        json parts = json::parse(report_json(report)).at("names").at(0);
        EXPECT_EQ(parts.at("name"), name);
        parts.erase("name");
        return parts;
    };
    EXPECT_EQ(
        parts_of("A(m)"),
        json({{"operation", "A"}, {"label", "A"}, {"kind", "composed"}, {"implementation", "A"}}));
    EXPECT_EQ(parts_of("A(m) #2"), json({{"operation", "A"},
                                         {"label", "A(m) #2"},
                                         {"kind", "composed"},
                                         {"implementation", "A"},
                                         {"is_copy", true}}));
    EXPECT_EQ(parts_of("MPI_Gather_init[once](m)"), json({{"operation", "MPI_Gather_init[once]"},
                                                          {"label", "MPI_Gather_init[once](m)"},
                                                          {"kind", "native"},
                                                          {"function", "MPI_Gather"},
                                                          {"start", "persistent once"}}));
    EXPECT_EQ(parts_of("MPI_Scatter(m) + MPI_Allgather(m)"),
              json({{"operation", "MPI_Scatter + MPI_Allgather"},
                    {"label", "MPI_Scatter(m) + MPI_Allgather(m)"},
                    {"kind", "composed"}}));
    const auto kind_of = [&](const char* name) { return parts_of(name).at("kind"); };
    for (const char* name : {"MPI_Gather_init(m)", "MPI_Reduce(m+k)", "MPI_Gather[in place](m)",
                             "MPI_Bcast[dup](m)", "MPI_Igather(m) + MPI_Wait", "MPI_Gather(m')"})
        EXPECT_EQ(kind_of(name), "native") << name;
    for (const char* name : {"2 MPI_Gather(m/2)", "MPI_Gather[relayed](m)",
                             "MPI_Ibcast[2 parts](m) + MPI_Waitall", "MPI_Bcast[in a row](m)"})
        EXPECT_EQ(kind_of(name), "composed") << name;
    for (const char* name : {"TUW_Gatherv(m)", "TUW_Gather(m')"})
        EXPECT_EQ(kind_of(name), "reference") << name;
}

}  // namespace
}  // namespace mpiaudit
