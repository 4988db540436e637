// SPDX-License-Identifier: BSD-3-Clause
#include "answer/answer.h"
#include "report/report.h"

#include <gmock/gmock.h>

#include "repeat/commands.h"
#include "report/small_audit.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using List = std::vector<std::string>;

record::ProblemDescription problem(const std::string& distribution) {
    record::ProblemDescription made;
    made.distribution = distribution;
    made.block_size = 100;
    made.ranks = 4;
    made.total = 400;
    return made;
}

record::DistributionRecord distribution(const std::string& name,
                                        std::optional<std::vector<std::int64_t>> counts = {}) {
    record::DistributionRecord made;
    made.name = name;
    made.counts = std::move(counts);
    return made;
}

/// Returns the command of the check g0 on equal blocks.
std::string command_of(const record::Header& header) {
    return reproduce_command(header, "g0", problem("same"));
}
std::string command_with(const OptionValues& options) {
    record::Header header = audit_header();
    for (const auto& [name, value] : options) set_option(header.options, name, value);
    return command_of(header);
}

const std::string mpirun_run = "mpirun -n 4 ./mpiaudit run --guidelines irregular ";
const std::string of_g0 = "--only g0 --distributions same --block-sizes 100";

TEST(Reproduce, ShortestCommandForAnAuditWithDefaults) {
    EXPECT_EQ(reproduce_command(audit_header(), "g1", problem("spikes")),
              mpirun_run + "--only g1 --distributions spikes --block-sizes 100");
}

TEST(Reproduce, FlagsAndListsComeFirstAndOtherOptionsLast) {
    EXPECT_EQ(command_with({{"algorithms", List{"gather", "bcast"}},
                            {"no-communication", true},
                            {"root", "3"},
                            {"warmup", std::uint64_t{0}}}),
              mpirun_run + "--algorithms gather,bcast --no-communication " + of_g0 +
                  " --root 3 --warmup 0");
}

TEST(Reproduce, OptionsUnknownToThisVersionAreLeftOut) {
    EXPECT_EQ(command_with({{"extra-time", 1.5}, {"root", List{"of", "another", "type"}}})
                  .find("extra-time"),
              std::string::npos);
}

TEST(Reproduce, FilesOfGuidelines) {
    record::Header header = audit_header();
    header.guidelines[0].file = "others.json";
    header.guidelines[1].file = "my folder/it's.json";
    const std::string rest = " --distributions same --block-sizes 100";
    EXPECT_EQ(command_of(header),
              "mpirun -n 4 ./mpiaudit run --guidelines others --only g0" + rest);
    EXPECT_EQ(reproduce_command(header, "g1", problem("same")),
              "mpirun -n 4 ./mpiaudit run --guidelines 'my folder/it'\\''s.json' --only g1" + rest);
}

TEST(Reproduce, DistributionsOfTheUser) {
    record::Header header = audit_header();
    header.distributions = {distribution("ramp"), distribution("spikes:rho=10"),
                            distribution("matrix", {{1, 2}})};
    set_option(header.options, "distributions",
               List{"./my ramp.json", "spikes:rho=10", "rows/matrix.json"});
    const std::string start = mpirun_run + "--only g0 --distributions ";
    EXPECT_EQ(reproduce_command(header, "g0", problem("ramp")),
              start + "'./my ramp.json' --block-sizes 100");
    EXPECT_EQ(reproduce_command(header, "g0", problem("spikes:rho=10")),
              start + "spikes:rho=10 --block-sizes 100");
    EXPECT_EQ(reproduce_command(header, "g0", problem("matrix")), start + "rows/matrix.json");
    set_option(header.options, "distributions", List{"all"});
    EXPECT_EQ(reproduce_command(header, "g0", problem("ramp")), start + "ramp --block-sizes 100");
}

TEST(Reproduce, ExplicitCounts) {
    record::Header header = audit_header();
    set_option(header.options, "counts", "[1, 2, 3, 4]");
    header.distributions = {distribution("counts", {{1, 2, 3, 4}})};
    EXPECT_EQ(reproduce_command(header, "g0", problem("counts")),
              mpirun_run + "--only g0 --counts '[1, 2, 3, 4]'");
}

TEST(Reproduce, SettingsOfTheMpiLibrary) {
    record::Header header = audit_header();
    header.environment = {{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"},
                          {"OMPI_MCA_btl", "self,vader"},
                          {"OMPI_COMM_WORLD_SIZE", "4"},
                          {"PMIX_RANK", "0"},
                          {"SLURM_JOB_ID", "12"},
                          {"MPIR_CVAR_GATHER_INTRA_ALGORITHM", "a b"}};
    EXPECT_EQ(command_of(header),
              "MPIR_CVAR_GATHER_INTRA_ALGORITHM='a b' OMPI_MCA_btl=self,vader "
              "OMPI_MCA_coll_tuned_use_dynamic_rules=1 " +
                  mpirun_run + of_g0);
}

TEST(Reproduce, SettingsOfOtherLibrariesAreLeftOut) {
    record::Header header = audit_header();
    header.environment = {{"OMPI_MCA_coll", "^tuned"},
                          {"UCX_TLS", "sm"},
                          {"MPIR_CVAR_GATHER_INTRA_ALGORITHM", "linear"}};
    header.mpi.library = "MPICH Version:\t4.0.2";
    EXPECT_EQ(command_of(header),
              "MPIR_CVAR_GATHER_INTRA_ALGORITHM=linear UCX_TLS=sm " + mpirun_run + of_g0);
    header.mpi.library = "Open MPI v4.1.4, package: ...";
    EXPECT_EQ(command_of(header), "OMPI_MCA_coll='^tuned' UCX_TLS=sm " + mpirun_run + of_g0);
    // Variables that the recorded launcher sets are not set twice.
    header.job.launcher = CommandLine::of("mpirun --mca coll '^tuned' -x UCX_TLS=sm -n 4");
    EXPECT_EQ(command_of(header), header.job.launcher.text() + mpirun_run.substr(11) + of_g0);
}

TEST(Reproduce, NoOptionIsGivenTwice) {
    record::Header header = audit_header();
    header.distributions[1].repeats = "same";
    set_option(header.options, "element", "double");
    set_option(header.options, "root", "0");
    record::ProblemDescription look = problem("spikes");
    look.element = "int";
    look.op = "max";
    const std::string blocks =
        "--distributions same --block-sizes 100 --element int --op max --root 0";
    EXPECT_EQ(reproduce_command(header, "g1", look), mpirun_run + "--only g1 " + blocks);
    EXPECT_EQ(verify_command(header, contestant("MPI_Bcast(m)", {}), look),
              "mpirun -n 4 ./mpiaudit verify --collectives MPI_Bcast " + blocks);
}

TEST(Reproduce, AVerificationHasTheConditionsOfTheAudit) {
    record::Header header = audit_header();
    for (const auto& [name, value] : OptionValues{
             {"algorithms", List{"bcast"}}, {"graph", "ring"}, {"warmup", std::uint64_t{0}}})
        set_option(header.options, name, value);
    record::ProblemDescription nothing = problem("same");
    nothing.element = "int";
    nothing.op = "sum";
    nothing.total = 0;
    const std::string verify = "mpirun -n 4 ./mpiaudit verify --collectives ";
    const std::string rest = " --counts 0,0,0,0 --element int --op sum --root 0";
    EXPECT_EQ(verify_command(header, contestant("MPI_Reduce_init(m)", {}), nothing),
              verify + "MPI_Reduce_init" + rest + " --graph ring");
    record::Contestant forced = contestant("MPI_Bcast[binomial](m)", {});
    forced.forced = true;
    EXPECT_EQ(verify_command(header, forced, nothing),
              verify + "'MPI_Bcast[binomial]'" + rest + " --algorithms bcast --graph ring");
}

TEST(Reproduce, TheLauncherThatIsOnRecord) {
    record::Header header = audit_header();
    header.job.launcher = CommandLine::of("srun --mpi=pmix --nodes=2 --ntasks=4");
    EXPECT_EQ(
        command_of(header),
        "srun --mpi=pmix --nodes=2 --ntasks=4 ./mpiaudit run --guidelines irregular " + of_g0);
}

TEST(Reproduce, NothingInAResultsFileIsACommandOfItsOwn) {
    const std::string hostile = "a; touch pwned $(touch pwned) 'b'\nc";
    record::Header header = audit_header();
    header.job.launcher = {{"mpirun", "-n", hostile}};
    header.command.front() = hostile;
    header.environment = {{"UCX_TLS; touch pwned #", "x"}, {"UCX_TLS", hostile}};
    header.guidelines[0].file = hostile;
    header.distributions = {distribution("same")};
    header.distributions[0].repeats = hostile;
    record::ProblemDescription about = problem("same");
    about.element = about.op = hostile;
    record::ContestantDescription wrong;
    EXPECT_THROW(wrong.name = hostile, NotationError);
    wrong.steps = {{hostile, "scattered", "rooted"}};
    const std::string quoted = shell_word(hostile);
    for (std::string command :
         {reproduce_command(header, hostile, about), verify_command(header, wrong, about)}) {
        replace_all(command, quoted, "QUOTED");
        EXPECT_EQ(command.find("touch"), std::string::npos) << command;
    }
    header.simulation.emplace().start = {{"jobs/simulate", "--set", hostile}};
    std::string command = reproduce_command(header, hostile, about);
    replace_all(command, quoted, "QUOTED");
    EXPECT_EQ(command.find("touch"), std::string::npos) << command;
}

/// Four ranks on two hosts.
record::Header on_hosts(std::vector<int> of_a, std::vector<int> of_b) {
    record::Header header = audit_header();
    header.job = {};
    header.machine.hosts = {{"a", std::move(of_a), {}, {}}, {"b", std::move(of_b), {}, {}}};
    return header;
}

TEST(Reproduce, TheHostsOfTheRanksAndTheirOrder) {
    const std::string rest =
        " -n 4 ./mpiaudit run --guidelines irregular " + of_g0 + "  # where the audit was started";
    record::Header header = on_hosts({0, 1}, {2, 3});
    header.environment["OMPI_MCA_plm_rsh_agent"] = "/bin/agent";
    EXPECT_EQ(command_of(header), "OMPI_MCA_plm_rsh_agent=/bin/agent mpirun --host a:2,b:2" + rest);
    EXPECT_EQ(command_of(on_hosts({0, 2}, {1, 3})), "mpirun --host a:2,b:2 --map-by node" + rest);
    EXPECT_EQ(command_of(on_hosts({0, 3}, {1, 2})),
              "mpirun --host a:2,b:2" + rest + ", with its placement of ranks");
    header = on_hosts({0, 1}, {2, 3});
    header.mpi.library = "MPICH Version: 4.0.2";
    header.environment["MPIR_CVAR_CH3_INTERFACE_HOSTNAME"] = "a";
    EXPECT_EQ(command_of(header), "mpirun -hosts a,b -ppn 2" + rest);
}

TEST(Reproduce, ASimulationIsStartedAsItWas) {
    record::Header header = audit_header();
    header.simulated = true;
    header.simulation.emplace().start = CommandLine::of("jobs/simulate --nodes 2");
    EXPECT_EQ(command_of(header), "jobs/simulate --nodes 2 -- --guidelines irregular " + of_g0);
}

}  // namespace
}  // namespace mpiaudit
