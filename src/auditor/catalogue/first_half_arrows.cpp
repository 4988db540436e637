// SPDX-License-Identifier: BSD-3-Clause
// Operations of the library on the first half of the ranks, which have to be no slower than on all
// of them: whatever the others do or contribute, the first half has the same.
#include "catalogue/tables.h"
#include "catalogue/variant.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using enum Holding;
using under_test::look_at;

/// Of the first half; nothing happens on the others.
template <class Operation>
Call in_first_half(const Instance& instance, Operation operation) {
    const int members = instance.problem().first_half();
    const MPI_Comm comm = communicator_of_first(instance.comm, members);
    if (instance.rank() >= members) return [] {};
    return [=] { look_at(operation(comm)); };
}

Step bcast_in_half(const Instance& instance, const Place& from, Layout to) {
    Place result = instance.target(to);
    if (instance.is_root()) {
        result = from;
        result.layout = to;
    }
    return {in_first_half(instance,
                          [=, root = instance.root()](MPI_Comm comm) {
                              return MPI_Bcast(result.data, result.span(), result.type, root, comm);
                          }),
            result};
}

Step reduce_in_half(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    return {in_first_half(instance,
                          [=, op = instance.op(), root = instance.root()](MPI_Comm comm) {
                              return MPI_Reduce(from.data, result.data, from.span(), from.type, op,
                                                root, comm);
                          }),
            result};
}

Step allreduce_in_half(const Instance& instance, const Place& from, Layout to) {
    const Place result = instance.target(to);
    return {in_first_half(instance,
                          [=, op = instance.op()](MPI_Comm comm) {
                              return MPI_Allreduce(from.data, result.data, from.span(), from.type,
                                                   op, comm);
                          }),
            result};
}

Step barrier_in_half(const Instance& instance, const Place& from, Layout to) {
    Place result = from;
    result.layout = to;
    return {in_first_half(instance, [](MPI_Comm comm) { return MPI_Barrier(comm); }), result};
}

}  // namespace

std::vector<Arrow> first_half_arrows() {
    const auto row = [](const char* name, std::string_view collective, Holding from, Holding to,
                        Prepare prepare, unsigned needs) {
        return Arrow{name,    collective, Kind::variant, from, to, "on the first half of the ranks",
                     prepare, needs};
    };
    return {
        row("MPI_Bcast[first half]", "bcast", rooted, half_replicated, bcast_in_half, root_in_half),
        row("MPI_Reduce[first half]", "reduce", half_contributed, rooted, reduce_in_half,
            defined_operator | root_in_half),
        row("MPI_Allreduce[first half]", "allreduce", half_contributed, half_replicated,
            allreduce_in_half, defined_operator),
        row("MPI_Barrier[first half]", "barrier", apart, half_together, barrier_in_half, anything),
    };
}

}  // namespace mpiaudit
