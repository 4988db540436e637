// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "report/report.h"
#include "small_audit.h"

namespace mpiaudit {
namespace {

using nlohmann::json;

json problem(const std::string& distribution) {
    return {{"distribution", distribution}, {"block_size", 100}, {"ranks", 4}};
}

TEST(Reproduce, ShortestCommandForAnAuditWithDefaults) {
    EXPECT_EQ(reproduce_command(audit_header(), "g1", problem("spikes")),
              "mpirun -n 4 ./mpiaudit run --only g1 --distributions spikes --block-sizes 100");
}

TEST(Reproduce, OptionsThatDecideHowAProblemIsMeasured) {
    json header = audit_header();
    header["options"].update({{"root", "3"},
                              {"element", "double"},
                              {"op", "max"},
                              {"seed", 5},
                              {"sync", "dissemination"},
                              {"clock", "monotonic"},
                              {"bind", "none"},
                              {"warmup", 0},
                              {"max-rounds", 9}});
    EXPECT_EQ(reproduce_command(header, "g0", problem("same")),
              "mpirun -n 4 ./mpiaudit run --only g0 --distributions same --block-sizes 100 "
              "--root 3 --element double --op max --seed 5 --sync dissemination --clock monotonic "
              "--bind none --warmup 0 --max-rounds 9");
}

TEST(Reproduce, FilesOfGuidelines) {
    json header = audit_header();
    header["guidelines"][0]["file"] = "others.json";
    header["guidelines"][1]["file"] = "my folder/it's.json";
    const std::string rest = " --distributions same --block-sizes 100";
    EXPECT_EQ(reproduce_command(header, "g0", problem("same")),
              "mpirun -n 4 ./mpiaudit run --guidelines others --only g0" + rest);
    EXPECT_EQ(reproduce_command(header, "g1", problem("same")),
              "mpirun -n 4 ./mpiaudit run --guidelines 'my folder/it'\\''s.json' --only g1" + rest);
}

TEST(Reproduce, DistributionsOfTheUser) {
    json header = audit_header();
    header["distributions"] = {{{"name", "ramp"}, {"formula", "i"}},
                               {{"name", "spikes:rho=10"}, {"formula", "b"}},
                               {{"name", "matrix"}, {"counts", {1, 2}}}};
    header["options"]["distributions"] = {"./my ramp.json", "spikes:rho=10", "rows/matrix.json"};
    const std::string start = "mpirun -n 4 ./mpiaudit run --only g0 --distributions ";
    EXPECT_EQ(reproduce_command(header, "g0", problem("ramp")),
              start + "'./my ramp.json' --block-sizes 100");
    EXPECT_EQ(reproduce_command(header, "g0", problem("spikes:rho=10")),
              start + "spikes:rho=10 --block-sizes 100");
    EXPECT_EQ(reproduce_command(header, "g0", problem("matrix")), start + "rows/matrix.json");
    header["options"]["distributions"] = {"all"};
    EXPECT_EQ(reproduce_command(header, "g0", problem("ramp")), start + "ramp --block-sizes 100");
}

TEST(Reproduce, ExplicitCounts) {
    json header = audit_header();
    header["options"]["counts"] = "[1, 2, 3, 4]";
    header["distributions"] = {{{"name", "counts"}, {"counts", {1, 2, 3, 4}}}};
    EXPECT_EQ(reproduce_command(header, "g0", problem("counts")),
              "mpirun -n 4 ./mpiaudit run --only g0 --counts '[1, 2, 3, 4]'");
}

TEST(Reproduce, SettingsOfTheMpiLibrary) {
    json header = audit_header();
    header["environment"] = {{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"},
                             {"OMPI_MCA_btl", "self,vader"},
                             {"OMPI_MCA_mpi_oversubscribe", "1"},
                             {"OMPI_COMM_WORLD_SIZE", "4"},
                             {"PMIX_RANK", "0"},
                             {"SLURM_JOB_ID", "12"},
                             {"MPIR_CVAR_GATHER_INTRA_ALGORITHM", "a b"}};
    EXPECT_EQ(reproduce_command(header, "g0", problem("same")),
              "OMPI_MCA_btl=self,vader OMPI_MCA_coll_tuned_use_dynamic_rules=1 "
              "MPIR_CVAR_GATHER_INTRA_ALGORITHM='a b' "
              "mpirun -n 4 ./mpiaudit run --only g0 --distributions same --block-sizes 100");
}

}  // namespace
}  // namespace mpiaudit
