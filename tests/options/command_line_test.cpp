// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>

#include "commands.h"
#include "commands/loop_commands.h"
#include "options/option_table.h"
#include "options/recorded_options.h"

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using List = std::vector<std::string>;

Command parsed(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "mpiaudit");
    return parse_command(static_cast<int>(arguments.size()), arguments.data(), commands());
}

/// The error of a wrong command line.
std::string error_of(const std::vector<const char*>& arguments) {
    const Command command = parsed(arguments);
    EXPECT_EQ(command.text, "");
    return command.error;
}

TEST(CommandLine, DefaultsOfRun) {
    const Command command = parsed({"run"});
    EXPECT_EQ(command.error, "");
    EXPECT_EQ(command.name, "run");
    EXPECT_EQ(audit_options(command.run), audit_options(default_run_options()));
    const OptionValues expected = {{"alpha", 0.05},
                                   {"bind", "core"},
                                   {"block-sizes", "spread"},
                                   {"clock", "mpi"},
                                   {"collectives", List{}},
                                   {"counts", ""},
                                   {"distributions", List{"same", "random", "spikes", "decreasing",
                                                          "alternating", "two-blocks", "even"}},
                                   {"element", "int"},
                                   {"guidelines", List{"library"}},
                                   {"judge", "evidence"},
                                   {"max-rounds", std::uint64_t{400}},
                                   {"memory", ""},
                                   {"only", List{}},
                                   {"root", "half"},
                                   {"seed", std::uint64_t{1}},
                                   {"sync", "barrier"},
                                   {"tolerance", 0.05},
                                   {"warmup", "auto"}};
    EXPECT_THAT(audit_options(command.run), IsSupersetOf(expected));
    EXPECT_EQ(command.run.order_seed, std::nullopt);
    EXPECT_EQ(command.run.budget.text(), "60s");
    EXPECT_EQ(command.run.fail_on.text(), "never");
}

TEST(CommandLine, OnlyAnAuditOfTheLibraryHasABudgetOfItsOwn) {
    EXPECT_EQ(parsed({"run", "--collectives", "bcast"}).run.budget.text(), "60s");
    EXPECT_EQ(parsed({"run", "--budget", "5m"}).run.budget.text(), "5m");
    EXPECT_EQ(parsed({"run", "--guidelines", "irregular"}).run.budget.text(), "");
    EXPECT_EQ(parsed({"run", "--algorithms", "gather"}).run.budget.text(), "");
    EXPECT_EQ(parsed({"run", "--confirm", "x"}).run.budget.text(), "");
}

TEST(CommandLine, PlainComparisonsTolerateNothingUnlessTold) {
    EXPECT_EQ(parsed({"run", "--judge", "averages"}).run.rule(4).tolerance, 0.0);
    EXPECT_EQ(parsed({"run", "--judge", "minima", "--tolerance", "0.2"}).run.rule(4).tolerance,
              0.2);
    const judge::Rule rule = parsed({"run", "--alpha", "0.01"}).run.rule(4);
    EXPECT_EQ(rule.tolerance, 0.05);
    EXPECT_EQ(rule.alpha, 0.01);
    EXPECT_EQ(rule.checks, 4);
}

TEST(CommandLine, PlainComparisonsLeaveNothingOutUnlessTold) {
    using enum judge::Outliers;
    EXPECT_EQ(parsed({"run"}).run.rule(4).outliers, two_sided);
    EXPECT_EQ(parsed({"run", "--judge", "averages"}).run.rule(4).outliers, none);
    EXPECT_EQ(parsed({"run", "--judge", "averages", "--outliers", "upper"}).run.rule(4).outliers,
              upper);
}

TEST(CommandLine, AProtocolOfAPaperSetsWhatIsNotGiven) {
    const Command command = parsed({"run", "--protocol", "paper-2017", "--max-rounds", "20"});
    EXPECT_EQ(command.error, "");
    EXPECT_EQ(command.run.max_rounds, 20);
    EXPECT_EQ(command.run.warmup, 10);
    EXPECT_EQ(command.run.block_sizes.text(), "1,10,100,1000,10000");
    EXPECT_EQ(command.run.rule(1).criterion, judge::Criterion::averages);
    EXPECT_EQ(command.run.rule(1).outliers, judge::Outliers::none);
    EXPECT_EQ(command.run.rule(1).tolerance, 0.0);
    EXPECT_TRUE(command.run.in_a_row);
    EXPECT_FALSE(parsed({"run", "--protocol", "paper-2017", "--judge", "evidence"}).run.in_a_row);
    EXPECT_EQ(parsed({"run", "--protocol", "paper-2014"}).run.criterion,
              judge::Criterion::intervals);
    EXPECT_EQ(parsed({"run", "--protocol", "paper-2014"}).run.rule(1).outliers,
              judge::Outliers::upper);
    EXPECT_THAT(parsed({"run", "--protocol", "paper-2014", "--guidelines", "a"}).run.only,
                IsEmpty());
    EXPECT_THAT(error_of({"run", "--protocol", "paper-1999"}), HasSubstr("paper-2017"));
}

TEST(CommandLine, ATableTimesOperationsAsALoopDoes) {
    const RunOptions run = parsed({"run", "--collectives", "gatherv", "--table"}).run;
    EXPECT_TRUE(run.has_table());
    EXPECT_THAT(run.guidelines, testing::IsEmpty());
    EXPECT_EQ(run.block_sizes.text(), "1..256Ki:x4");
    EXPECT_TRUE(run.budget.empty());
    EXPECT_EQ(run.max_rounds, 100);
    EXPECT_EQ(run.buffers, BufferChoice::same);
    EXPECT_NE(run.heap, HeapChoice::both);
    const RunOptions given =
        parsed({"run", "--csv", "--buffers", "cold", "--max-rounds", "7", "--budget", "1s"}).run;
    EXPECT_EQ(given.buffers, BufferChoice::cold);
    EXPECT_EQ(given.max_rounds, 7);
    EXPECT_EQ(given.budget.text(), "1s");
    EXPECT_FALSE(parsed({"run"}).run.has_table());
    EXPECT_TRUE(parsed({"judge", "results", "--json-lines"}).judge.has_table());
    EXPECT_THAT(error_of({"run", "--table", "--csv"}), HasSubstr("give one of --table, --csv"));
    EXPECT_THAT(error_of({"run", "--table", "--guidelines", "all"}),
                HasSubstr("name the operations by --collectives"));
    EXPECT_THAT(error_of({"run", "--table", "--confirm", "results"}), HasSubstr("--confirm"));
}

TEST(CommandLine, ProtocolsOfPapersHaveAllTheirSizesAndAlgorithms) {
    const auto run_of = [](const char* paper) { return parsed({"run", "--protocol", paper}).run; };
    const RunOptions gather = run_of("paper-2017"), zero_copy = run_of("paper-2014"),
                     grid = run_of("paper-2007");
    EXPECT_THAT(gather.distributions,
                ElementsAre("same", "random", "spikes", "decreasing", "alternating", "two-blocks"));
    EXPECT_THAT(gather.only, Contains("claim-tuw-padded-gather"));  // MPI_Gather(m')
    for (const char* variant : {"basicBruck", "basicBruck_ix", "modBruck", "modBruck_ix",
                                "zeroBruck", "zeroBruck_blocks"})
        EXPECT_THAT(zero_copy.only, Contains("reference-" + std::string(variant) + "_Alltoall"));
    EXPECT_THAT(zero_copy.block_sizes.text(), testing::EndsWith(",20000"));  // 80000 bytes
    EXPECT_EQ(zero_copy.element, "int");
    EXPECT_THAT(grid.guidelines, ElementsAre("grid"));
    EXPECT_THAT(grid.block_sizes.text(), HasSubstr("256Ki,512Ki"));
}

TEST(CommandLine, EvidenceNeedsRandomOrder) {
    EXPECT_THAT(error_of({"run", "--in-a-row"}), HasSubstr("--in-a-row"));
    EXPECT_THAT(error_of({"run", "--in-a-row", "--judge", "minima", "--sync", "global"}),
                HasSubstr("--in-a-row"));
    EXPECT_EQ(error_of({"run", "--in-a-row", "--judge", "minima"}), "");
}

TEST(CommandLine, TheNextOptionIsNoValue) {
    EXPECT_THAT(error_of({"run", "--junit", "--dry-run"}),
                HasSubstr("--junit: its value is missing: '--dry-run' is an option"));
    EXPECT_THAT(error_of({"run", "--guidelines", "--resume"}),
                HasSubstr("--guidelines: its value"));
    EXPECT_EQ(error_of({"run", "--junit", "./--dry-run"}), "");
    EXPECT_EQ(error_of({"run", "--resume", "--dry-run"}), "");
}

TEST(CommandLine, VerifyTakesTheOptionsOfProblemsOnly) {
    const Command command = parsed({"verify", "--element", "struct", "--root", "0"});
    EXPECT_EQ(command.error, "");
    EXPECT_EQ(command.name, "verify");
    EXPECT_EQ(command.run.block_sizes.text(), "1,10,1000");
    EXPECT_EQ(command.run.element, "struct");
    EXPECT_EQ(parsed({"verify", "--block-sizes", "7"}).run.block_sizes.text(), "7");
    EXPECT_THAT(error_of({"verify", "--budget", "5m"}), HasSubstr("--budget"));
}

TEST(CommandLine, JudgeTakesWhatTheAuditHadUnlessTold) {
    const Command command = parsed({"judge", "results/x"});
    EXPECT_EQ(command.error, "");
    EXPECT_EQ(command.name, "judge");
    EXPECT_THAT(command.judge.results, ElementsAre("results/x"));
    EXPECT_THAT(parsed({"judge", "a", "b", "--color", "never", "c"}).judge.results,
                ElementsAre("a", "b", "c"));
    EXPECT_THAT(command.judge.given, IsEmpty());
    const JudgeOptions other =
        parsed({"judge", "x", "--judge", "minima", "--tolerance", "0", "--alpha", "0.1", "--report",
                "r.json", "--color", "always", "--fail-on", "violation"})
            .judge;
    EXPECT_EQ(other.criterion, judge::Criterion::minima);
    EXPECT_THAT(other.given, IsSupersetOf({"judge", "tolerance", "alpha"}));
    EXPECT_EQ(other.tolerance, 0.0);
    EXPECT_EQ(other.alpha, 0.1);
    EXPECT_EQ(other.report, "r.json");
    EXPECT_EQ(other.color, When::always);
    EXPECT_EQ(other.fail_on.text(), "violation");
}

TEST(CommandLine, HelpAndVersionAreTexts) {
    EXPECT_EQ(parsed({"--version"}).name, "version");
    for (const char* option : {"--help", "-h", "--help-all"}) {
        const Command command = parsed({option});
        EXPECT_EQ(command.name, "") << option;
        EXPECT_EQ(command.error, "") << option;
        EXPECT_THAT(command.text, HasSubstr("mpiaudit")) << option;
    }
    EXPECT_THAT(parsed({"--help"}).text, AllOf(HasSubstr("verify"), HasSubstr("Exit codes")));
    EXPECT_THAT(parsed({"--help-all"}).text,
                AllOf(HasSubstr("--order-seed"), HasSubstr("--report"), HasSubstr("verify")));
    for (const char* command : {"run", "verify", "record", "list", "judge"}) {
        const Command help = parsed({command, "--help"});
        EXPECT_EQ(help.name, "") << command;
        EXPECT_THAT(help.text, HasSubstr("Example")) << command;
    }
    const std::string usual = parsed({"run", "--help"}).text;
    const auto rare =
        std::ranges::count(offered_run_rows(), false, &OptionRow<RunOptions>::is_usual);
    EXPECT_THAT(usual, AllOf(HasSubstr("--dry-run"),
                             HasSubstr("--help-all shows " + std::to_string(rare) + " more")));
    EXPECT_THAT(usual, Not(HasSubstr("--max-rounds")));
    EXPECT_THAT(parsed({"run", "--help-all"}).text,
                AllOf(HasSubstr("--max-rounds"), HasSubstr("[400]"), HasSubstr("--dry-run"),
                      Not(HasSubstr("more options"))));
}

TEST(CommandLine, WordsBehindTheDashesBelongToTheApplication) {
    const Command command =
        parsed({"record", "--synchronise", "--", "./app", "--output", "x,y", "--", "[a]"});
    EXPECT_EQ(command.error, "");
    EXPECT_EQ(command.name, "record");
    EXPECT_TRUE(command.own<RecordOptions>().synchronise);
    EXPECT_EQ(command.own<RecordOptions>().output, "problems.json");
    EXPECT_THAT(command.own<RecordOptions>().application,
                ElementsAre("./app", "--output", "x,y", "--", "[a]"));
    EXPECT_THAT(error_of({"record", "--problems", "0", "--", "./app"}), HasSubstr("--problems"));
    EXPECT_THAT(error_of({"record"}), HasSubstr("-- APPLICATION"));
}

TEST(CommandLine, WrongUseNamesWhatIsWrong) {
    EXPECT_THAT(error_of({}), HasSubstr("subcommand"));
    EXPECT_THAT(
        error_of({"verfiy"}),
        AllOf(HasSubstr("unknown command 'verfiy'; did you mean 'verify'? Valid: explain, "),
              HasSubstr(", record, repair, reproduce, run, verify")));
    EXPECT_THAT(error_of({"run", "--blocksizes", "1"}), HasSubstr("--blocksizes"));
    EXPECT_THAT(error_of({"run", "leftover"}), HasSubstr("leftover"));
    EXPECT_THAT(error_of({"run", "--root"}), HasSubstr("--root"));
    EXPECT_THAT(error_of({"list"}), HasSubstr("what"));
    EXPECT_THAT(error_of({"judge"}), HasSubstr("judge FOLDER...: Folders of the launches"));
    EXPECT_THAT(error_of({"run", "--resume", "--overwrite"}),
                AllOf(HasSubstr("--resume"), HasSubstr("--overwrite")));
}

TEST(CommandLine, WrongValueNamesTheOptionAndTheValue) {
    const std::vector<std::pair<const char*, const char*>> wrong = {
        {"--sync", "mpi_barrier"}, {"--clock", "tsc"},      {"--bind", "socket"},
        {"--judge", "medians"},    {"--fail-on", "always"}, {"--color", "red"},
        {"--progress", "yes"},     {"--warmup", "-1"},      {"--warmup", "1.5"},
        {"--max-rounds", "0"},     {"--max-rounds", "x"},   {"--tolerance", "-0.1"},
        {"--tolerance", "five"},   {"--tolerance", "nan"},  {"--alpha", "0"},
        {"--alpha", "0.6"},        {"--block-sizes", "0"},  {"--root", "first"},
        {"--memory", "much"},      {"--hang-after", "0s"},  {"--hang-after", "60"},
        {"--budget", "soon"},      {"--seed", "-1"},        {"--seed", "1.5"},
        {"--order-seed", "x"},     {"--block-sizes", ""},   {"--root", ""},
        {"--arrivals", ""},        {"--budget", ""},        {"--bind", ""},
        {"--time-per-problem", ""}};
    for (const auto& [option, value] : wrong)
        EXPECT_THAT(error_of({"run", option, value}), AllOf(HasSubstr(option), HasSubstr(value)));
    EXPECT_THAT(error_of({"list", "everything"}), HasSubstr("everything"));
    EXPECT_THAT(error_of({"judge", "x", "--judge", "medians"}), HasSubstr("medians"));
}

TEST(CommandLine, WrongUseOfACommandStillBelongsToIt) {
    // The command decides whether MPI has to be started before the error is told.
    EXPECT_EQ(parsed({"run", "--warmup", "-1"}).name, "run");
    EXPECT_EQ(parsed({"verify", "--budget", "5m"}).name, "verify");
    EXPECT_EQ(parsed({"judge", "x", "--alpha", "7"}).name, "judge");
}

}  // namespace
}  // namespace mpiaudit
