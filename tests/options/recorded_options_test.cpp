// SPDX-License-Identifier: BSD-3-Clause
#include "options/recorded_options.h"

#include <gmock/gmock.h>

#include <map>
#include <sstream>
#include <stdexcept>

#include "error_message.h"
#include "options/option_table.h"
#include "options/parsed_run.h"

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using List = std::vector<std::string>;

/// For every option with a value, a value that is not the default. Formats all take a file.
const std::map<std::string, std::string> other_values = [] {
    std::istringstream rows(
        "confirm results/first; row S2; guidelines a,./my b.json; only x,y; "
        "collectives gather; algorithms gather,bcast; library openmpi-2.0.1; "
        "setting A=it's,B=two words; distributions same,spikes:rho=10; counts 1,2; "
        "problems my problems.json; block-sizes 1,7; root 3; element double; op max; "
        "seed 18446744073709551615; network my cluster.json; node-size 16; memory 1Gi; "
        "memory-kind cuda,host; "
        "sync dissemination; clock monotonic; bind none; warmup 0; max-rounds 5; "
        "time-per-problem 2s; heap grown; buffers rotate; arrivals t*u; graph ring; "
        "budget 5m; check-calls 7s; hang-after 5m; order-seed 9; launches 7; ranks 4,all; "
        "nodes 1,2; ranks-per-node 2; link 100Gb/s; "
        "judge minima; outliers upper; protocol paper-2014; tolerance 0.125; alpha 1e-05; "
        "fail-on violation; baseline old; output there; color never; "
        "progress always; ");
    std::map<std::string, std::string> values;
    for (std::string name, value; rows >> name && std::getline(rows >> std::ws, value, ';');)
        values[name] = value;
    for (const Format& format : formats) values[format.option] = "a file";
    return values;
}();

/// A value of the option that is not the default. Ends the program if `other_values` lacks one.
std::string other_value(const std::string& option) {
    const auto found = other_values.find(option);
    if (found != other_values.end()) return found->second;
    throw std::out_of_range("other_values has no value for the option --" + option + "; add one");
}

/// Gives the option on the command line, with what else it needs.
List words_for(const OptionRow<RunOptions>& row) {
    List words = {std::string("--") + row.name};
    if (std::string(row.name) == "launches" || std::string(row.name) == "row")
        words.insert(words.begin(), {"--confirm", "results/first"});
    if (!row.member.is_flag) words.push_back(other_value(row.name));
    if (std::string(row.name) == "in-a-row") words.insert(words.end(), {"--judge", "minima"});
    return words;
}

std::vector<OptionRow<RunOptions>> rows_that(auto is_wanted) {
    std::vector<OptionRow<RunOptions>> rows;
    for (const auto& row : offered_run_rows()) {
        if (is_wanted(row)) rows.push_back(row);
    }
    return rows;
}

bool is_of_the_audit(const OptionRow<RunOptions>& row) {
    return row.belongs_to == BelongsTo::audit;
}

TEST(RecordedOptions, EveryValueIsReadRecordedAndTaken) {
    for (const auto& row : offered_run_rows()) {
        SCOPED_TRACE(row.name);
        const RunOptions run = run_with(words_for(row));
        EXPECT_TRUE(run.is_given(row.name));
        const OptionValues recorded = all_options(run);
        const OptionValue& value = option_in(recorded, row.name);
        const bool is_recorded =
            row.belongs_to != BelongsTo::drawn && row.belongs_to != BelongsTo::terminal;
        ASSERT_EQ(value != OptionValue(), is_recorded);
        if (!is_recorded) continue;
        EXPECT_NE(value, option_in(all_options(default_run_options()), row.name));
        if (!std::holds_alternative<bool>(value)) {
            EXPECT_EQ(text_of(value), other_value(row.name));
        }

        RunOptions other = default_run_options();
        take_audit_options(other, recorded);
        const OptionValues all_taken = audit_options(other);
        const OptionValue& taken = option_in(all_taken, row.name);
        if (taken != OptionValue()) {
            const OptionValues usual = audit_options(default_run_options());
            EXPECT_EQ(taken, is_of_the_audit(row) ? value : option_in(usual, row.name));
        }
        EXPECT_EQ(other.is_given(row.name), is_of_the_audit(row));
    }
}

TEST(RecordedOptions, AllHaveThoseOfTheAuditAmongThem) {
    const OptionValues all = all_options(default_run_options());
    EXPECT_TRUE(std::ranges::is_sorted(all, {}, &NamedOption::name));
    for (const auto& [name, value] : audit_options(default_run_options()))
        EXPECT_EQ(option_in(all, name), value) << name;
    for (const char* name : {"confirm", "order-seed", "budget"})
        EXPECT_TRUE(may_differ_between_launches(name)) << name;
    for (const char* name : {"root", "option-of-another-version"})
        EXPECT_FALSE(may_differ_between_launches(name)) << name;
}

TEST(RecordedOptions, WarmUpUntilItSettlesIsTakenToo) {
    RunOptions run = run_with({"--warmup", "7"});
    take_audit_options(run, {{"warmup", "auto"}});
    EXPECT_EQ(run.warmup, std::nullopt);
}

TEST(RecordedOptions, OptionsThatAnEarlierVersionLacksStay) {
    RunOptions run = run_with({"--root", "3"});
    take_audit_options(run, {});
    EXPECT_EQ(run.root.text(), "3");
}

std::string error_of_taking(const OptionValues& recorded, const OptionValues& defaults = {}) {
    return error_message([&] {
        RunOptions run;
        take_audit_options(run, recorded, defaults);
    });
}

TEST(RecordedOptions, OptionsOfAnEarlierVersionMayHaveTheirDefaults) {
    EXPECT_EQ(error_of_taking({{"groups", "one"}}, {{"groups", "one"}}), "");
    EXPECT_THAT(error_of_taking({{"groups", "all"}}, {{"groups", "one"}}), HasSubstr("--groups"));
}

TEST(RecordedOptions, AFormerNameIsReadButNotListed) {
    for (const List& words :
         {List{"--check-calls", "7s"}, List{"--time", "7s"}, List{"--time=7s"}}) {
        const RunOptions run = run_with(words);
        EXPECT_THAT(run.given, ElementsAre("check-calls"));
        EXPECT_EQ(text_of(option_in(all_options(run), "check-calls")), "7s");
        EXPECT_EQ(option_in(all_options(run), "time"), OptionValue());
    }
    EXPECT_EQ(error_of_taking({{"time", "7s"}}, {}), "");
    EXPECT_TRUE(may_differ_between_launches("time"));
    EXPECT_THAT(parsed_run({"--help-all"}).text, Not(HasSubstr("--time ")));
    EXPECT_THAT(parsed_run({"--help-all"}).text, Not(HasSubstr("--time,")));
    EXPECT_THAT(parsed_run({"--tme", "7s"}).error, Not(HasSubstr("--time?")));
    EXPECT_THAT(parsed_run({"--time", "--resume"}).error, HasSubstr("--check-calls: "));
}

TEST(RecordedOptions, UnusableValuesAreNamed) {
    EXPECT_THAT(error_of_taking({{"future", "x"}}),
                AllOf(HasSubstr("--confirm: "), HasSubstr("--future"), HasSubstr("version")));
    EXPECT_EQ(error_of_taking({{"seed", "many"}}),
              "--confirm: the audit recorded an invalid --seed: 'many' is of another type");
    EXPECT_EQ(error_of_taking({{"root", false}}),
              "--confirm: the audit recorded an invalid --root: 'false' is of another type");
    EXPECT_THAT(error_of_taking({{"root", ""}}), HasSubstr("invalid --root: ''"));
    EXPECT_EQ(error_of_taking({{"budget", ""}}), "");
    EXPECT_THAT(error_of_taking({{"clock", "sundial"}}),
                HasSubstr("--clock: unknown value 'sundial'; valid: monotonic, mpi"));
    EXPECT_THAT(error_of_taking({{"max-rounds", std::uint64_t{0}}}), HasSubstr("--max-rounds: "));
    EXPECT_THAT(error_of_taking({{"max-rounds", std::uint64_t{1} << 40}}),
                HasSubstr("--max-rounds: '1099511627776' is of another type"));
    EXPECT_EQ(error_of_taking({{"tolerance", std::uint64_t{0}}}), "");
}

TEST(Confirm, RefusesWhatTheAuditDecides) {
    for (const auto& row : rows_that(is_of_the_audit)) {
        SCOPED_TRACE(row.name);
        List words = words_for(row);
        const std::string name = row.name;
        if (name == "in-a-row") words.resize(1);
        words.insert(words.begin(), {"--confirm", "x"});
        EXPECT_EQ(parsed_run(words).error,
                  row.acts_before_mpi ? ""
                                      : std::string("--") + row.name +
                                            ": --confirm takes this from the audit; leave it out");
    }
    const auto others = rows_that([](const auto& row) { return !is_of_the_audit(row); });
    for (const auto& row : others) {
        List words = words_for(row);
        if (words.front() != "--confirm") words.insert(words.begin(), {"--confirm", "x"});
        EXPECT_EQ(parsed_run(words).error, "") << row.name;
    }
}

TEST(Confirm, WantsWhatActsBeforeItIsKnown) {
    const auto error = [](const List& audit, const List& confirmation) {
        return error_message([&] {
            List words = {"--confirm", "results/first"};
            words.insert(words.end(), confirmation.begin(), confirmation.end());
            require_same_before_mpi(run_with(words), all_options(run_with(audit)));
        });
    };
    const List algorithms = {"--algorithms", "gather"}, variable = {"--setting", "A=1"};
    EXPECT_EQ(error(algorithms, algorithms), "");
    EXPECT_EQ(error(variable, variable), "");
    EXPECT_EQ(error(algorithms, {}),
              "--confirm: the audit in results/first had --algorithms gather, here is no "
              "--algorithms; it acts when the MPI library starts, before anything is known of the "
              "audit: give --algorithms gather here, too");
    EXPECT_THAT(error({}, variable), AllOf(HasSubstr("had no --setting, here is --setting A=1;"),
                                           HasSubstr(": leave it out")));
    EXPECT_THAT(error(variable, {"--setting", "A=2"}),
                AllOf(HasSubstr("had --setting A=1, here is --setting A=2;"),
                      HasSubstr(": give --setting A=1 here, too")));
}

/// Expects that a command line and the words that reproduce it give equal options, if the reproduce
/// command repeats them.
void expect_reproduced(const List& words) {
    const OptionValues recorded = all_options(run_with(words));
    const List again = reproduced_arguments(recorded, audit_options(default_run_options()));
    const OptionValues found = all_options(run_with(again));
    for (const auto& row : run_rows()) {
        if (!row.is_reproduced) continue;
        EXPECT_EQ(option_in(found, row.name), option_in(recorded, row.name)) << row.name;
    }
}

TEST(Reproduced, EveryOptionIsReadBackAsItWas) {
    List all;
    for (const auto& row : rows_that([](const auto& each) { return each.is_reproduced; })) {
        const List words = words_for(row);
        EXPECT_THAT(reproduced_arguments(all_options(run_with(words)),
                                         audit_options(default_run_options())),
                    Contains(std::string("--") + row.name));
        expect_reproduced(words);
        const std::string name = row.name;
        if (name == "sync" || name == "in-a-row") continue;  // not with --arrivals
        if (name == "nodes") continue;                       // not beside ranks
        all.insert(all.end(), words.begin(), words.end());
    }
    expect_reproduced(all);
}

TEST(Reproduced, OptionsNotRepeatedNameGuidelinesAndProblems) {
    List names;
    for (const auto& row :
         rows_that([](const auto& each) { return is_of_the_audit(each) && !each.is_reproduced; }))
        names.push_back(row.name);
    EXPECT_THAT(names,
                ElementsAre("guidelines", "only", "collectives", "distributions", "counts",
                            "block-sizes", "problems", "protocol", "table", "csv", "json-lines"));
}

TEST(Reproduced, DefaultsAreThoseOfTheAudit) {
    const OptionValues usual = audit_options(default_run_options());
    EXPECT_THAT(reproduced_arguments(usual, usual), IsEmpty());
    // Another value, as in a simulation or in another version.
    OptionValues other = usual;
    set_option(other, "max-rounds", std::uint64_t{1});
    EXPECT_THAT(reproduced_arguments(usual, other), ElementsAre("--max-rounds", "400"));
    EXPECT_THAT(reproduced_arguments({}, other), IsEmpty());
}

TEST(Reproduced, TheDefaultToleranceIsThatOfTheCriterion) {
    const auto reproduced = [](const List& words) {
        return reproduced_arguments(audit_options(run_with(words)),
                                    audit_options(default_run_options()));
    };
    EXPECT_THAT(reproduced({"--judge", "minima"}), ElementsAre("--judge", "minima"));
    EXPECT_THAT(reproduced({"--judge", "minima", "--tolerance", "0.05"}),
                ElementsAre("--judge", "minima", "--tolerance", "0.05"));
    EXPECT_THAT(reproduced({"--tolerance", "0"}), ElementsAre("--tolerance", "0"));
}

}  // namespace
}  // namespace mpiaudit
