// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstddef>
#include <cstring>

#include "catalogue/bind.h"
#include "catalogue/persistent.h"
#include "catalogue/tables.h"
#include "collectives/scan/scan.h"
#include "collectives/scan/scan_schedules.h"

namespace mpiaudit {
namespace {

using enum Kind;
using enum Holding;

/// By a function with the signature of MPI_Scan and MPI_Exscan.
template <auto function>
Step scan(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    // Rank 0 has no exclusive prefix. Its receive buffer is not significant, but MPICH wants one.
    static std::byte insignificant{};
    void* receive = result.data != nullptr ? static_cast<void*>(result.data) : &insignificant;
    return {
        bind<function>(instance.comm, from.data, receive, from.span(), from.type, instance.op()),
        result};
}

/// The result replaces the contribution.
template <auto function>
Step scan_in_place(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.workspace.target(to);
    // Rank 0 has no exclusive prefix, but contributes.
    Place source = instance.workspace.target(from.layout);
    if (result.data != nullptr) source.data = result.data;
    return {bind<function>(instance.comm, MPI_IN_PLACE, source.data, from.span(), from.type,
                           instance.op()),
            result, source};
}

/// exclusively prefixed + own -> prefixed.
Step reduce_own(const Instance& instance, const Place& from, Layout to) {
    const Place own = instance.workspace.source({contributed, to.padded});
    const Place result = instance.workspace.target(to);
    const std::size_t bytes = static_cast<std::size_t>(own.span()) * own.extent;
    return {[=, op = instance.op()] {
                std::memcpy(result.data, own.data, bytes);
                if (from.data != nullptr)
                    MPI_Reduce_local(from.data, result.data, own.span(), own.type, op);
            },
            result};
}

constexpr std::array arrows = {
    Arrow{"MPI_Scan", "scan", native, contributed, prefixed,
          "the library's inclusive prefix reduction", scan<&MPI_Scan>, defined_operator},
    Arrow{"MPI_Iscan", "scan", nonblocking, contributed, prefixed,
          "MPI_Scan started without blocking, and MPI_Wait", scan<&MPI_Iscan>, defined_operator},
    Arrow{"MPI_Scan_init", "scan", persistent, contributed, prefixed,
          "MPI_Scan initialised before; MPI_Start and MPI_Wait", scan<persistent::scan_init>,
          defined_operator | presence<persistent::scan_init>()},
    Arrow{"MPI_Exscan", "scan", native, contributed, exclusively_prefixed,
          "the library's exclusive prefix reduction", scan<&MPI_Exscan>, defined_operator},
    Arrow{"MPI_Iexscan", "scan", nonblocking, contributed, exclusively_prefixed,
          "MPI_Exscan started without blocking, and MPI_Wait", scan<&MPI_Iexscan>,
          defined_operator},
    Arrow{"MPI_Exscan_init", "scan", persistent, contributed, exclusively_prefixed,
          "MPI_Exscan initialised before; MPI_Start and MPI_Wait", scan<persistent::exscan_init>,
          defined_operator | presence<persistent::exscan_init>()},
    Arrow{"MPI_Reduce_local", "scan", local, exclusively_prefixed, prefixed,
          "every rank adds its own contribution", reduce_own, defined_operator},
    Arrow{"MPI_Scan[in place]", "scan", in_place, contributed, prefixed,
          "MPI_Scan whose result replaces the contribution", scan_in_place<&MPI_Scan>,
          defined_operator, nullptr, contributed},
    Arrow{"MPI_Exscan[in place]", "scan", in_place, contributed, exclusively_prefixed,
          "MPI_Exscan whose result replaces the contribution", scan_in_place<&MPI_Exscan>,
          defined_operator, nullptr, contributed},
    Arrow{"linear_Scan", "scan", reference, contributed, prefixed,
          "every rank adds its contribution to the prefix of the rank before it",
          scan<&linear_Scan>, defined_operator, schedules::linear_scan},
    Arrow{"recursive_doubling_Scan", "scan", reference, contributed, prefixed,
          "ranks at distance 1, 2, 4 ... exchange partial results", scan<&recursive_doubling_Scan>,
          defined_operator, schedules::recursive_doubling_scan},
    Arrow{"linear_Exscan", "scan", reference, contributed, exclusively_prefixed,
          "every rank adds its contribution to the prefix of the rank before it",
          scan<&linear_Exscan>, defined_operator, schedules::linear_exscan},
    Arrow{"recursive_doubling_Exscan", "scan", reference, contributed, exclusively_prefixed,
          "ranks at distance 1, 2, 4 ... exchange partial results",
          scan<&recursive_doubling_Exscan>, defined_operator, schedules::recursive_doubling_exscan},
};

}  // namespace

std::span<const Arrow> scan_arrows() {
    return arrows;
}

}  // namespace mpiaudit
