// SPDX-License-Identifier: BSD-3-Clause
#include "settings/in_effect.h"

#include <gtest/gtest.h>

namespace mpiaudit::settings {
namespace {

using Kind = ControlVariable::Kind;
using Environment = std::map<std::string, std::string>;

/// An Open MPI whose variables have their defaults, but for those of `values`.
Library open_mpi(Environment environment, const Environment& values = {}) {
    Library library;
    library.name = "Open MPI v4.1.4";
    library.environment = std::move(environment);
    library.variables = {
        {"btl", {Kind::text, "^uct"}},
        {"coll", {Kind::text, ""}},
        {"btl_tcp_links", {Kind::number, "1"}},
        {"btl_vader_single_copy_mechanism", {Kind::number, "1", {{"cma", 1}, {"none", 4}}}},
        {"coll_sync_barrier_before", {Kind::number, "0"}},
        {"coll_tuned_bcast_algorithm",
         {Kind::number, "0", {{"ignore", 0}, {"linear", 1}, {"binomial", 6}}}},
        {"coll_tuned_dynamic_rules_filename", {Kind::text, ""}},
        {"coll_tuned_use_dynamic_rules", {Kind::boolean, "0"}},
        {"mca_base_param_files", {Kind::text, "/home/u/mca.conf,/etc/mca.conf"}},
        {"mpi_yield_when_idle", {Kind::boolean, "0"}},
    };
    for (const auto& [name, value] : values) library.variables.at(name).value = value;
    return library;
}

ReadFile files(std::map<std::string, std::string> texts) {
    return [texts](const std::string& path) {
        const auto found = texts.find(path);
        return found == texts.end() ? std::nullopt : std::optional(found->second);
    };
}

std::vector<std::string> lines_of(const Library& library, const ReadFile& read = files({})) {
    return lines(outcomes(library, read));
}

using Lines = std::vector<std::string>;

TEST(Settings, WithoutSettingsThereIsNothingToSay) {
    EXPECT_EQ(lines_of(open_mpi({})), Lines{});
}

TEST(Settings, AValueThatTheLibraryHasIsInEffect) {
    EXPECT_EQ(lines_of(open_mpi({{"OMPI_MCA_btl_tcp_links", "2"}, {"OMPI_MCA_btl", "^uct"}},
                                {{"btl_tcp_links", "2"}})),
              Lines{"In effect: OMPI_MCA_btl=^uct, OMPI_MCA_btl_tcp_links=2"});
    EXPECT_EQ(lines_of(open_mpi({{"OMPI_MCA_btl_tcp_links", "1k"}}, {{"btl_tcp_links", "1024"}})),
              Lines{"In effect: OMPI_MCA_btl_tcp_links=1k"});
}

TEST(Settings, AnotherValueInTheLibraryIsNamed) {
    EXPECT_EQ(lines_of(open_mpi({{"OMPI_MCA_btl_tcp_links", "2"}})),
              Lines{"OMPI_MCA_btl_tcp_links=2 has no effect: Open MPI v4.1.4 has 1"});
    EXPECT_EQ(
        lines_of(open_mpi({{"OMPI_MCA_coll_tuned_bcast_algorithm", "17"}},
                          {{"coll_tuned_use_dynamic_rules", "1"}})),
        Lines{"OMPI_MCA_coll_tuned_bcast_algorithm=17 has no effect: Open MPI v4.1.4 has ignore"});
}

TEST(Settings, ATypingErrorIsNamed) {
    EXPECT_EQ(
        lines_of(open_mpi({{"OMPI_MCA_coll_tuned_bcast_algoritm", "6"}})),
        Lines{"OMPI_MCA_coll_tuned_bcast_algoritm=6 has no effect: Open MPI v4.1.4 has no such "
              "variable; did you mean coll_tuned_bcast_algorithm?"});
    EXPECT_EQ(lines_of(open_mpi({{"OMPI_MCA_rmaps_base_mapping_policy", "core"}})), Lines{})
        << "the launcher's variables are not seen in a rank";
}

TEST(Settings, AComponentThatIsLeftOutHasNoVariables) {
    Library library =
        open_mpi({{"OMPI_MCA_btl_sm_eager_limit", "1"}, {"OMPI_MCA_btl", "self,vader"}},
                 {{"btl", "self,vader"}});
    EXPECT_EQ(lines_of(library).front(),
              "OMPI_MCA_btl_sm_eager_limit=1 has no effect: "
              "btl=self,vader leaves the component sm out");
}

TEST(Settings, AnAlgorithmNeedsDynamicRules) {
    Library library = open_mpi({{"OMPI_MCA_coll_tuned_bcast_algorithm", "binomial"}},
                               {{"coll_tuned_bcast_algorithm", "6"}});
    EXPECT_EQ(
        lines_of(library),
        Lines{"OMPI_MCA_coll_tuned_bcast_algorithm=binomial has no effect: "
              "coll_tuned_use_dynamic_rules is 0; set OMPI_MCA_coll_tuned_use_dynamic_rules=1"});
    library.variables.at("coll_tuned_use_dynamic_rules").value = "1";
    EXPECT_EQ(lines_of(library), Lines{"MPI_Bcast takes binomial (binomial tree) in all calls: "
                                       "OMPI_MCA_coll_tuned_bcast_algorithm=binomial"});
    library.audit_sets_dynamic_rules = true;
    EXPECT_EQ(lines_of(library).front().substr(0, 75),
              "OMPI_MCA_coll_tuned_bcast_algorithm=binomial acts in this audit alone: --al");
}

TEST(Settings, AVariableWithoutAValueInTheLibraryIsSaidToHaveNone) {
    EXPECT_EQ(lines_of(open_mpi({{"OMPI_MCA_coll", "tuned"}})),
              Lines{"OMPI_MCA_coll=tuned has no effect: Open MPI v4.1.4 has no value for it"});
}

TEST(Settings, WhatActsInTheLauncherIsNotJudgedByTheValueInARank) {
    Library library = open_mpi({{"OMPI_MCA_plm_rsh_agent", "ssh"}, {"OMPI_MCA_oob", "tcp"}});
    library.variables["plm_rsh_agent"] = {Kind::text, ""};
    EXPECT_EQ(lines_of(library), Lines{});
}

TEST(Settings, FilesCountAfterTheEnvironmentAndTheUsersFileBeforeTheSystems) {
    const auto read = files({{"/home/u/mca.conf", "# mine\nbtl_tcp_links = 3\nbtl_tcp_lnks=4\n"},
                             {"/etc/mca.conf", "btl_tcp_links = 5\nbtl = ^uct\n"}});
    EXPECT_EQ(lines_of(open_mpi({{"OMPI_MCA_btl_tcp_links", "2"}}, {{"btl_tcp_links", "2"}}), read),
              (Lines{"btl_tcp_links=3 (/home/u/mca.conf) has no effect: OMPI_MCA_btl_tcp_links=2 "
                     "overrides it",
                     "btl_tcp_lnks=4 (/home/u/mca.conf) has no effect: Open MPI v4.1.4 has no such "
                     "variable; did you mean btl_tcp_links?",
                     "In effect: OMPI_MCA_btl_tcp_links=2"}));
}

TEST(Settings, TheUsersFileOverridesTheSystems) {
    const auto read =
        files({{"/home/u/mca.conf", "btl_tcp_links=1\n"}, {"/etc/mca.conf", "btl_tcp_links=5\n"}});
    EXPECT_EQ(lines_of(open_mpi({}), read),
              Lines{"btl_tcp_links=5 (/etc/mca.conf) has no effect: btl_tcp_links=1 "
                    "(/home/u/mca.conf) overrides it"});
}

TEST(Settings, WhatSlowsAllOperationsIsSaid) {
    EXPECT_EQ(
        lines_of(open_mpi({{"OMPI_MCA_coll_sync_barrier_before", "1"},
                           {"OMPI_MCA_btl", "self,tcp"},
                           {"OMPI_MPI_THREAD_LEVEL", "3"}},
                          {{"coll_sync_barrier_before", "1"}, {"btl", "self,tcp"}})),
        (Lines{"OMPI_MCA_btl=self,tcp slows all operations: ranks of a host exchange no message "
               "through shared memory",
               "OMPI_MCA_coll_sync_barrier_before=1 slows all operations: collectives wait at a "
               "barrier before them",
               "OMPI_MPI_THREAD_LEVEL=3 slows all operations: every call takes locks"}));
    EXPECT_EQ(
        lines_of(open_mpi({}, {{"btl_vader_single_copy_mechanism", "4"}})),
        Lines{"btl_vader_single_copy_mechanism is none: the system does not allow CMA, as in a "
              "container without the capability SYS_PTRACE: large messages within a host are "
              "copied twice"});
    EXPECT_EQ(lines_of(open_mpi({{"OMPI_MCA_btl_vader_single_copy_mechanism", "none"}},
                                {{"btl_vader_single_copy_mechanism", "4"}})),
              Lines{"OMPI_MCA_btl_vader_single_copy_mechanism=none slows all operations: large "
                    "messages within a host are copied twice"});
}

TEST(Settings, VariablesOfOtherLibrariesHaveNoEffect) {
    EXPECT_EQ(
        lines_of(open_mpi({{"MPIR_CVAR_A", "1"}, {"MPIR_CVAR_B", "1"}, {"I_MPI_X", "1"}})),
        (Lines{"MPIR_CVAR_A, MPIR_CVAR_B have no effect: a setting of MPICH, and this library is "
               "Open MPI v4.1.4",
               "I_MPI_X has no effect: a setting of Intel MPI, and this library is Open MPI "
               "v4.1.4"}));
}

TEST(Settings, MpichHasThreeNamesForAVariableAndShowsNoTexts) {
    Library library;
    library.name = "MPICH 4.0.2";
    library.variables = {
        {"MPIR_CVAR_ASYNC_PROGRESS", {Kind::number, "1"}},
        {"MPIR_CVAR_BCAST_INTRA_ALGORITHM", {Kind::number, "1", {{"auto", 0}, {"binomial", 1}}}},
        {"MPIR_CVAR_DEFAULT_THREAD_LEVEL", {Kind::text, "MPI_THREAD_SINGLE"}}};
    library.environment = {{"MPICH_ASYNC_PROGRESS", "1"},
                           {"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial"},
                           {"MPIR_CVAR_BCAST_INTRA_ALGORITM", "binomial"},
                           {"MPIR_CVAR_DEFAULT_THREAD_LEVEL", "MPI_THREAD_MULTIPLE"}};
    EXPECT_EQ(
        lines_of(library),
        (Lines{"MPICH_ASYNC_PROGRESS=1 slows all operations: a thread of each rank competes for "
               "its processor",
               "MPI_Bcast takes binomial (binomial tree) in all calls: "
               "MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial",
               "MPIR_CVAR_BCAST_INTRA_ALGORITM=binomial has no effect: MPICH 4.0.2 has no such "
               "variable; did you mean MPIR_CVAR_BCAST_INTRA_ALGORITHM?",
               "MPIR_CVAR_DEFAULT_THREAD_LEVEL=MPI_THREAD_MULTIPLE slows all operations: every "
               "call takes locks"}));
}

TEST(Settings, AFixedAlgorithmIsNamedWhoeverHasChosenIt) {
    Library library = open_mpi({});
    ControlVariable& variable = library.variables["coll_libnbc_ibcast_algorithm"];
    variable = {Kind::number, "4", {{"ignore", 0}, {"knomial", 4}}};
    const std::string choice = "MPI_Ibcast takes knomial (k-nomial tree) in all calls: ";
    EXPECT_EQ(lines_of(library), Lines{choice + "coll_libnbc_ibcast_algorithm is 4"});
    const auto read = files({{"/etc/mca.conf", "coll_libnbc_ibcast_algorithm = 4\n"}});
    EXPECT_EQ(lines_of(library, read),
              Lines{choice + "coll_libnbc_ibcast_algorithm=4 (/etc/mca.conf)"});
    variable.value = "0";
    EXPECT_EQ(lines_of(library), Lines{});
    // A blocking operation obeys its variable with dynamic rules alone.
    library.variables.at("coll_tuned_bcast_algorithm").value = "6";
    EXPECT_EQ(lines_of(library), Lines{});
    library.variables.at("coll_tuned_use_dynamic_rules").value = "1";
    EXPECT_EQ(lines_of(library), Lines{"MPI_Bcast takes binomial (binomial tree) in all calls: "
                                       "coll_tuned_bcast_algorithm is 6"});
}

TEST(Settings, AVariableNamesItsOperation) {
    EXPECT_EQ(operation_of_variable("coll_tuned_reduce_scatter_block_algorithm"),
              "MPI_Reduce_scatter_block");
    EXPECT_EQ(operation_of_variable("coll_libnbc_iallreduce_algorithm"), "MPI_Iallreduce");
    EXPECT_EQ(operation_of_variable("MPIR_CVAR_INEIGHBOR_ALLTOALLW_INTRA_ALGORITHM"),
              "MPI_Ineighbor_alltoallw");
    for (const char* other :
         {"coll_tuned_bcast_algorithm_segmentsize", "coll_tuned__algorithm", "coll_tuned_algorithm",
          "MPIR_CVAR_BCAST_INTER_ALGORITHM", "MPIR_CVAR_ALLREDUCE_POSIX_INTRA_ALGORITHM"})
        EXPECT_EQ(operation_of_variable(other), "") << other;
}

/// Open MPI shows the name of a file with rules, and ignores a wrong file without a message.
TEST(Settings, AFileWithRulesNeedsDynamicRules) {
    Library library = open_mpi({{"OMPI_MCA_coll_tuned_dynamic_rules_filename", "rules"}},
                               {{"coll_tuned_dynamic_rules_filename", "rules"}});
    EXPECT_EQ(
        lines_of(library),
        Lines{"OMPI_MCA_coll_tuned_dynamic_rules_filename=rules has no effect: "
              "coll_tuned_use_dynamic_rules is 0; set OMPI_MCA_coll_tuned_use_dynamic_rules=1"});
    library.variables.at("coll_tuned_use_dynamic_rules").value = "1";
    EXPECT_EQ(lines_of(library), Lines{});
    EXPECT_EQ(outcomes(library, files({})).front().in_effect, std::nullopt);
}

}  // namespace
}  // namespace mpiaudit::settings
