// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/written_as.h"

namespace mpiaudit {
namespace {

std::string without_brackets(const std::string& name) {
    return name.substr(0, name.find('['));
}

/// Open MPI 4 has them as extensions.
std::string persistent_name(const std::string& name) {
#if defined(MPIAUDIT_HAS_MPIX_PERSISTENT) && !defined(MPIAUDIT_HAS_MPI4_PERSISTENT)
    return "MPIX_" + name.substr(name.find('_') + 1);
#else
    return name;
#endif
}

std::string reference_name(const Arrow& arrow) {
    // What costs more than its calls nobody can have.
    if ((arrow.needs & a_network) != 0 || !arrow.stands_for().empty()) return "";
    // These are timed without their preparation, and called in the same parts.
    const bool is_prepared = arrow.name.starts_with("persBruck");
    return "mpiaudit::" + arrow.name + (is_prepared ? "_init" : "");
}

}  // namespace

std::string written_as(const Arrow& arrow) {
    switch (arrow.kind) {
        case Kind::chosen:
            return arrow.algorithm->environment();
        case Kind::persistent:
            return persistent_name(arrow.name);
        case Kind::reference:
            return reference_name(arrow);
        case Kind::view:
            return "";
        case Kind::local:
            return arrow.is_silent() ? "" : arrow.name;
        case Kind::native:
        case Kind::nonblocking:
        case Kind::in_place:
        case Kind::variant:
        case Kind::agreement:
        case Kind::packing:
        case Kind::unpacking:
            break;
    }
    return without_brackets(arrow.name);
}

}  // namespace mpiaudit
