// SPDX-License-Identifier: BSD-3-Clause
// covering_programs FOLDER RANKS NUMBER SEED: writes NUMBER C programs of generated calls that
// cover many pairs of properties, and prints the call of each program. Leaves out calls in which
// the library is known to fail.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "c_program/call_program.h"
#include "calls/basic_types.h"
#include "calls/functions.h"
#include "calls/known_faults.h"
#include "calls/search.h"
#include "mpi/environment.h"
#include "random/random_bits.h"

int main(int argc, char** argv) {
    using namespace mpiaudit;
    if (argc != 5) return EXIT_FAILURE;
    const std::string folder = argv[1];
    const calls::Setting setting{.ranks = std::stoi(argv[2]),
                                 .has_persistent = calls::has_persistent(),
                                 .has_large_counts = calls::has_large_counts()};
    std::vector<std::uint8_t> operations(operation_count);
    std::iota(operations.begin(), operations.end(), std::uint8_t{0});
    calls::PairCoverage coverage(setting, operations);
    const auto faults = calls::known_faults_of(Environment::name_of_library());
    const auto is_known_to_fail = [&](const calls::ChosenCall& call) {
        return std::ranges::any_of(faults,
                                   [&](const auto& each) { return each.has(call, setting.ranks); });
    };
    const auto seed = static_cast<std::uint64_t>(std::stoull(argv[4]));
    std::uint64_t drawn = 0;
    for (int k = 0; k < std::stoi(argv[3]); ++k) {
        calls::ChosenCall call;
        do {
            call = coverage.next(mix_bits(seed, drawn++));
            coverage.add(call);
        } while (!left_out_of_program(call).empty() || is_known_to_fail(call));
        const std::string text = print(call);
        std::ofstream(fmt::format("{}/{}.c", folder, k)) << program_of_call(call, {text}, "mpirun");
        fmt::print("{}\n", text);
    }
    return EXIT_SUCCESS;
}
