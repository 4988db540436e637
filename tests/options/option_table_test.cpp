// SPDX-License-Identifier: BSD-3-Clause
#include "options/recorded_options.h"

#include <gmock/gmock.h>

#include <regex>
#include <sstream>

#include "options/option_table.h"
#include "options/parsed_run.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using List = std::vector<std::string>;

TEST(OptionTable, HasWhatTheHelpHas) {
    std::istringstream help(parsed_run({"--help-all"}).text);
    const std::regex option("  (?:-h,)?--([-a-z]+).*");
    List expected = {"help", "help-all"}, found;
    for (const auto& row : offered_run_rows()) expected.push_back(row.name);
    for (std::string line; std::getline(help, line);) {
        std::smatch match;
        if (std::regex_match(line, match, option)) found.push_back(match[1]);
    }
    EXPECT_EQ(found, expected);
}

TEST(OptionTable, IsPrintedForScripts) {
    const std::string text = options_for_scripts();
    for (const char* line :
         {"confirm launch value free - Launch\n",
          "algorithms audit value repeated verify Algorithms of the MPI library\n",
          "root audit value taken verify Problems\n",
          "no-communication audit flag taken - Timing\n",
          "order-seed drawn value free verify Timing\n",
          "fail-on session value free judge Verdicts\n",
          "color terminal value free judge Output\n"})
        EXPECT_THAT(text, HasSubstr(line));
    EXPECT_EQ(std::ranges::count(text, '\n'), offered_run_rows().size());
}

TEST(Given, IsNotWhatDiffersFromTheDefault) {
    EXPECT_THAT(run_with({}).given, IsEmpty());
    EXPECT_THAT(run_with({"--root", "half"}).given, ElementsAre("root"));
    EXPECT_FALSE(run_with({"--setting", "A=1"}).is_given("algorithms"));
}

TEST(Given, GuidelinesJoinTheLibrarysAlgorithms) {
    EXPECT_THAT(run_with({"--algorithms", "gather"}).guidelines, IsEmpty());
    EXPECT_THAT(run_with({"--algorithms", "gather", "--guidelines", "irregular"}).guidelines,
                ElementsAre("irregular"));
}

TEST(Given, DistributionsJoinCounts) {
    const List usual = default_run_options().distributions;
    EXPECT_EQ(usual.size(), 7);
    std::string names;
    for (const std::string& name : usual) names += (names.empty() ? "" : ",") + name;
    EXPECT_THAT(run_with({"--counts", "3,4"}).distributions, IsEmpty());
    EXPECT_EQ(run_with({"--counts", "3,4", "--distributions", names}).distributions, usual);
}

TEST(Given, StaysSoInAConfirmation) {
    for (const List& words : {List{"--algorithms", "gather", "--guidelines", "irregular"},
                              List{"--algorithms", "gather"}, List{"--counts", "3,4"}}) {
        const RunOptions audit = run_with(words);
        RunOptions confirmation = run_with({"--confirm", "x"});
        take_audit_options(confirmation, all_options(audit));
        settle_defaults(confirmation);
        EXPECT_EQ(confirmation.guidelines, audit.guidelines);
        EXPECT_EQ(confirmation.distributions, audit.distributions);
    }
}

}  // namespace
}  // namespace mpiaudit
