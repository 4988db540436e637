// SPDX-License-Identifier: BSD-3-Clause
// What the harness keeps in memory: the peak of a whole audit against the peak of the same
// operations on the same buffers by hand, in the same process. Counting from the peak by hand
// leaves out the problem's own buffers, the library's, and those of TUW_Gatherv itself.
//
// Usage: mpirun -n 2 harness_memory; rank 0 prints a line per stage and rank. First come many
// problems with small blocks, whose buffers cannot hide what the harness keeps, then one with large
// blocks, which shows what it needs in proportion to the data.
#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "audit/commands.h"
#include "collectives/gather/gather.h"
#include "commands.h"

namespace {

using namespace mpiaudit;

constexpr double bar_mib = 16.0;

/// An audit, and the largest block of its problems.
struct Stage {
    const char* name;
    int largest_block;
    std::vector<std::string> options;
};

/// Every other rank has a small block.
std::vector<int> block_sizes(int largest_block, int ranks) {
    std::vector<int> counts;
    for (int i = 0; i < ranks; ++i) counts.push_back(i % 2 == 0 ? largest_block : 1);
    return counts;
}

std::string list_of(const std::vector<int>& counts) {
    return fmt::format("{}", fmt::join(counts, ","));
}

/// The peak of this process's memory so far, in MiB.
double peak_mib() {
    std::ifstream status("/proc/self/status");
    std::string key;
    double kib = 0.0;
    while (status >> key && key != "VmHWM:") status.ignore(1 << 10, '\n');
    status >> kib;
    return kib / 1024;
}

/// The operations of the default guidelines on buffers like those of the audit.
void run_by_hand(const Environment& environment, int largest_block) {
    const int rank = environment.rank(), root = environment.ranks() / 2;
    const std::vector<int> counts = block_sizes(largest_block, environment.ranks());
    const auto most = static_cast<std::size_t>(largest_block);
    std::vector<int> source(most, rank);
    std::vector<int> target(rank == root ? counts.size() * most : 0, -1);
    std::vector<int> displacements;
    int displacement = 0, largest = 0;
    for (const int count : counts) {
        displacements.push_back(displacement);
        displacement += count;
    }
    const int own = counts[static_cast<std::size_t>(rank)];
    for (int repetition = 0; repetition < 10; ++repetition) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Gatherv(source.data(), own, MPI_INT, target.data(), counts.data(), displacements.data(),
                    MPI_INT, root, MPI_COMM_WORLD);
        TUW_Gatherv(source.data(), own, MPI_INT, target.data(), counts.data(), displacements.data(),
                    MPI_INT, root, MPI_COMM_WORLD);
        MPI_Allreduce(&own, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        MPI_Gather(source.data(), largest, MPI_INT, target.data(), largest, MPI_INT, root,
                   MPI_COMM_WORLD);
    }
}

/// The audit as the program runs it, its tables dropped.
void run_audit_silently(const Environment& environment, const Stage& stage) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / fmt::format("harness_memory-{}", getpid());
    const std::string output = folder;
    std::vector<const char*> arguments = {"mpiaudit",     "run",        "--output",
                                          output.c_str(), "--progress", "never"};
    for (const std::string& option : stage.options) arguments.push_back(option.c_str());
    const Command command =
        parse_command(static_cast<int>(arguments.size()), arguments.data(), commands());
    std::fflush(stdout);
    const int terminal = dup(STDOUT_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    const int code = run_audit(command, environment, {}, nullptr, nullptr);
    std::fflush(stdout);
    dup2(terminal, STDOUT_FILENO);
    close(nowhere);
    close(terminal);
    std::filesystem::remove_all(folder);
    if (code != exit_done && code != exit_nothing_decided)
        abort_audit(fmt::format("the audit ended with code {}", code));
}

void print(const Stage& stage, const std::vector<double>& peaks) {
    for (std::size_t i = 0; i < peaks.size(); i += 2)
        fmt::print("{:<22} {:>4} {:>8.1f} {:>8.1f} {:>16.1f}\n", stage.name, i / 2, peaks[i],
                   peaks[i + 1], peaks[i + 1] - peaks[i]);
}

}  // namespace

int main(int argc, char** argv) {
    const Environment environment(argc, argv);
    const int rank = environment.rank(), ranks = environment.ranks();
    // As many problems as the default audit has.
    const Stage small = {"6 sizes up to 1000", 5000, {"--block-sizes", "1,3,10,30,100,1000"}};
    constexpr int large_block = 1'000'000;
    const Stage large = {
        "1000000 ints", large_block, {"--counts", list_of(block_sizes(large_block, ranks))}};
    if (rank == 0)
        fmt::print("peak in MiB            rank  by hand    audit  audit - by hand (bar: {})\n",
                   bar_mib);
    for (const Stage& stage : {small, large}) {
        run_by_hand(environment, stage.largest_block);
        double peaks[2] = {peak_mib()};
        run_audit_silently(environment, stage);
        peaks[1] = peak_mib();
        std::vector<double> all(rank == 0 ? 2 * static_cast<std::size_t>(ranks) : 0);
        MPI_Gather(peaks, 2, MPI_DOUBLE, all.data(), 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        print(stage, all);
    }
}
