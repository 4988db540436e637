// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/scheduler.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "random_network.h"
#include "schedule/replay.h"

namespace mpiaudit::test {
namespace {

namespace fs = std::filesystem;
using testing::SizeIs;

Grid small_grid(double factor = 1.0) {
    std::mt19937 random(3);
    Network network = random_network(5, false, false, random);
    network.latency_s(0, 1) *= factor;
    return make_grid(network, std::vector<int>{0, 1, 2, 3, 4, 0});
}

class SchedulerTest : public testing::Test {
  protected:
    SchedulerTest() : folder_{fs::temp_directory_path() / "mpiaudit-scheduler-test"} {
        fs::remove_all(folder_);
    }
    ~SchedulerTest() override { fs::remove_all(folder_); }

    std::vector<fs::path> files() const {
        std::vector<fs::path> found;
        for (const auto& file : fs::directory_iterator(folder_)) found.push_back(file.path());
        return found;
    }

    fs::path folder_;
    std::vector<double> bytes_ = std::vector<double>(6, 100.0);
};

TEST_F(SchedulerTest, FindsWhatAnEarlierJobHasMade) {
    const std::string made = Scheduler(small_grid(), folder_).schedule_text(Strategy::min3, bytes_);
    ASSERT_THAT(files(), SizeIs(1));
    // Another correct schedule in the file shows that it is used.
    const std::string other = to_text(ring_schedule(6));
    std::ofstream(files().front(), std::ios::binary) << other;
    EXPECT_EQ(Scheduler(small_grid(), folder_).schedule_text(Strategy::min3, bytes_), other);
    for (const std::string& damaged : {other.substr(0, 100), std::string("garbage"), to_text({})}) {
        std::ofstream(files().front(), std::ios::binary | std::ios::trunc) << damaged;
        EXPECT_EQ(Scheduler(small_grid(), folder_).schedule_text(Strategy::min3, bytes_), made);
    }
}

TEST_F(SchedulerTest, KeepsOneFileForEachNetworkStrategyAndSize) {
    const Scheduler scheduler(small_grid(), folder_);
    scheduler.schedule_text(Strategy::min3, bytes_);
    scheduler.schedule_text(Strategy::magpie, bytes_);
    Scheduler(small_grid(1.001), folder_).schedule_text(Strategy::min3, bytes_);
    Grid half_duplex = small_grid();
    half_duplex.network.ports = Ports::half_duplex;
    Scheduler(half_duplex, folder_).schedule_text(Strategy::min3, bytes_);
    bytes_.back() = 99.0;
    scheduler.schedule_text(Strategy::min3, bytes_);
    scheduler.schedule_text(Strategy::min3, bytes_);
    EXPECT_THAT(files(), SizeIs(5));
}

TEST_F(SchedulerTest, WorksWhereNothingCanBeKept) {
    const std::string made = Scheduler(small_grid(), "").schedule_text(Strategy::min3, bytes_);
    EXPECT_EQ(Scheduler(small_grid(), "/dev/null/no").schedule_text(Strategy::min3, bytes_), made);
    EXPECT_EQ(flaw_of(schedule_from_text(made).value()), std::nullopt);
}

}  // namespace
}  // namespace mpiaudit::test
