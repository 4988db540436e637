// SPDX-License-Identifier: BSD-3-Clause
// Defines paper_protocols() of recorded_options.h.
#include "options/option_value.h"
#include "options/recorded_options.h"

namespace mpiaudit {
namespace {

OptionValue number(std::uint64_t value) {
    return value;
}

// Options that a paper does not mention keep their defaults.
const NamedProtocol protocols[] = {
    // Gupta, Vadhiyar, An Efficient MPI_Allgather for Grids, HPDC 2007, section 6.3: averages
    // of 4 runs.
    {"paper-2007",
     [] {
         return OptionValues{{"guidelines", Words{"grid"}},
                             {"distributions", Words{"same"}},
                             {"block-sizes", "1Ki,2Ki,4Ki,8Ki,16Ki,32Ki,64Ki,128Ki,256Ki,512Ki"},
                             {"element", "char"},
                             {"judge", "averages"},
                             {"max-rounds", number(4)}};
     }},
    // Thakur, Gropp, Improving the Performance of Collective Operations in MPICH, 2003: averages,
    // without a word on repetitions and outliers.
    {"paper-2003",
     [] {
         return OptionValues{
             {"guidelines", Words{"reference"}},
             {"only", Words{"claim-doubling-ring-allgather", "claim-ring-doubling-allgather",
                            "claim-rabenseifner-binomial", "claim-van-de-geijn-binomial",
                            "claim-halving-reduce-scatterv", "reference-MPICH2004_Allgather",
                            "reference-MPICH2004_Bcast", "reference-MPICH2004_Reduce",
                            "reference-MPICH2004_Reduce_scatter"}},
             {"distributions", Words{"same"}},
             {"element", "double"},
             {"root", "0"},
             {"judge", "averages"}};
     }},
    // Traeff, Rougier, Hunold, Implementing a Classic, ICS 2014, section 4: Tukey's upper fence,
    // whether 95 % intervals of the means overlap, 300 repetitions of short calls (and at least 40
    // of long ones), MPI_INT, blocks of 4 to 80000 bytes.
    {"paper-2014",
     [] {
         return OptionValues{
             {"guidelines", Words{"reference", "amortised"}},
             {"only", Words{"claim-bruck-mod-basic", "claim-bruck-zero-mod",
                            "claim-bruck-pers-zero", "reference-basicBruck_Alltoall",
                            "reference-basicBruck_ix_Alltoall", "reference-modBruck_Alltoall",
                            "reference-modBruck_ix_Alltoall", "reference-zeroBruck_Alltoall",
                            "reference-zeroBruck_blocks_Alltoall", "reference-persBruck_Alltoall",
                            "reference-zeroBruckV_Alltoallv", "reference-persBruckV_Alltoallv"}},
             {"distributions", Words{"same"}},
             {"block-sizes", "1,10,100,1000,10000,20000"},
             {"element", "int"},
             {"judge", "intervals"},
             {"outliers", "upper"},
             {"max-rounds", number(300)}};
     }},
    // Traeff, Practical, Linear-time, Fully Distributed Algorithms for Irregular Gather and
    // Scatter, 2017, section 5: 75 measurements in a row after 10 that are not timed, MPI_Barrier
    // before each, the slowest process, averages without removal of outliers, root p/2, MPI_INT.
    {"paper-2017",
     [] {
         return OptionValues{{"guidelines", Words{"irregular", "reference"}},
                             {"only", Words{"irregular-1", "irregular-2", "irregular-2-tuw",
                                            "claim-tuw-padded-gather"}},
                             {"distributions", Words{"same", "random", "spikes", "decreasing",
                                                     "alternating", "two-blocks"}},
                             {"block-sizes", "1,10,100,1000,10000"},
                             {"root", "half"},
                             {"element", "int"},
                             {"sync", "barrier"},
                             {"warmup", number(10)},
                             {"max-rounds", number(75)},
                             {"in-a-row", true},
                             {"judge", "averages"}};
     }},
};

}  // namespace

std::span<const NamedProtocol> paper_protocols() {
    return protocols;
}

}  // namespace mpiaudit
