// SPDX-License-Identifier: BSD-3-Clause
#include "gather_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "messages/private_communicator.h"

namespace mpiaudit {

std::string GatherCase::text() const {
    std::string text = kind->name + ", root " + std::to_string(root) + ", items";
    for (const int count : items) text += " " + std::to_string(count);
    text += displacements == Displacements::contiguous  ? ", contiguous"
            : displacements == Displacements::with_gaps ? ", with gaps"
                                                        : ", reversed";
    return text + (is_in_place ? ", in place" : "");
}

std::vector<std::vector<int>> item_distributions(int ranks) {
    const int b = 4;
    std::vector<std::vector<int>> all(9, std::vector<int>(static_cast<std::size_t>(ranks), 0));
    std::mt19937 random(42);
    for (int i = 0; i < ranks; ++i) {
        const auto k = static_cast<std::size_t>(i);
        all[0][k] = b;                                         // same
        all[1][k] = static_cast<int>(1 + random() % (2 * b));  // random
        all[2][k] = random() % 5 == 0 ? 5 * b : 1;             // spikes
        all[3][k] = 2 * b * (ranks - i) / ranks + 1;           // decreasing
        all[4][k] = i % 2 == 0 ? b + b / 2 : b / 2;            // alternating
        all[5][k] = i == 0 || i == ranks - 1 ? b : 0;          // two blocks
        all[7][k] = i == ranks / 3 ? 9 : 0;                    // a single block; [6]: none at all
        all[8][k] = random() % 2 ? 0 : static_cast<int>(random() % 30);
    }
    for (int i = 0; i < 6; ++i) {
        std::vector<int> items(static_cast<std::size_t>(ranks));
        for (int& count : items) count = static_cast<int>(random() % (random() % 20 + 1));
        all.push_back(items);
    }
    return all;
}

namespace {

GatherCase next_case(const std::vector<int>& items, int root, std::size_t& number) {
    const auto& kinds = element_kinds();
    // 11 kinds, 3 displacements, 2 places: coprime, so all combinations come in turn.
    const GatherCase next{&kinds[number % kinds.size()], items, root,
                          static_cast<Displacements>(number % 3), number % 2 == 1};
    ++number;
    return next;
}

}  // namespace

std::vector<GatherCase> irregular_cases(int ranks) {
    std::vector<GatherCase> cases;
    std::size_t number = 0;
    for (const std::vector<int>& items : item_distributions(ranks))
        for (int root = 0; root < ranks; ++root)
            for (int repeated = 0; repeated < 2; ++repeated)
                cases.push_back(next_case(items, root, number));
    const std::vector<int> random_items = item_distributions(ranks).back();
    for (int i = 0; i < 66; ++i) cases.push_back(next_case(random_items, i % ranks, number));
    return cases;
}

std::vector<GatherCase> regular_cases(int ranks) {
    std::vector<GatherCase> cases;
    std::size_t number = 0;
    for (const int count : {0, 1, 40})
        for (int root = 0; root < ranks; ++root)
            for (std::size_t i = 0; i < (count == 0 ? 2 : element_kinds().size()); ++i) {
                const std::vector<int> items(static_cast<std::size_t>(ranks), count);
                cases.push_back(next_case(items, root, number));
                cases.back().displacements = Displacements::contiguous;
            }
    return cases;
}

RootArguments root_arguments(const GatherCase& gather_case, int elements) {
    RootArguments arguments;
    const int ranks = static_cast<int>(gather_case.items.size());
    std::vector<int> order(gather_case.items.size());
    std::iota(order.begin(), order.end(), 0);
    if (gather_case.displacements == Displacements::reversed) std::ranges::reverse(order);
    for (const int items : gather_case.items) arguments.counts.push_back(items * elements);
    arguments.displacements.resize(static_cast<std::size_t>(ranks));
    int next = gather_case.displacements == Displacements::with_gaps ? 2 : 0;
    for (const int rank : order) {
        // The displacement of an empty block means nothing.
        arguments.displacements[rank] = arguments.counts[rank] == 0 ? -54321 : next;
        next += arguments.counts[rank];
        if (gather_case.displacements == Displacements::with_gaps) next += rank % 3;
    }
    arguments.elements = next;
    return arguments;
}

PatternBuffer::PatternBuffer(MPI_Datatype type, int elements) : type_{type} {
    MPI_Aint lower_bound = 0, true_lower_bound = 0, true_extent = 0;
    MPI_Type_get_extent(type, &lower_bound, &extent_);
    MPI_Type_get_true_extent(type, &true_lower_bound, &true_extent);
    const MPI_Aint bytes = elements * extent_ + true_lower_bound + true_extent + 2 * margin;
    for (MPI_Aint i = 0; i < bytes; ++i)
        bytes_.push_back(static_cast<unsigned char>(0xA5 + 31 * i));
}

void PatternBuffer::put_block(int displacement, int count, int rank) {
    if (count == 0) return;
    int element_bytes = 0;
    MPI_Type_size(type_, &element_bytes);
    std::vector<unsigned char> packed(static_cast<std::size_t>(count * element_bytes));
    for (std::size_t j = 0; j < packed.size(); ++j)
        packed[j] = static_cast<unsigned char>((j * 2654435761U + 97U * j) >> 5) ^
                    static_cast<unsigned char>(rank * 37 + 11);
    // Between ranks of one architecture MPI packs data as they are.
    int position = 0;
    MPI_Unpack(packed.data(), static_cast<int>(packed.size()), &position,
               bytes_.data() + margin + displacement * extent_, count, type_, MPI_COMM_WORLD);
}

void report_failure(const std::string& what, const GatherCase& gather_case) {
    static int failures = 0;
    if (++failures <= 5)
        ADD_FAILURE() << what << ": " << gather_case.text();
    else if (failures == 6)
        ADD_FAILURE() << "and more";
}

bool has_unmatched_message() {
    MPI_Barrier(MPI_COMM_WORLD);
    int is_there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, private_communicator(MPI_COMM_WORLD), &is_there,
               MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);  // Before anybody sends what may be found.
    return is_there != 0;
}

}  // namespace mpiaudit
