// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>

#include "paths/compositions.h"
#include "paths/paths.h"
#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit::paths {
namespace {

/// An operation by the name that it has in a path.
struct Operation {
    std::string_view name;    ///< MPI_Gatherv, linear_Gatherv
    std::string_view family;  ///< MPI_Gatherv: whose signature it has
    Function function;        ///< null where it cannot take the place of a call
    bool is_of_mpi;
    bool needs_exact_sums = false;
};

/// MPI's own first.
const std::vector<Operation>& operations() {
    static const std::vector<Operation> all = [] {
        std::vector<Operation> made;
        const auto add = [&](const auto& row) {
            if constexpr (std::is_pointer_v<decltype(row.functions.profiled)>) {
                const std::string_view name = row.operation.name;
                if (!row.operation.is_among_neighbours())
                    made.push_back({name, name, any(row.functions.profiled), true});
            }
        };
        std::apply([&](const auto&... row) { (add(row), ...); }, operation_table::rows);
        made.push_back({"MPI_Reduce_local", "MPI_Reduce_local", any(&PMPI_Reduce_local), true});
        for (const Algorithm& each : algorithms())
            made.push_back({each.name, each.operation, each.in_call, false,
                            (each.traits & order_of_each_rank) != 0});
        return made;
    }();
    return all;
}

struct Term {
    const Operation* operation;
    std::string_view argument;  ///< m, m' or 1
};

/// A collective from operations of the families that are named. A term of (1) is an agreement.
struct Composition {
    std::string_view collective;
    std::string_view terms;
    Function function;
    /// The bytes of all ranks together are counted by ints.
    bool counts_bytes_in_int = true;
};

const auto& compositions() {
    static const std::array all{
        Composition{"MPI_Gather", "MPI_Gatherv(m)", any(&gather_by_gatherv)},
        Composition{"MPI_Gather", "MPI_Allgather(m)", any(&gather_by_allgather)},
        Composition{"MPI_Gatherv", "MPI_Allreduce(1) + MPI_Gather(m')", any(&gatherv_padded),
                    false},
        Composition{"MPI_Scatter", "MPI_Scatterv(m)", any(&scatter_by_scatterv)},
        Composition{"MPI_Scatter", "MPI_Bcast(m)", any(&scatter_by_bcast)},
        Composition{"MPI_Scatterv", "MPI_Allreduce(1) + MPI_Scatter(m')", any(&scatterv_padded),
                    false},
        Composition{"MPI_Allgather", "MPI_Allgatherv(m)", any(&allgather_by_allgatherv)},
        Composition{"MPI_Allgather", "MPI_Gather(m) + MPI_Bcast(m)",
                    any(&allgather_by_gather_bcast)},
        Composition{"MPI_Allgatherv", "MPI_Gatherv(m) + MPI_Bcast(m)",
                    any(&allgatherv_by_gatherv_bcast)},
        Composition{"MPI_Allgatherv", "MPI_Allgather(m')", any(&allgatherv_padded)},
        Composition{"MPI_Alltoall", "MPI_Alltoallv(m)", any(&alltoall_by_alltoallv)},
        Composition{"MPI_Barrier", "MPI_Allreduce(1)", any(&barrier_by_allreduce), false},
        Composition{"MPI_Bcast", "MPI_Scatterv(m) + MPI_Allgatherv(m)",
                    any(&bcast_by_scatterv_allgatherv)},
        Composition{"MPI_Allreduce", "MPI_Reduce(m) + MPI_Bcast(m)",
                    any(&allreduce_by_reduce_bcast)},
        Composition{"MPI_Allreduce", "MPI_Reduce_scatter(m) + MPI_Allgatherv(m)",
                    any(&allreduce_by_reduce_scatter_allgatherv)},
        Composition{"MPI_Reduce", "MPI_Allreduce(m)", any(&reduce_by_allreduce)},
        Composition{"MPI_Reduce_scatter", "MPI_Reduce(m) + MPI_Scatterv(m)",
                    any(&reduce_scatter_by_reduce_scatterv)},
        Composition{"MPI_Reduce_scatter", "MPI_Allreduce(m)", any(&reduce_scatter_by_allreduce)},
        Composition{"MPI_Reduce_scatter_block", "MPI_Reduce_scatter(m)",
                    any(&reduce_scatter_block_by_reduce_scatter)},
        Composition{"MPI_Reduce_scatter_block", "MPI_Reduce(m) + MPI_Scatter(m)",
                    any(&reduce_scatter_block_by_reduce_then_scatter)},
        Composition{"MPI_Scan", "MPI_Exscan(m) + MPI_Reduce_local(m)", any(&scan_by_exscan)},
    };
    return all;
}

[[noreturn]] void refuse(std::string_view collective, std::string_view name,
                         const std::string& why) {
    throw make_invalid_argument("'{}' cannot take the place of {}: {}", name, collective, why);
}

/// NAME(ARGUMENT) + NAME(ARGUMENT).
std::vector<Term> terms_of(std::string_view collective, std::string_view name) {
    std::vector<Term> terms;
    bool is_more = true;
    for (std::string_view left = name; is_more;) {
        const std::size_t end = left.find(" + ");
        const std::string_view term = left.substr(0, end);
        is_more = end != std::string_view::npos;
        if (is_more) left.remove_prefix(end + 3);
        const std::size_t bracket = term.find('(');
        const auto operation =
            std::ranges::find(operations(), term.substr(0, bracket), &Operation::name);
        if (operation == operations().end() || bracket == std::string_view::npos ||
            !term.ends_with(')'))
            refuse(collective, name, unknown_name("path", std::string(name), paths_of(collective)));
        if (operation->function == nullptr)
            refuse(collective, name,
                   "it cuts blocks into elements, which other ranks may count otherwise");
        terms.push_back({&*operation, term.substr(bracket + 1, term.size() - bracket - 2)});
    }
    return terms;
}

/// The families of the terms, as a composition names them.
std::string families_of(const std::vector<Term>& terms) {
    std::string families;
    for (const Term& each : terms)
        families += fmt::format("{}{}({})", families.empty() ? "" : " + ", each.operation->family,
                                each.argument);
    return families;
}

}  // namespace

Path find_path(std::string_view collective, std::string_view name) {
    const std::vector<Term> terms = terms_of(collective, name);
    Path path;
    path.name = name;
    path.needs_duplicate =
        std::ranges::any_of(terms, [](const Term& term) { return !term.operation->is_of_mpi; });
    path.needs_exact_sums = std::ranges::any_of(
        terms, [](const Term& term) { return term.operation->needs_exact_sums; });
    if (terms.size() == 1 && terms.front().argument == "m" &&
        terms.front().operation->family == collective) {
        path.direct = terms.front().operation->function;
        return path;
    }
    const auto found = std::ranges::find_if(
        compositions(), [&, families = families_of(terms)](const Composition& each) {
            return each.collective == collective && each.terms == families;
        });
    if (found == compositions().end())
        refuse(collective, name, unknown_name("path", std::string(name), paths_of(collective)));
    path.composed = found->function;
    path.counts_bytes_in_int = found->counts_bytes_in_int;
    path.terms.first = terms.front().operation->function;
    if (terms.size() == 2) path.terms.second = terms[1].operation->function;
    return path;
}

std::vector<std::string> paths_of(std::string_view collective) {
    std::vector<std::string> names;
    const auto add = [&](std::string_view family, std::string_view argument) {
        for (const Operation& each : operations())
            if (each.family == family && each.function != nullptr)
                names.push_back(fmt::format("{}{}", each.name, argument));
    };
    add(collective, "(m)");
    for (const Composition& each : compositions()) {
        const std::size_t bracket = each.terms.find('(');
        if (each.collective != collective) continue;
        if (each.terms.find(" + ") != each.terms.npos)
            names.emplace_back(each.terms);
        else
            add(each.terms.substr(0, bracket), each.terms.substr(bracket));
    }
    return names;
}

}  // namespace mpiaudit::paths
