// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace mpiaudit {

/// A function whose first argument is known, with the others as its own: it has the signature of
/// its MPI counterpart.
template <auto function, auto first>
struct By;
template <class First, class... Arguments, int (*function)(First, Arguments...), First first>
struct By<function, first> {
    static int call(Arguments... arguments) { return function(first, arguments...); }
};
template <auto function, auto first>
inline constexpr auto& by = By<function, first>::call;

}  // namespace mpiaudit
