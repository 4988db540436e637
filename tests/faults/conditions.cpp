// SPDX-License-Identifier: BSD-3-Clause
// The conditions of a fault: what the arguments of a call must be (see fault.h).
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "fault.h"

namespace faults {
namespace {

int size_of(MPI_Comm comm) {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

bool is_inter(MPI_Comm comm) {
    int inter = 0;
    PMPI_Comm_test_inter(comm, &inter);
    return inter != 0;
}

int topology_of(MPI_Comm comm) {
    int topology = MPI_UNDEFINED;
    if (!is_inter(comm)) PMPI_Topo_test(comm, &topology);
    return topology;
}

/// Returns the number of dimensions of a Cartesian communicator that are periodic, or all of them;
/// 0 for other communicators.
int dimensions_of(MPI_Comm comm, bool only_periodic) {
    if (topology_of(comm) != MPI_CART) return 0;
    int number = 0;
    PMPI_Cartdim_get(comm, &number);
    const auto size = static_cast<std::size_t>(number);
    std::vector<int> extents(size), periods(size), place(size);
    PMPI_Cart_get(comm, number, extents.data(), periods.data(), place.data());
    return only_periodic ? static_cast<int>(std::ranges::count(periods, 1)) : number;
}

/// Whether all ranks are those of MPI_COMM_WORLD, in another order.
bool is_reordered(MPI_Comm comm) {
    int compared = MPI_UNEQUAL;
    if (!is_inter(comm)) PMPI_Comm_compare(comm, MPI_COMM_WORLD, &compared);
    return compared == MPI_SIMILAR;
}

/// A type as its constructor has made it; the constructor itself is MPI_COMBINER_NAMED for a
/// predefined type.
struct Constructed {
    int combiner = MPI_COMBINER_NAMED;
    std::vector<int> integers = {};
    MPI_Datatype inner = MPI_DATATYPE_NULL;
};
Constructed constructed(MPI_Datatype type) {
    Constructed made;
    if (type == MPI_DATATYPE_NULL) return made;
    int integers = 0, addresses = 0, types = 0;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &made.combiner);
    if (made.combiner == MPI_COMBINER_NAMED) return made;
    made.integers.resize(static_cast<std::size_t>(integers));
    std::vector<MPI_Aint> addresses_of(static_cast<std::size_t>(addresses));
    std::vector<MPI_Datatype> inner(static_cast<std::size_t>(types));
    PMPI_Type_get_contents(type, integers, addresses, types, made.integers.data(),
                           addresses_of.data(), inner.data());
    made.inner = inner.front();
    return made;
}

/// Returns the first type that is not empty; without the absolute address for MPI_BOTTOM.
MPI_Datatype type_of(const Side& side) {
    for (int k = 0; k < side.blocks; ++k)
        if (side.count_of(k) > 0)
            return side.data == MPI_BOTTOM ? constructed(side.type_of(k)).inner : side.type_of(k);
    return MPI_DATATYPE_NULL;
}

std::string name_of_basic(MPI_Datatype type) {
    for (Constructed made = constructed(type); made.inner != MPI_DATATYPE_NULL;
         made = constructed(type))
        type = made.inner;
    if (type == MPI_DATATYPE_NULL) return "";
    std::array<char, MPI_MAX_OBJECT_NAME> name{};
    int length = 0;
    PMPI_Type_get_name(type, name.data(), &length);
    return name.data();
}

/// Whether the side has a type of this kind.
bool has_type(const Side& side, std::string_view kind) {
    const MPI_Datatype type = type_of(side);
    if (type == MPI_DATATYPE_NULL) return false;
    const Constructed made = constructed(type);
    if (made.combiner == MPI_COMBINER_NAMED) return false;
    MPI_Aint lower = 0, extent = 0;
    PMPI_Type_get_extent(type, &lower, &extent);
    int bytes = 0;
    PMPI_Type_size(type, &bytes);
    if (kind == "derived") return true;
    if (kind == "gapped") return extent > bytes;
    if (kind == "above") return lower > 0;
    if (kind == "below") return lower < 0;
    if (kind == "vector") return made.combiner == MPI_COMBINER_VECTOR;
    if (kind == "indexed") return made.combiner == MPI_COMBINER_INDEXED;
    if (kind == "nested") return constructed(made.inner).combiner != MPI_COMBINER_NAMED;
    std::fprintf(stderr, "MPIAUDIT_FAULT: no such kind of type\n");
    std::_Exit(2);
}

bool is_any_of(const Side& side, bool (*is_so)(const Side&, int)) {
    for (int k = 0; k < side.blocks; ++k)
        if (is_so(side, k)) return true;
    return false;
}

bool has_counts(const Side& side, bool (*is_so)(const Side&, int)) {
    return side.counts != nullptr && is_any_of(side, is_so);
}

bool is_gap_behind(const Side& side, int k) {
    const int* const at = side.displacements;
    return at != nullptr && k + 1 < side.blocks && at[k + 1] > at[k] + side.counts[k];
}
bool is_before_its_predecessor(const Side& side, int k) {
    const int* const at = side.displacements;
    return at != nullptr && k > 0 && at[k] < at[k - 1];
}

bool is_unaligned(const Side& side) {
    constexpr std::uintptr_t alignment_bytes = 64;
    return side.largest_count() > 0 && side.data != MPI_IN_PLACE && side.data != MPI_BOTTOM &&
           reinterpret_cast<std::uintptr_t>(side.data) % alignment_bytes != 0;
}

bool is_pending(const Collective& call, bool is_receive, bool is_elsewhere) {
    return std::ranges::any_of(open_requests(), [&](const auto& each) {
        return each.second.is_receive == is_receive &&
               (each.second.comm != call.comm) == is_elsewhere;
    });
}

const std::vector<std::pair<std::string, MPI_Op>>& operators() {
    static const std::vector<std::pair<std::string, MPI_Op>> all{
        {"MPI_SUM", MPI_SUM},   {"MPI_MAX", MPI_MAX},       {"MPI_MIN", MPI_MIN},
        {"MPI_PROD", MPI_PROD}, {"MPI_LAND", MPI_LAND},     {"MPI_LOR", MPI_LOR},
        {"MPI_LXOR", MPI_LXOR}, {"MPI_BAND", MPI_BAND},     {"MPI_BOR", MPI_BOR},
        {"MPI_BXOR", MPI_BXOR}, {"MPI_MINLOC", MPI_MINLOC}, {"MPI_MAXLOC", MPI_MAXLOC}};
    return all;
}

bool is_commutative(MPI_Op op) {
    int commutative = 1;
    if (op != MPI_OP_NULL) PMPI_Op_commutative(op, &commutative);
    return commutative != 0;
}

/// Whether either side meets a condition on sides.
template <class Condition>
bool is_either(const Collective& call, Condition condition) {
    return condition(call.sent) || condition(call.received);
}

long largest_count(const Collective& call) {
    return std::max(call.sent.largest_count(), call.received.largest_count());
}

/// A block of fewer elements is not long enough for the conditions on long blocks.
constexpr long least_of_long_blocks = 64;
constexpr std::size_t least_long_bytes = 200'000;

using Test = bool (*)(const Collective&);
const std::map<std::string, Test>& conditions() {
    static const std::map<std::string, Test> all{
        {"inter", [](const Collective& call) { return is_inter(call.comm); }},
        {"world", [](const Collective& call) { return call.comm == MPI_COMM_WORLD; }},
        {"one-rank", [](const Collective& call) { return size_of(call.comm) == 1; }},
        {"part",
         [](const Collective& call) {
             return !is_inter(call.comm) && size_of(call.comm) < size_of(MPI_COMM_WORLD) &&
                    size_of(call.comm) > 1;
         }},
        {"reordered", [](const Collective& call) { return is_reordered(call.comm); }},
        {"cartesian", [](const Collective& call) { return topology_of(call.comm) == MPI_CART; }},
        {"graph", [](const Collective& call) { return topology_of(call.comm) == MPI_DIST_GRAPH; }},
        {"not-periodic",
         [](const Collective& call) {
             return dimensions_of(call.comm, false) > dimensions_of(call.comm, true);
         }},
        {"several-dimensions",
         [](const Collective& call) { return dimensions_of(call.comm, false) > 1; }},
        {"empty",
         [](const Collective& call) {
             return call.sent.blocks + call.received.blocks > 0 && largest_count(call) == 0;
         }},
        {"power-of-two",
         [](const Collective& call) {
             const long count = largest_count(call);
             return count >= least_of_long_blocks && (count & (count - 1)) == 0;
         }},
        {"not-power-of-two",
         [](const Collective& call) {
             const long count = largest_count(call);
             return count >= least_of_long_blocks && (count & (count - 1)) != 0;
         }},
        {"long",
         [](const Collective& call) {
             return is_either(call, [](const Side& side) {
                 return side.first_bytes().number >= least_long_bytes;
             });
         }},
        {"unequal",
         [](const Collective& call) {
             return is_either(call, [](const Side& side) {
                 return has_counts(
                     side, [](const Side& of, int k) { return of.counts[k] != of.counts[0]; });
             });
         }},
        {"some-empty",
         [](const Collective& call) {
             return is_either(call, [](const Side& side) {
                 return side.largest_count() > 0 &&
                        has_counts(side, [](const Side& of, int k) { return of.counts[k] == 0; });
             });
         }},
        {"gaps",
         [](const Collective& call) {
             return is_either(call,
                              [](const Side& side) { return is_any_of(side, is_gap_behind); });
         }},
        {"decreasing",
         [](const Collective& call) {
             return is_either(
                 call, [](const Side& side) { return is_any_of(side, is_before_its_predecessor); });
         }},
        {"unaligned", [](const Collective& call) { return is_either(call, is_unaligned); }},
        {"bottom",
         [](const Collective& call) {
             return is_either(call, [](const Side& side) {
                 return side.data == MPI_BOTTOM && side.largest_count() > 0;
             });
         }},
        {"null",
         [](const Collective& call) {
             return is_either(call, [](const Side& side) {
                 return side.data == nullptr && side.blocks > 0 && side.largest_count() == 0;
             });
         }},
        {"types-differ",
         [](const Collective& call) {
             const MPI_Datatype sent = type_of(call.sent), received = type_of(call.received);
             return sent != MPI_DATATYPE_NULL && received != MPI_DATATYPE_NULL && sent != received;
         }},
        {"user-op",
         [](const Collective& call) {
             return call.op != MPI_OP_NULL &&
                    std::ranges::none_of(operators(),
                                         [&](const auto& each) { return each.second == call.op; });
         }},
        {"not-commutative", [](const Collective& call) { return !is_commutative(call.op); }},
        {"in-place",
         [](const Collective& call) {
             return is_either(call, [](const Side& side) { return side.data == MPI_IN_PLACE; });
         }},
        {"other-root", [](const Collective& call) { return call.root > 0; }},
        {"pending", [](const Collective& call) { return is_pending(call, false, false); }},
        {"pending-elsewhere", [](const Collective& call) { return is_pending(call, false, true); }},
        {"pending-receive", [](const Collective& call) { return is_pending(call, true, false); }},
    };
    return all;
}

}  // namespace

bool meets(const std::string& condition, const Collective& call) {
    const auto found = conditions().find(condition);
    if (found != conditions().end()) return found->second(call);
    const std::string argument =
        condition.substr(std::min(condition.size(), condition.find_first_of("=-") + 1));
    if (condition.starts_with("op="))
        return std::ranges::any_of(operators(), [&](const auto& each) {
            return each.first == argument && each.second == call.op;
        });
    if (condition.starts_with("basic="))
        return is_either(
            call, [&](const Side& side) { return name_of_basic(type_of(side)) == argument; });
    if (condition.starts_with("sent-")) return has_type(call.sent, argument);
    if (condition.starts_with("received-")) return has_type(call.received, argument);
    std::fprintf(stderr, "MPIAUDIT_FAULT: unknown condition '%s'\n", condition.c_str());
    std::_Exit(2);
}

}  // namespace faults
