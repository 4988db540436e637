// SPDX-License-Identifier: BSD-3-Clause
// What the harness costs: samples taken by Rounds against the loop that anybody would write,
// MPI_Barrier and the operation between two readings of MPI_Wtime. Both in one run, in alternating
// blocks.
//
// Usage: mpirun -n 2 harness_overhead [--blocks N]; rank 0 prints the table.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "audit/commands.h"
#include "judge/statistics.h"
#include "messages/under_test.h"
#include "mpi/environment.h"
#include "mpi/watchdog.h"
#include "timing/rounds.h"

namespace {

using namespace mpiaudit;

/// How many samples a block takes.
struct BlockShape {
    const char* name;
    int contestants;
    int rounds;
    int samples() const { return contestants * rounds; }
};
// The second is what a default audit does between two looks, in the median of all its batches. In
// the last the reduction of the samples and the drawing of the order weigh most: one in twenty
// batches is about as short.
constexpr BlockShape shapes[] = {
    {"a long run", 1, 1000}, {"an audit's batch", 30, 5}, {"a short batch", 5, 4}};

/// One number per block: seconds, of the slowest rank.
struct Series {
    std::vector<double> wall_s;    ///< of the block, divided by its samples
    std::vector<double> sample_s;  ///< median sample
};

double median(const std::vector<double>& values) {
    return judge::median_interval(values).median;
}

/// The largest of each value over the ranks, on every rank.
std::vector<double> slowest(std::vector<double> values) {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX,
                  MPI_COMM_WORLD);
    return values;
}

/// Seconds of one reading: the median over short runs of readings, so that a preempted run does
/// not count.
double reading_s() {
    constexpr int readings = 100;
    std::vector<double> runs(1000);
    for (double& run : runs) {
        const double start = MPI_Wtime();
        for (int k = 1; k < readings; ++k) MPI_Wtime();
        run = (MPI_Wtime() - start) / readings;
    }
    return median(runs);
}

template <class Operation>
void by_hand_block(Operation operation, int samples, Series& series) {
    std::vector<double> local(static_cast<std::size_t>(samples));
    MPI_Barrier(MPI_COMM_WORLD);
    const double block_start = MPI_Wtime();
    for (double& sample : local) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        operation();
        sample = MPI_Wtime() - start;
    }
    series.wall_s.push_back((MPI_Wtime() - block_start) / samples);
    series.sample_s.push_back(median(slowest(std::move(local))));
}

void harness_block(Rounds& rounds, const BlockShape& shape, Series& series) {
    std::vector<int> active(static_cast<std::size_t>(shape.contestants));
    std::iota(active.begin(), active.end(), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    const double block_start = MPI_Wtime();
    const Batch batch = rounds.run(active, shape.rounds);
    series.wall_s.push_back((MPI_Wtime() - block_start) / shape.samples());
    // On rank 0, which prints; the other ranks have no samples.
    series.sample_s.push_back(batch.samples_s.empty() ? 0.0 : median(batch.samples_s));
}

template <class Operation>
void compare(const char* name, Operation operation, const BlockShape& shape, int blocks) {
    const std::vector<Call> calls(static_cast<std::size_t>(shape.contestants), Call(operation));
    Rounds rounds(calls, MPI_COMM_WORLD, find_clock("mpi").value(),
                  find_synchronisation("barrier").value(), 1);
    Series by_hand, harness;
    for (int block = 0; block < blocks; ++block) {
        if (block % 2 == 0) by_hand_block(operation, shape.samples(), by_hand);
        harness_block(rounds, shape, harness);
        if (block % 2 == 1) by_hand_block(operation, shape.samples(), by_hand);
    }
    std::vector<double> ratios = slowest(harness.wall_s);
    const std::vector<double> divisors = slowest(by_hand.wall_s);
    for (std::size_t k = 0; k < ratios.size(); ++k) ratios[k] /= divisors[k];
    const judge::MedianInterval ratio = judge::median_interval(ratios);
    const double reading = slowest({reading_s()}).front();
    const double sample = median(harness.sample_s);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) return;
    fmt::print("{:<22} {:<18} {:>9.1f} {:>9.1f} {:>12.2f} {:>14.2f}   {:.3f} [{:.3f}, {:.3f}]\n",
               name, shape.name, median(by_hand.sample_s) * 1e9, sample * 1e9,
               (sample - median(by_hand.sample_s)) / reading, sample / reading, ratio.median,
               ratio.low, ratio.high);
}

int blocks_of(int argc, char** argv) {
    int blocks = 200;
    CLI::App app{"What the harness costs"};
    app.add_option("--blocks", blocks, "Blocks of each kind")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::exit(app.exit(error));
    }
    return blocks;
}

}  // namespace

int main(int argc, char** argv) {
    const int blocks = blocks_of(argc, argv);
    const Environment environment(argc, argv);
    const double reading = slowest({reading_s()}).front();
    if (environment.rank() == 0) {
        fmt::print("{} ranks, {} blocks of each kind; one reading of MPI_Wtime: {:.1f} ns\n",
                   environment.ranks(), blocks, reading * 1e9);
        fmt::print("{:<41} {:>9} {:>9} {:>12} {:>14}   wall time per sample,\n", "", "by hand",
                   "harness", "added,", "harness,");
        fmt::print("{:<22} {:<18} {:>9} {:>9} {:>12} {:>14}   harness / by hand\n", "operation",
                   "block", "ns", "ns", "in readings", "in readings");
    }
    const int own = environment.rank();
    std::vector<int> all(static_cast<std::size_t>(environment.ranks()));
    // As in the catalogue.
    const auto gather = [&] {
        under_test::look_at(
            MPI_Gather(&own, 1, MPI_INT, all.data(), 1, MPI_INT, 0, MPI_COMM_WORLD));
    };
    // An audit has one.
    const Watchdog watchdog(std::nullopt, exit_hang, MPI_COMM_WORLD);
    for (const BlockShape& shape : shapes) {
        compare(
            "nothing", [] {}, shape, blocks);
        compare("MPI_Gather of 1 int", gather, shape, blocks);
    }
}
