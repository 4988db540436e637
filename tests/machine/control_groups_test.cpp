// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "machine/cores.h"
#include "machine/machine_description.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t mebibyte = 1 << 20;
constexpr const char* version_2 =
    "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";

/// The files of a system that describe the control groups of this process.
class ControlGroups : public testing::Test {
  protected:
    ControlGroups()
        : root_{std::filesystem::temp_directory_path() /
                ("mpiaudit-groups-" + std::to_string(getpid()))} {
        std::filesystem::remove_all(root_);
    }
    ~ControlGroups() override { std::filesystem::remove_all(root_); }

    void write(const std::string& file, const std::string& text) const {
        const std::filesystem::path path = root_ / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    void write_group(const std::string& mounts, const std::string& groups) const {
        write("proc/self/mountinfo", "22 1 254:0 / / rw - ext4 /dev/root rw\n" + mounts);
        write("proc/self/cgroup", groups);
    }
    std::vector<GroupLimits> limits() const { return control_groups(root_.string()); }
    GroupLimits limit(const std::string& folder, std::uint64_t memory_bytes,
                      double processors) const {
        return {(root_ / folder).string(), memory_bytes, processors};
    }

  private:
    std::filesystem::path root_;
};

TEST_F(ControlGroups, Version2HasTheGroupsAlongThePath) {
    write_group(version_2, "0::/slurm/job_7/step_0\n");
    write("sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max\n");
    write("sys/fs/cgroup/slurm/job_7/step_0/cpu.max", "max 100000\n");
    write("sys/fs/cgroup/slurm/job_7/memory.max", "419430400\n");
    write("sys/fs/cgroup/slurm/cpu.max", "150000 100000\n");
    write("sys/fs/cgroup/slurm/job_8/memory.max", "1\n");
    EXPECT_THAT(limits(), ElementsAre(limit("sys/fs/cgroup/slurm", 0, 1.5),
                                      limit("sys/fs/cgroup/slurm/job_7", 400 * mebibyte, 0)));
}

TEST_F(ControlGroups, Version2SlowsDownFromMemoryHighOn) {
    write_group(version_2, "0::/job\n");
    write("sys/fs/cgroup/job/memory.max", "419430400\n");
    write("sys/fs/cgroup/job/memory.high", "209715200\n");
    EXPECT_THAT(limits(), ElementsAre(limit("sys/fs/cgroup/job", 200 * mebibyte, 0)));
}

TEST_F(ControlGroups, Version1HasAFolderForEachController) {
    write_group(
        "31 24 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "32 24 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
        "33 24 0:29 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n",
        "9:cpuset:/\n5:memory:/house/inner\n4:cpu,cpuacct:/quota\n1:name=systemd:/x\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    write("sys/fs/cgroup/memory/house/memory.limit_in_bytes", "419430400\n");
    write("sys/fs/cgroup/memory/house/inner/memory.limit_in_bytes", "9223372036854771712\n");
    write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    write("sys/fs/cgroup/cpu,cpuacct/quota/cpu.cfs_quota_us", "50000\n");
    write("sys/fs/cgroup/cpu,cpuacct/quota/cpu.cfs_period_us", "100000\n");
    EXPECT_THAT(limits(), ElementsAre(limit("sys/fs/cgroup/memory/house", 400 * mebibyte, 0),
                                      limit("sys/fs/cgroup/cpu,cpuacct/quota", 0, 0.5)));
}

/// A container without a namespace of control groups sees its own group as the mounted one.
TEST_F(ControlGroups, AContainersGroupsAreBelowTheMountedOne) {
    const std::string mount = "30 24 0:26 /docker/x /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
    write("sys/fs/cgroup/memory.max", "419430400\n");
    write("sys/fs/cgroup/inner/memory.max", "209715200\n");
    const GroupLimits outer = limit("sys/fs/cgroup", 400 * mebibyte, 0);
    const GroupLimits inner = limit("sys/fs/cgroup/inner", 200 * mebibyte, 0);
    write_group(mount, "0::/docker/x/inner\n");
    EXPECT_THAT(limits(), ElementsAre(outer, inner));
    for (const char* outside : {"/docker/x", "/docker/xy", "/", "/../inner"}) {
        write_group(mount, "0::" + std::string(outside) + "\n");
        EXPECT_THAT(limits(), ElementsAre(outer)) << outside;
    }
    write_group(version_2, "0::/../../inner\n");
    EXPECT_THAT(limits(), ElementsAre(outer));
}

TEST_F(ControlGroups, NoneIsALimitOfNothing) {
    EXPECT_THAT(limits(), IsEmpty());
    write_group(version_2, "0::/\n");
    EXPECT_THAT(limits(), IsEmpty());
    write("sys/fs/cgroup/memory.max", "max\n");
    EXPECT_THAT(limits(), IsEmpty());
}

TEST_F(ControlGroups, GrantWholeCoresAndAtLeastOne) {
    const int cores = usable_cores(limit("", 0, 0).folder);
    EXPECT_GE(cores, 1);
    write_group(version_2, "0::/job\n");
    write("sys/fs/cgroup/job/cpu.max", "max 100000\n");
    EXPECT_EQ(usable_cores(limit("", 0, 0).folder), cores);
    write("sys/fs/cgroup/job/cpu.max", fmt::format("{} 10\n", 10 * cores + 5));
    EXPECT_EQ(usable_cores(limit("", 0, 0).folder), cores);
    for (const char* quota : {"190000 100000\n", "50000 100000\n"}) {
        write("sys/fs/cgroup/job/cpu.max", quota);
        EXPECT_EQ(usable_cores(limit("", 0, 0).folder), 1) << quota;
    }
}

TEST_F(ControlGroups, ProcessingUnitsOfOneCoreCountOnce) {
    for (int processor = 0; processor < 1024; ++processor)
        write(fmt::format("sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", processor),
              "0-1023\n");
    EXPECT_EQ(usable_cores(limit("", 0, 0).folder), 1);
}

RankReport rank_on(const std::string& host, const std::vector<GroupLimits>& limits) {
    RankReport rank;
    rank.host = host;
    rank.limits = limits;
    return rank;
}

TEST(ShareOfMemory, RanksInAGroupShareItsLimit) {
    const GroupLimits machine = {"", 1000, 0}, job = {"/job", 300, 0};
    const GroupLimits first = {"/job/first", 200, 0}, second = {"/job/second", 200, 0};
    EXPECT_EQ(smallest_share_of_memory(std::vector{rank_on("a", {machine}), rank_on("a", {machine}),
                                                   rank_on("b", {machine})}),
              500U);
    EXPECT_EQ(smallest_share_of_memory(
                  std::vector{rank_on("a", {job, machine}), rank_on("a", {job, machine})}),
              150U);
    EXPECT_EQ(smallest_share_of_memory(
                  std::vector{rank_on("a", {first, machine}), rank_on("a", {second, machine})}),
              200U);
    EXPECT_EQ(smallest_share_of_memory(
                  std::vector{rank_on("a", {job, machine}), rank_on("b", {job, machine})}),
              300U);
}

TEST(QuotaWarnings, NameTheGroupOnce) {
    const GroupLimits quota = {"/job", 0, 1.5}, enough = {"/", 0, 2.0};
    const auto warnings =
        quota_warnings(std::vector{rank_on("a", {quota, enough}), rank_on("a", {quota, enough})});
    EXPECT_THAT(warnings,
                ElementsAre(HasSubstr("a: the control group /job grants 1.5 processors to "
                                      "2 ranks")));
    EXPECT_THAT(quota_warnings(std::vector{rank_on("a", {quota}), rank_on("b", {quota})}),
                IsEmpty());
}

}  // namespace
}  // namespace mpiaudit
