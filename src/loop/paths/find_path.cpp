// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>

#include "operations/form.h"
#include "paths/paths.h"
#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit::paths {
namespace {

/// A function by the name that it has in a path.
struct Known {
    std::string_view name;       ///< MPI_Gatherv, linear_Gatherv
    std::string_view operation;  ///< has the same signature
    Function function;           ///< null if it cannot take the place of a call
    bool is_of_mpi;
    bool needs_exact_sums = false;
};

constexpr std::string_view reduce_local = "MPI_Reduce_local";

/// Lists the functions of MPI first.
const std::vector<Known>& functions() {
    static const std::vector<Known> all = [] {
        std::vector<Known> made;
        const auto add = [&](const auto& row) {
            if constexpr (std::is_pointer_v<decltype(row.functions.profiled)>) {
                const std::string_view name = row.operation.name;
                if (!row.operation.is_among_neighbours())
                    made.push_back({name, name, any(row.functions.profiled), true});
            }
        };
        std::apply([&](const auto&... row) { (add(row), ...); }, operation_table::rows);
        made.push_back({reduce_local, reduce_local, any(&PMPI_Reduce_local), true});
        for (const Algorithm& each : algorithms())
            made.push_back({each.name, each.operation, each.in_call, false,
                            (each.traits & order_of_each_rank) != 0});
        return made;
    }();
    return all;
}

/// The compositions that calls can take, with operations of MPI: an algorithm can take the place of
/// each. They connect the layouts of the collective, as the paths of the catalogue do.
struct Composition {
    std::string_view collective, operations;
};
constexpr std::array compositions{
    Composition{"MPI_Gather", "MPI_Gatherv(m)"},
    Composition{"MPI_Gather", "MPI_Allgather(m)"},
    Composition{"MPI_Gatherv", "MPI_Allreduce(1) + MPI_Gather(m')"},
    Composition{"MPI_Scatter", "MPI_Scatterv(m)"},
    Composition{"MPI_Scatter", "MPI_Bcast(m)"},
    Composition{"MPI_Scatterv", "MPI_Allreduce(1) + MPI_Scatter(m')"},
    Composition{"MPI_Allgather", "MPI_Allgatherv(m)"},
    Composition{"MPI_Allgather", "MPI_Gather(m) + MPI_Bcast(m)"},
    Composition{"MPI_Allgatherv", "MPI_Gatherv(m) + MPI_Bcast(m)"},
    Composition{"MPI_Allgatherv", "MPI_Allgather(m')"},
    Composition{"MPI_Alltoall", "MPI_Alltoallv(m)"},
    Composition{"MPI_Barrier", "MPI_Allreduce(1)"},
    Composition{"MPI_Bcast", "MPI_Scatterv(m) + MPI_Allgatherv(m)"},
    Composition{"MPI_Allreduce", "MPI_Reduce(m) + MPI_Bcast(m)"},
    Composition{"MPI_Allreduce", "MPI_Reduce_scatter(m) + MPI_Allgatherv(m)"},
    Composition{"MPI_Reduce", "MPI_Allreduce(m)"},
    Composition{"MPI_Reduce_scatter", "MPI_Reduce(m) + MPI_Scatterv(m)"},
    Composition{"MPI_Reduce_scatter", "MPI_Allreduce(m)"},
    Composition{"MPI_Reduce_scatter_block", "MPI_Reduce_scatter(m)"},
    Composition{"MPI_Reduce_scatter_block", "MPI_Reduce(m) + MPI_Scatter(m)"},
    Composition{"MPI_Scan", "MPI_Exscan(m) + MPI_Reduce_local(m)"},
};

[[noreturn]] void refuse(std::string_view collective, std::string_view name,
                         const std::string& why) {
    throw make_invalid_argument("'{}' cannot take the place of {}: {}", name, collective, why);
}

[[noreturn]] void refuse_unknown(std::string_view collective, std::string_view name) {
    refuse(collective, name, unknown_name("path", std::string(name), paths_of(collective)));
}

/// Throws as find_path() does.
Way way_of(std::string_view collective, std::string_view name) {
    try {
        return parse_way(name);
    } catch (const NotationError&) {
        refuse_unknown(collective, name);
    }
}

}  // namespace

Path find_path(std::string_view collective, std::string_view name) {
    Way way = way_of(collective, name);
    Path path;
    path.name = name;
    path.collective = find_mpi_operation(collective);
    const bool is_of_one = way.terms.size() == 1 && way.scale.is_plain() && way.copy == 1;
    for (Term& term : way.terms) {
        const std::string function_name = term.form.name();
        const Known* const known = find_in(functions(), function_name, &Known::name);
        if (known == nullptr || term.is_bare) refuse_unknown(collective, name);
        if (known->function == nullptr)
            refuse(collective, name,
                   "it cuts blocks into elements, which other ranks may count otherwise");
        path.needs_duplicate = path.needs_duplicate || !known->is_of_mpi;
        path.needs_exact_sums = path.needs_exact_sums || known->needs_exact_sums;
        path.is_padded = path.is_padded || term.argument == Argument::padded;
        if (is_of_one && known->operation == collective && term.argument == Argument::whole)
            path.direct = known->function;
        path.steps.push_back({find_mpi_operation(known->operation), known->function});
        term.form = {.operation = std::string(known->operation)};
    }
    const bool is_composition =
        std::ranges::any_of(compositions, [&, operations = way.name()](const Composition& each) {
            return each.collective == collective && each.operations == operations;
        });
    if (path.direct == nullptr && !is_composition) refuse_unknown(collective, name);
    if (path.direct == nullptr) path.composed = composed(collective);
    // The size of padded blocks is agreed on in bytes, not by the operation of the path.
    if (path.is_padded && path.steps.size() > 1) path.steps.erase(path.steps.begin());
    return path;
}

std::vector<std::string> paths_of(std::string_view collective) {
    std::vector<std::string> names;
    const auto add = [&](std::string_view operation, std::string_view argument) {
        for (const Known& each : functions())
            if (each.operation == operation && each.function != nullptr)
                names.push_back(fmt::format("{}{}", each.name, argument));
    };
    add(collective, "(m)");
    for (const Composition& each : compositions) {
        if (each.collective != collective) continue;
        const Way way = parse_way(each.operations);
        if (const Form* const only = way.only())
            add(only->operation, each.operations.substr(only->operation.size()));
        else
            names.emplace_back(each.operations);
    }
    return names;
}

}  // namespace mpiaudit::paths
