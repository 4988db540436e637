// SPDX-License-Identifier: BSD-3-Clause
#include "collectives/reduce_scatter/halving.h"

#include <algorithm>
#include <numeric>

#include "messages/messages.h"

namespace mpiaudit {

void reduce_by_halving(const Reduction& reduction, const std::vector<int>& begins, void* result,
                       void* incoming, const Fold& fold, const Processes& processes) {
    const auto begin = [&](int part) { return begins[static_cast<std::size_t>(part)]; };
    for (int mask = fold.survivors / 2; mask > 0; mask /= 2) {
        const int partner = fold.number ^ mask;
        const int process = processes.process(fold.position(partner));
        const int kept = fold.number - fold.number % mask;
        const int given = partner - partner % mask;
        const int kept_count = begin(kept + mask) - begin(kept);
        messages::exchange(reduction.at(result, begin(given)), begin(given + mask) - begin(given),
                           reduction.type, process, message_tag,
                           reduction.at(incoming, begin(kept)), kept_count, reduction.type, process,
                           message_tag, processes.comm);
        reduction.combine(incoming, result, begin(kept), kept_count);
    }
}

std::vector<int> even_parts(int count, int parts) {
    std::vector<int> begins;
    for (int part = 0; part <= parts; ++part)
        begins.push_back(part * (count / parts) + std::min(part, count % parts));
    return begins;
}

std::vector<int> consecutive_blocks(const int counts[], int blocks) {
    std::vector<int> begins(static_cast<std::size_t>(blocks) + 1, 0);
    std::partial_sum(counts, counts + blocks, begins.begin() + 1);
    return begins;
}

}  // namespace mpiaudit
