// SPDX-License-Identifier: BSD-3-Clause
// clock_error CLOCK SECONDS...: how far off the synchronised clock truly is, on processes of one
// machine that see its clock with errors of their own (tests/hosts/drift.c, time namespaces). The
// truth is CLOCK_MONOTONIC_RAW where drift.c leaves it alone, less the shift of the time namespace,
// which is CLOCK_BOOTTIME's, too, and constant: what is compared is the change since the first look
// and, at the first look, the two clocks by way of /proc/uptime's namespace offset in
// /proc/self/timens_offsets.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <time.h>

#include "timing/global_clock.h"

namespace {

using namespace mpiaudit;

/// Of this process's time namespace: seconds that it adds to the monotonic clocks.
double namespace_offset_s() {
    std::ifstream file("/proc/self/timens_offsets");
    std::string clock;
    double seconds = 0.0, nanoseconds = 0.0;
    while (file >> clock >> seconds >> nanoseconds) {
        if (clock == "monotonic") return seconds + nanoseconds * 1e-9;
    }
    return 0.0;
}

double raw_s() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// The synchronised clock less the true one, from the quickest of many readings.
double difference_s(const GlobalClock& clock, double offset_s) {
    double shortest_s = 1.0, difference_s = 0.0;
    for (int i = 0; i < 1000; ++i) {
        const double before_s = raw_s();
        const double global_s = clock.now();
        const double after_s = raw_s();
        if (after_s - before_s >= shortest_s) continue;
        shortest_s = after_s - before_s;
        difference_s = global_s - (before_s + shortest_s / 2 - offset_s);
    }
    return difference_s;
}

class Table {
  public:
    explicit Table(GlobalClock& clock) : clock_{clock} {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    }

    void add(const char* when) {
        const double own_s = difference_s(clock_, namespace_offset_s());
        const double stated_s = clock_.error_s();
        std::vector<double> all(static_cast<std::size_t>(ranks_));
        MPI_Gather(&own_s, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        double worst_stated_s = 0.0;
        MPI_Reduce(&stated_s, &worst_stated_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        const ClockAgreement agreement = clock_.check();
        if (rank_ != 0) return;
        double worst_s = 0.0;
        for (const double each : all) worst_s = std::max(worst_s, std::abs(each - all.front()));
        const double aim_s = std::max(20e-6, agreement.round_trip_s / 2);
        std::printf("| %s | %.2f | %.2f | %.2f | %.1f | %.2e | %s |\n", when, worst_s * 1e6,
                    worst_stated_s * 1e6, agreement.error_s * 1e6, agreement.round_trip_s * 1e6,
                    agreement.drift, worst_s <= aim_s ? "yes" : "NO");
        std::fflush(stdout);
    }

  private:
    GlobalClock& clock_;
    int rank_ = 0, ranks_ = 1;
};

}  // namespace

int main(int count, char** words) {
    MPI_Init(&count, &words);
    if (count < 2 || !find_clock(words[1])) {
        std::fputs("usage: clock_error monotonic|mpi SECONDS...\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin_s = MPI_Wtime();
        GlobalClock clock(MPI_COMM_WORLD, *find_clock(words[1]));
        if (rank == 0)
            std::printf(
                "synchronised in %.2f s\n\n| | true error us | stated us | check us | round "
                "trip us | drift | <= max(20 us, half a round trip) |\n"
                "|--|--|--|--|--|--|--|\n",
                MPI_Wtime() - begin_s);
        Table table(clock);
        table.add("at once");
        for (int i = 2; i < count; ++i) {
            const double pause_s = std::atof(words[i]);
            std::this_thread::sleep_for(std::chrono::duration<double>(pause_s));
            MPI_Barrier(MPI_COMM_WORLD);
            table.add((std::string(words[i]) + " s later").c_str());
            clock.refresh();
            table.add("refreshed");
        }
    }
    MPI_Finalize();
}
