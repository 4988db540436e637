// SPDX-License-Identifier: BSD-3-Clause
// What a call costs that is recorded: the same calls in processes with and without the library, in
// turns.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr int turns = 15, batches = 40, calls = 2000;

template <class Call>
double fastest_batch_ns(Call call) {
    double fastest = 1e9;
    for (int batch = 0; batch < batches; ++batch) {
        const double begin = MPI_Wtime();
        for (int i = 0; i < calls; ++i) call();
        fastest = std::min(fastest, (MPI_Wtime() - begin) / calls * 1e9);
    }
    return fastest;
}

/// In a process of its own, which prints a line for each operation.
int measure(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int value = 1, sum = 0, count = 1, displacement = 0;
    const MPI_Comm comm = MPI_COMM_WORLD;
    fmt::print("MPI_Barrier {}\n", fastest_batch_ns([&] { MPI_Barrier(comm); }));
    fmt::print("MPI_Allreduce {}\n",
               fastest_batch_ns([&] { MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm); }));
    fmt::print("MPI_Bcast {}\n", fastest_batch_ns([&] { MPI_Bcast(&value, 1, MPI_INT, 0, comm); }));
    fmt::print("MPI_Allgatherv {}\n", fastest_batch_ns([&] {
                   MPI_Allgatherv(&value, 1, MPI_INT, &sum, &count, &displacement, MPI_INT, comm);
               }));
    MPI_Finalize();
    return 0;
}

using Times = std::map<std::string, std::vector<double>>;

void run(const std::string& environment, const std::string& program, Times& times) {
    FILE* pipe = popen((environment + program + " measure 2>/dev/null").c_str(), "r");
    char name[64];
    double ns = 0;
    while (std::fscanf(pipe, "%63s %lf", name, &ns) == 2) times[name].push_back(ns);
    pclose(pipe);
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values.empty() ? 0 : values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "measure") == 0) return measure(argc, argv);
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
    const std::string library = program.parent_path().parent_path() / "libmpiaudit-record.so";
    const std::string recorded =
        "MPIAUDIT_RECORD_OUTPUT=/dev/null LD_PRELOAD='" + library + "' exec ";
    Times without, with;
    for (int turn = 0; turn < turns; ++turn) {
        // The order changes, as what comes second may find another machine.
        if (turn % 2 == 0) run("exec ", program, without);
        run(recorded, program, with);
        if (turn % 2 == 1) run("exec ", program, without);
    }
    fmt::print("{:16} {:>10} {:>10} {:>10}\n", "ns", "without", "with", "difference");
    for (const auto& [name, values] : without)
        fmt::print("{:16} {:10.1f} {:10.1f} {:10.1f}\n", name, median(values), median(with[name]),
                   median(with[name]) - median(values));
}
