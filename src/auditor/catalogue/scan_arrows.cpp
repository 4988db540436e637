// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstring>

#include "catalogue/large_count.h"
#include "catalogue/persistent.h"
#include "catalogue/table.h"
#include "catalogue/tables.h"
#include "collectives/scan/scan.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using enum Holding;

/// With the signature of MPI_Scan and MPI_Exscan.
template <Holding prefix>
struct PrefixReduction {
    static constexpr Common common{.collective = "scan",
                                   .from = contributed,
                                   .to = prefix,
                                   .needs = defined_operator,
                                   .in_place = "whose result replaces the contribution",
                                   .in_place_scratch = contributed};

    template <auto function>
    static Step by(const Instance& instance, const Place& from, Layout to) {
        const Place result = instance.target(to);
        // Rank 0 has no exclusive prefix. Its receive buffer is not significant, but MPICH wants
        // one.
        static std::byte insignificant{};
        void* receive = result.data != nullptr ? static_cast<void*>(result.data) : &insignificant;
        return {bound_call(function, instance.comm, from.data, receive, from.span(), from.type,
                           instance.op()),
                result};
    }

    /// Rank 0 has no exclusive prefix, but contributes.
    static Place input(const Instance& instance, const Place& from, Layout to) {
        const bool has_result = instance.target(to).data != nullptr;
        return has_result ? replaced_by_result(instance, from, to)
                          : instance.workspace.target(from.layout);
    }

    template <auto function>
    static Step in_place(const Instance& instance, const Place& from, Layout to) {
        Place result = instance.target(to);
        if (result.data != nullptr) result.data = from.data;
        return {bound_call(function, instance.comm, MPI_IN_PLACE, from.data, from.span(), from.type,
                           instance.op()),
                result};
    }
};

using Scan = PrefixReduction<prefixed>;
using Exscan = PrefixReduction<exclusively_prefixed>;

/// exclusively prefixed + own -> prefixed. MPI_Reduce_local puts its result where its right operand
/// was: with an operator that commutes that is the prefix, else a copy of the own contribution.
/// Rank 0 has no prefix.
Step reduce_own(const Instance& instance, const Place& from, Layout to) {
    const Place own = instance.workspace.source({contributed, to.padded});
    Place result = instance.target(to);
    const std::size_t bytes = static_cast<std::size_t>(own.span()) * own.extent;
    const auto reduce = [count = own.span(), type = own.type, op = instance.op()](
                            const std::byte* left, std::byte* right) {
        under_test::look_at(MPI_Reduce_local(left, right, count, type, op));
    };
    const bool has_prefix = from.data != nullptr;
    if (has_prefix && instance.problem().op->is_commutative()) {
        result.data = from.data;
        return {[=] { reduce(own.data, result.data); }, result};
    }
    return {[=] {
                std::memcpy(result.data, own.data, bytes);
                if (has_prefix) reduce(from.data, result.data);
            },
            result};
}

}  // namespace

std::vector<Arrow> scan_arrows() {
    constexpr auto linear = "every rank adds its contribution to the prefix of the rank before it";
    constexpr auto doubling = "ranks at distance 1, 2, 4 ... exchange partial results";
    Table table;
    table.operations = {
        native<Scan, &MPI_Scan, &MPI_Iscan, persistent::scan_init>(
            "MPI_Scan", "the library's inclusive prefix reduction"),
        native<Exscan, &MPI_Exscan, &MPI_Iexscan, persistent::exscan_init>(
            "MPI_Exscan", "the library's exclusive prefix reduction"),
    };
    table.other_uses = {
        large_count::form<Scan, large_count::scan>("MPI_Scan_c"),
        large_count::form<Exscan, large_count::exscan>("MPI_Exscan_c"),
        Arrow{"MPI_Reduce_local", "scan", Kind::local, exclusively_prefixed, prefixed,
              "every rank adds its own contribution", reduce_own, defined_operator},
    };
    table.algorithms = {
        reference<Scan, &linear_Scan>("linear_Scan", linear),
        reference<Scan, &recursive_doubling_Scan>("recursive_doubling_Scan", doubling),
        reference<Exscan, &linear_Exscan>("linear_Exscan", linear),
        reference<Exscan, &recursive_doubling_Exscan>("recursive_doubling_Exscan", doubling),
        reference<Exscan, &doubling_123_Exscan>(
            "doubling_123_Exscan", "reductions over 1, 3, 6, 12 ... ranks before are passed on"),
        reference<Exscan, &bits_Exscan>(
            "bits_Exscan", "reductions over more ranks before are passed on, by the bits of p-1"),
    };
    return arrows(table);
}

}  // namespace mpiaudit
