// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "machine/machine.h"
#include "machine/machine_description.h"
#include "mpi/watchdog.h"

namespace mpiaudit {
namespace {

TEST(RankReport, SurvivesAMessage) {
    RankReport report;
    report.host = "node 1\n";
    report.launched_on = "0-3,8";
    report.processing_units = "8";
    report.bound_by = "mpiaudit";
    report.other_threads = {{.name = "progress", .processing_units = "7", .count = 2}};
    report.limits = {{.folder = "/job", .memory_bytes = 1 << 30, .processors = 1.5}};
    report.cores = {4, 0};
    report.ranks_on_node = 7;
    report.moves = -1234567890123;
    EXPECT_EQ(unpacked<RankReport>(packed(report)), report);
    report.topology = {.processor = "A processor",
                       .kernel = "6.1",
                       .c_library = "glibc 2.36",
                       .hwloc = "2.9.0",
                       .packages = 1,
                       .numa_nodes = 2,
                       .cores = 3,
                       .processing_units = 4,
                       .memory_bytes = 18446744073709551615U,
                       .l1_cache_bytes = 5,
                       .l2_cache_bytes = 6,
                       .l3_cache_bytes = 7,
                       .numa_distances = {10, 21, 21, 10}};
    report.conditions = {
        .load_average = 0.1, .other_tasks = 0.5, .frequency_governor = "powersave", .smt = true};
    EXPECT_EQ(unpacked<RankReport>(packed(report)), report);
    report.conditions = {
        .load_average = {}, .other_tasks = {}, .frequency_governor = "", .smt = false};
    EXPECT_EQ(unpacked<RankReport>(packed(report)), report);
}

TEST(OtherThreads, AreGroupedByNameAndPlace) {
    std::atomic<bool> is_over = false;
    std::vector<std::thread> threads;
    for (const char* name : {"progress", "progress", watchdog_thread_name}) {
        threads.emplace_back([&] {
            while (!is_over) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        });
        pthread_setname_np(threads.back().native_handle(), name);
    }
    const std::vector<ThreadGroup> found = other_threads();
    is_over = true;
    for (std::thread& each : threads) each.join();
    const ThreadGroup expected = {
        .name = "progress", .processing_units = own_processing_units(), .count = 2};
    EXPECT_THAT(found, testing::Contains(expected));
    for (const ThreadGroup& each : found) EXPECT_NE(each.name, watchdog_thread_name);
}

TEST(HostsOf, AreInTheOrderOfTheirFirstRanks) {
    const std::vector<Host> hosts = hosts_of({"b", "a", "b"});
    ASSERT_EQ(hosts.size(), 2U);
    EXPECT_EQ(hosts[0].name, "b");
    EXPECT_THAT(hosts[0].ranks, testing::ElementsAre(0, 2));
    EXPECT_EQ(hosts[1].name, "a");
    EXPECT_THAT(hosts[1].ranks, testing::ElementsAre(1));
}

TEST(Conditions, LoadBeforeTheAuditDoesNotCount) {
    // A load of 2 falls to 1.26 in a minute in which one rank is busy, and nobody else.
    const double quiet = 2.0 * std::exp(-1.0) + 1.0 * (1.0 - std::exp(-1.0));
    EXPECT_NEAR(other_processes_between(2.0, quiet, 60.0, 1), 0.0, 1e-9);
    EXPECT_NEAR(other_processes_between(2.0, quiet + 1.0 - std::exp(-1.0), 60.0, 1), 1.0, 1e-9);
    EXPECT_EQ(other_processes_between(0.0, 5.0, 1.0, 1), 0.0) << "too short to tell";
    NodeConditions conditions;
    conditions.load_average = 9.0;
    conditions.other_tasks = 0.3;
    EXPECT_TRUE(condition_warnings("here", conditions).empty());
    conditions.other_tasks = 0.8;
    EXPECT_EQ(condition_warnings("here", conditions).size(), 1U);
}

class LauncherOfJob : public testing::Test {
  protected:
    LauncherOfJob() {
        for (const char* name : {"MPIAUDIT_LAUNCHER", "MPIAUDIT_JOB_RECORD", "SLURM_MPI_TYPE"})
            unsetenv(name);
        // The daemons of mpirun also have these variables, and the ranks inherit them.
        setenv("SLURM_STEP_NUM_NODES", "2", 1);
        setenv("SLURM_STEP_NUM_TASKS", "4", 1);
    }
    static std::vector<std::string> launcher() {
        std::vector<std::string> warnings;
        return describe_job(warnings).launcher.words;
    }
};

TEST_F(LauncherOfJob, IsUnknownWithoutAWordFromAnybody) {
    EXPECT_THAT(launcher(), testing::IsEmpty());
    setenv("SLURM_MPI_TYPE", "none", 1);
    EXPECT_THAT(launcher(), testing::IsEmpty());
}

TEST_F(LauncherOfJob, IsSrunWhereItSaysSo) {
    setenv("SLURM_MPI_TYPE", "pmi2", 1);
    EXPECT_THAT(launcher(), testing::ElementsAre("srun", "--mpi=pmi2", "--nodes=2", "--ntasks=4"));
}

TEST_F(LauncherOfJob, IsWhatTheJobScriptSays) {
    setenv("SLURM_MPI_TYPE", "pmi2", 1);
    setenv("MPIAUDIT_LAUNCHER", "mpirun -x A=\\$\\(touch\\ pwned\\)\\; $'b\\nc'", 1);
    EXPECT_THAT(launcher(), testing::ElementsAre("mpirun", "-x", "A=$(touch pwned);", "b\nc"));
}

RankPlacement placed(const std::vector<std::string>& names) {
    return placement_of(hosts_of(names));
}

TEST(RankPlacement, BlockCyclicOrIrregular) {
    EXPECT_EQ(placed({"a", "a", "b", "b"}).order, RankOrder::block);
    EXPECT_EQ(placed({"a", "b", "a", "b"}).order, RankOrder::cyclic);
    EXPECT_EQ(placed({"a", "b", "a"}).order, RankOrder::cyclic);
    EXPECT_EQ(placed({"a", "b", "b", "a"}).order, RankOrder::irregular);
    EXPECT_EQ(placed({"a", "a", "b"}).order, RankOrder::irregular);
    EXPECT_EQ(placed({"a", "a", "a"}).order, RankOrder::block);
    EXPECT_EQ(placed({"a", "b", "c"}).order, RankOrder::block);
    EXPECT_EQ(name(RankOrder::cyclic), "cyclic");
}

TEST(RankPlacement, CountsHostsAndTheirRanks) {
    const RankPlacement placement = placed({"a", "a", "b", "a", "c"});
    EXPECT_EQ(placement.hosts, 3);
    EXPECT_EQ(placement.least_ranks, 1);
    EXPECT_EQ(placement.most_ranks, 3);
    EXPECT_EQ(placement_of({}).hosts, 0);
}

TEST(SteeringVariables, AreSettingsAndNotNotesOfTheLauncher) {
    const char* const settings[] = {"OMPI_MCA_coll_tuned_use_dynamic_rules",
                                    "OMPI_MCA_pml",
                                    "OMPI_MCA_plm_rsh_agent",
                                    "PMIX_MCA_gds",
                                    "PRTE_MCA_rmaps",
                                    "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM",
                                    "I_MPI_ADJUST_BCAST",
                                    "UCX_TLS",
                                    "HYDRA_LAUNCHER_EXTRA_ARGS",
                                    "SLURM_JOB_ID",
                                    "LD_PRELOAD",
                                    "LD_LIBRARY_PATH",
                                    "LOADEDMODULES",
                                    "MALLOC_MMAP_THRESHOLD_",
                                    "GLIBC_TUNABLES"};
    const char* const notes[] = {"OMPI_COMM_WORLD_RANK",
                                 "OMPI_MCA_orte_hnp_uri",
                                 "OMPI_MCA_initial_wdir",
                                 "PMIX_SERVER_URI41",
                                 "PMI_RANK",
                                 "OMPI_FILE_LOCATION",
                                 "OMPI_MCA_PREFIXES",
                                 "OMPI_MCA_cpu_type",
                                 "OMPI_MCA_num_procs",
                                 "OMPI_MCA_num_restarts",
                                 "OMPI_VERSION",
                                 "OMPI_WORLD_SIZE"};
    for (const char* name : settings) setenv(name, "", 1);
    for (const char* name : notes) setenv(name, "1", 1);
    setenv("PATH_OF_SOMEBODY", "1", 1);
    const auto found = steering_variables();
    for (const char* name : settings) EXPECT_TRUE(found.contains(name)) << name;
    for (const char* name : notes) EXPECT_FALSE(found.contains(name)) << name;
    EXPECT_FALSE(found.contains("PATH_OF_SOMEBODY"));
}

#ifdef __GLIBC__

/// Returns the number of blocks that malloc has from the system while this block of 1 MiB exists.
std::size_t blocks_from_the_system() {
    const std::unique_ptr<char, decltype(&std::free)> block(
        static_cast<char*>(std::malloc(1 << 20)), &std::free);
    block.get()[0] = 1;
    return mallinfo2().hblks;
}

TEST(Heap, ALargeBlockComesFromTheSystemWhileTheHeapIsYoung) {
    if (mallinfo2().arena == 0) GTEST_SKIP() << "malloc is a sanitizer's";
    const std::size_t before = mallinfo2().hblks;
    set_heap(Heap::young);
    EXPECT_EQ(blocks_from_the_system(), before + 1);
    // malloc alone would keep the next one.
    EXPECT_EQ(blocks_from_the_system(), before + 1);
    set_heap(Heap::grown);
    EXPECT_EQ(blocks_from_the_system(), before);
    set_heap(Heap::young);
    EXPECT_EQ(blocks_from_the_system(), before + 1);
}

#endif

TEST(Memory, ThePeakIsForgotten) {
    constexpr std::size_t bytes = 32 << 20;
    forget_peak();
    const std::int64_t before = resident_bytes();
    if (peak_bytes() == 0) GTEST_SKIP() << "nobody tells";
    EXPECT_LT(peak_bytes() - before, std::int64_t{bytes / 2});
    std::make_unique<std::vector<char>>(bytes, 'x');
    // The kernel counts pages in batches.
    EXPECT_GE(peak_bytes() - before, std::int64_t{bytes / 4 * 3});
    if (resident_bytes() - before > std::int64_t{bytes / 2}) GTEST_SKIP() << "malloc keeps it";
    forget_peak();
    EXPECT_LT(peak_bytes() - before, std::int64_t{bytes / 2});
}

TEST(Heap, TheEnvironmentHasPriority) {
    unsetenv("MALLOC_MMAP_THRESHOLD_");
    unsetenv("GLIBC_TUNABLES");
    const bool can = can_set_heap();
    setenv("GLIBC_TUNABLES", "glibc.cpu.hwcaps=x", 1);
    EXPECT_EQ(can_set_heap(), can);
    setenv("GLIBC_TUNABLES", "glibc.cpu.hwcaps=x:glibc.malloc.mmap_threshold=1", 1);
    EXPECT_FALSE(can_set_heap());
    unsetenv("GLIBC_TUNABLES");
    setenv("MALLOC_MMAP_THRESHOLD_", "1", 1);
    EXPECT_FALSE(can_set_heap());
    unsetenv("MALLOC_MMAP_THRESHOLD_");
}

}  // namespace
}  // namespace mpiaudit
