// SPDX-License-Identifier: BSD-3-Clause
// Measures Figures 3 to 10 of "Implementing a classic: zero-copy all-to-all communication with MPI
// datatypes" (Träff, Rougier, Hunold 2014) again, with other statistics than the paper: a round
// runs every variant once, in random order, a barrier before each; one sample is the time of the
// slowest rank; two variants are compared by the median of the ratios of their times in a round.
//
// Usage: mpirun -n 8 alltoall_figures [rounds] [seed] [bytes...]; rank 0 prints tables of
// blocks of the sizes of the figures or of these bytes. Figure 10, modified Bruck in the place of
// the indexed basic Bruck inside mvapich, is modBruck_ix/basicBruck_ix for 4 to 300 bytes.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "judge/statistics.h"
#include "operations/operations.h"
#include "zero_copy/zero_copy_algorithms.h"

namespace {

using namespace mpiaudit;

using Alltoall = decltype(&MPI_Alltoall);
using Alltoallv = decltype(&MPI_Alltoallv);
using Times = std::vector<double>;

const std::vector<int> sizes_of_figures = {4, 16, 64, 256, 1024, 4096, 10000, 20000, 40000, 80000};

/// One operation on the buffers of one element size.
struct Variant {
    std::string name;
    std::function<void()> run;
};

/// A ratio of a table's line: times of `left` over those of `right`.
struct Ratio {
    std::string left;
    std::string right;
};

struct Launch {
    Launch() {
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    int ranks = 0;
    int rank = 0;
    int rounds = 100;
    std::uint64_t seed = 1;
};

const std::pair<const char*, Alltoall> regular[] = {
    {"MPI_Alltoall", MPI_Alltoall},
    {"direct", direct_Alltoall},
    {"pairwise", pairwise_Alltoall},
    {"basicBruck", basicBruck_Alltoall},
    {"basicBruck_ix", basicBruck_ix_Alltoall},
    {"modBruck", modBruck_Alltoall},
    {"modBruck_ix", modBruck_ix_Alltoall},
    {"zeroBruck", zeroBruck_Alltoall},
    {"zeroBruck_blocks", zeroBruck_blocks_Alltoall},
    {"zeroBruck_half", zeroBruck_half_Alltoall},
    {"types:basicBruck", basicBruck_Alltoall_create_types_only},
    {"types:basicBruck_ix", basicBruck_ix_Alltoall_create_types_only},
    {"types:modBruck", modBruck_Alltoall_create_types_only},
    {"types:modBruck_ix", modBruck_ix_Alltoall_create_types_only},
    {"types:zeroBruck", zeroBruck_Alltoall_create_types_only},
    {"types:zeroBruck_blocks", zeroBruck_blocks_Alltoall_create_types_only},
    {"types:zeroBruck_half", zeroBruck_half_Alltoall_create_types_only},
};

const std::pair<const char*, Alltoallv> irregular[] = {
    {"MPI_Alltoallv", MPI_Alltoallv},
    {"zeroBruckV", zeroBruckV_Alltoallv},
    {"types:zeroBruckV", zeroBruckV_Alltoallv_create_types_only},
};

const std::vector<Ratio> ratios = {
    {"modBruck", "basicBruck"},        {"zeroBruck", "basicBruck"},
    {"zeroBruck", "modBruck"},         {"modBruck_ix", "basicBruck_ix"},
    {"basicBruck_ix", "basicBruck"},   {"modBruck_ix", "modBruck"},
    {"zeroBruck_blocks", "zeroBruck"}, {"zeroBruck_half", "zeroBruck"},
    {"persBruck", "zeroBruck"},        {"zeroBruckV", "zeroBruck"},
    {"persBruckV", "zeroBruckV"},      {"persBruckV", "persBruck"},
    {"persBruck", "MPI_Alltoall"},     {"persBruck", "MPI_Alltoall_init"},
};

constexpr std::size_t alltoall_row = static_cast<std::size_t>(
    std::ranges::find(mpi_operations, "MPI_Alltoall", &MpiOperation::name) -
    mpi_operations.begin());
constexpr auto alltoall_init = std::get<alltoall_row>(operation_table::rows).functions.persistent;

/// The library's persistent operation, where it has one; else a request that nothing is behind.
template <class Initialise>
MPI_Request initialised(Initialise initialise, const std::vector<int>& input, int count,
                        std::vector<int>& output) {
    MPI_Request request = MPI_REQUEST_NULL;
    if constexpr (!std::is_null_pointer_v<Initialise>)
        initialise(input.data(), count, MPI_INT, output.data(), count, MPI_INT, MPI_COMM_WORLD,
                   MPI_INFO_NULL, &request);
    return request;
}

/// The buffers and persistent handles of one element size, and what runs on them.
class Problem {
  public:
    Problem(int bytes, int ranks)
        : count_{bytes / static_cast<int>(sizeof(int))},
          input_(static_cast<std::size_t>(count_) * static_cast<std::size_t>(ranks), 1),
          output_(input_.size()),
          counts_(static_cast<std::size_t>(ranks), count_),
          displacements_(static_cast<std::size_t>(ranks)) {
        for (int i = 0; i < ranks; ++i) displacements_[static_cast<std::size_t>(i)] = i * count_;
        persBruck_Alltoall_init(input_.data(), count_, MPI_INT, output_.data(), count_, MPI_INT,
                                MPI_COMM_WORLD, &persistent_);
        persBruckV_Alltoallv_init(input_.data(), counts_.data(), displacements_.data(), MPI_INT,
                                  output_.data(), counts_.data(), displacements_.data(), MPI_INT,
                                  MPI_COMM_WORLD, &persistent_irregular_);
        of_library_ = initialised(alltoall_init, input_, count_, output_);
    }
    Problem(const Problem&) = delete;
    Problem& operator=(const Problem&) = delete;
    ~Problem() {
        persBruck_Alltoall_free(&persistent_);
        persBruckV_Alltoallv_free(&persistent_irregular_);
        if (of_library_ != MPI_REQUEST_NULL) MPI_Request_free(&of_library_);
    }

    std::vector<Variant> variants() {
        std::vector<Variant> all;
        for (const auto& [name, run] : regular)
            all.push_back({name, [this, run = run] {
                               run(input_.data(), count_, MPI_INT, output_.data(), count_, MPI_INT,
                                   MPI_COMM_WORLD);
                           }});
        for (const auto& [name, run] : irregular)
            all.push_back({name, [this, run = run] {
                               run(input_.data(), counts_.data(), displacements_.data(), MPI_INT,
                                   output_.data(), counts_.data(), displacements_.data(), MPI_INT,
                                   MPI_COMM_WORLD);
                           }});
        all.push_back({"persBruck", [this] {
                           persBruck_Alltoall_start(persistent_);
                           persBruck_Alltoall_wait(persistent_);
                       }});
        all.push_back({"MPI_Alltoall_init", [this] {
                           if (of_library_ != MPI_REQUEST_NULL) MPI_Start(&of_library_);
                           MPI_Wait(&of_library_, MPI_STATUS_IGNORE);
                       }});
        // All that is done before the first use: datatypes and persistent requests, no messages.
        all.push_back({"types:persBruck", [this] {
                           PersistentAlltoall* once = nullptr;
                           persBruck_Alltoall_init(input_.data(), count_, MPI_INT, output_.data(),
                                                   count_, MPI_INT, MPI_COMM_WORLD, &once);
                           persBruck_Alltoall_free(&once);
                       }});
        all.push_back({"persBruckV", [this] {
                           persBruckV_Alltoallv_start(persistent_irregular_);
                           persBruckV_Alltoallv_wait(persistent_irregular_);
                       }});
        return all;
    }

  private:
    int count_;
    std::vector<int> input_;
    std::vector<int> output_;
    std::vector<int> counts_;
    std::vector<int> displacements_;
    PersistentAlltoall* persistent_ = nullptr;
    PersistentAlltoall* persistent_irregular_ = nullptr;
    MPI_Request of_library_ = MPI_REQUEST_NULL;
};

/// Times in microseconds of all variants, [variant][round], on rank 0; the first round only warms
/// up. All ranks draw the same orders.
std::vector<Times> measure(const std::vector<Variant>& variants, const Launch& launch,
                           std::mt19937_64& random) {
    std::vector<std::size_t> order(variants.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<Times> times(variants.size());
    for (int round = -1; round < launch.rounds; ++round) {
        std::shuffle(order.begin(), order.end(), random);
        Times own(variants.size());
        for (const std::size_t variant : order) {
            MPI_Barrier(MPI_COMM_WORLD);
            const double start = MPI_Wtime();
            variants[variant].run();
            own[variant] = (MPI_Wtime() - start) * 1e6;
        }
        Times slowest(variants.size());
        MPI_Reduce(own.data(), slowest.data(), static_cast<int>(own.size()), MPI_DOUBLE, MPI_MAX, 0,
                   MPI_COMM_WORLD);
        for (std::size_t i = 0; round >= 0 && i < times.size(); ++i) times[i].push_back(slowest[i]);
    }
    return times;
}

/// The medians of one element size, in the order of the variants and of the ratios, and the ends of
/// the 95 % intervals of the latter.
struct Row {
    int bytes;
    Times times_us;
    Times ratio_medians;
    Times ratio_lows;
    Times ratio_highs;
};

Row summary(int bytes, const std::vector<Variant>& variants, const std::vector<Times>& times) {
    Row row{bytes, {}, {}, {}, {}};
    for (const Times& samples : times) row.times_us.push_back(judge::median(samples));
    const auto of = [&](const std::string& name) -> const Times& {
        const auto found = std::find_if(variants.begin(), variants.end(),
                                        [&](const Variant& v) { return v.name == name; });
        return times[static_cast<std::size_t>(found - variants.begin())];
    };
    for (const auto& [left, right] : ratios) {
        Times quotients(of(left).size());
        std::transform(of(left).begin(), of(left).end(), of(right).begin(), quotients.begin(),
                       std::divides<>());
        const judge::MedianInterval found = judge::median_interval(quotients);
        row.ratio_medians.push_back(found.median);
        row.ratio_lows.push_back(found.low);
        row.ratio_highs.push_back(found.high);
    }
    return row;
}

/// One line per name, one column per element size.
void print_table(const char* title, const std::vector<std::string>& names,
                 const std::vector<Row>& rows, Times Row::*values,
                 bool (*is_shown)(const std::string&)) {
    std::printf("\n%-28s", title);
    for (const Row& row : rows) std::printf("%10d", row.bytes);
    std::printf("\n");
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!is_shown(names[i])) continue;
        std::printf("%-28s", names[i].c_str());
        for (const Row& row : rows) std::printf("%10.3f", (row.*values)[i]);
        std::printf("\n");
    }
}

void print_tables(const std::vector<std::string>& names, const std::vector<Row>& rows,
                  const Launch& launch) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    MPI_Get_library_version(library, &length);
    std::string first_line = library;
    first_line = first_line.substr(0, first_line.find('\n'));
    std::printf("%s\n%d ranks, %d rounds, seed %llu; columns: bytes of one element (block)\n",
                first_line.c_str(), launch.ranks, launch.rounds,
                static_cast<unsigned long long>(launch.seed));
    const auto is_types = [](const std::string& name) { return name.starts_with("types:"); };
    const auto is_full = [](const std::string& name) { return !name.starts_with("types:"); };
    const auto is_any = [](const std::string&) { return true; };
    std::vector<std::string> ratio_names;
    for (const auto& [left, right] : ratios) ratio_names.push_back(left + "/" + right);
    print_table("median time, us", names, rows, &Row::times_us, is_full);
    print_table("median of ratios", ratio_names, rows, &Row::ratio_medians, is_any);
    print_table("95 % intervals: from", ratio_names, rows, &Row::ratio_lows, is_any);
    print_table("95 % intervals: to", ratio_names, rows, &Row::ratio_highs, is_any);
    print_table("type creation alone, us", names, rows, &Row::times_us, is_types);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    Launch launch;
    if (argc > 1) launch.rounds = std::max(1, std::atoi(argv[1]));
    if (argc > 2) launch.seed = std::strtoull(argv[2], nullptr, 10);
    std::vector<int> sizes;
    for (int i = 3; i < argc; ++i) sizes.push_back(std::max(4, std::atoi(argv[i])));
    std::mt19937_64 random{launch.seed};
    std::vector<Row> rows;
    std::vector<std::string> names;
    for (const int bytes : sizes.empty() ? sizes_of_figures : sizes) {
        Problem problem{bytes, launch.ranks};
        const std::vector<Variant> variants = problem.variants();
        const std::vector<Times> times = measure(variants, launch, random);
        if (launch.rank != 0) continue;
        if (names.empty())
            for (const Variant& variant : variants) names.push_back(variant.name);
        rows.push_back(summary(bytes, variants, times));
    }
    if (launch.rank == 0) print_tables(names, rows, launch);
    MPI_Finalize();
}
