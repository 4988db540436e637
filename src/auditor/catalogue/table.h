// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/arrow.h"
#include "catalogue/bind.h"

namespace mpiaudit {

/// What the arrows of all functions with one signature have in common.
///
/// A table has a struct for each signature, with `common` and a template `by<function>` that
/// prepares a function with this signature; a template `in_place<function>` if MPI_IN_PLACE may
/// stand for a buffer, and `input` if that is the buffer of what is sent.
struct Common {
    std::string_view collective;
    Holding from;
    Holding to;
    unsigned needs = anything;
    std::string_view in_place = {};  ///< says behind the operation's name what is in place
    unsigned in_place_needs = anything;
    std::optional<Holding> in_place_scratch = {};
};

/// An operation of the MPI library. Its blocking, non-blocking, persistent and in-place arrows
/// follow.
struct NativeOperation {
    Common common;
    std::string_view name;  ///< MPI_Gather
    std::string_view summary;
    Prepare blocking;
    Prepare nonblocking;
    Prepare persistent;
    Prepare persistent_once;
    Prepare in_place;           ///< null where nothing can be
    Input input;                ///< of that; null where only the result is in place
    unsigned persistent_needs;  ///< not_in_this_mpi where the library has no such form

    std::vector<Arrow> started_forms() const;
    std::optional<Arrow> in_place_form() const;
};

/// MPI_Igather of MPI_Gather.
std::string nonblocking_name(std::string_view blocking);

/// Where the data of an operation in place are that puts its result in their place.
inline Place replaced_by_result(const Instance& instance, const Place& from, Layout to) {
    Place there = from;
    there.data = instance.target(to).data;
    return there;
}

/// And where it puts its result.
inline Place in_place_of(const Place& from, const Instance& instance, Layout to) {
    Place result = instance.target(to);
    result.data = from.data;
    return result;
}

/// The native operation with these functions, of which the last may be absent (see persistent.h).
template <class Signature, auto blocking, auto nonblocking, auto persistent>
constexpr NativeOperation native(std::string_view name, std::string_view summary) {
    Prepare in_place = nullptr;
    if constexpr (requires { &Signature::template in_place<blocking>; })
        in_place = Signature::template in_place<blocking>;
    Input input = nullptr;
    if constexpr (requires { &Signature::input; }) input = Signature::input;
    return {Signature::common,
            name,
            summary,
            Signature::template by<blocking>,
            Signature::template by<nonblocking>,
            Signature::template by<persistent>,
            Signature::template by<used_once<persistent>()>,
            in_place,
            input,
            presence<persistent>()};
}

/// An algorithm of the literature; `needs` are those that it has besides those of its signature.
Arrow reference(const Common& common, std::string_view name, std::string_view summary,
                Prepare prepare, unsigned needs = anything);

/// The same for a function with the signature of its MPI counterpart.
template <class Signature, auto function>
Arrow reference(std::string_view name, std::string_view summary, unsigned needs = anything) {
    return reference(Signature::common, name, summary, Signature::template by<function>, needs);
}

/// The arrows of one collective, in the order of every list.
struct Table {
    std::vector<NativeOperation> operations = {};
    std::vector<Arrow> other_uses = {};  ///< between other layouts than the natural ones
    std::vector<Arrow> algorithms = {};
};

std::vector<Arrow> arrows(const Table& table);

}  // namespace mpiaudit
