// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <string_view>

#include "problem/workspace.h"

namespace mpiaudit {

/// What the clock sees: no arguments, no allocation, no result.
using Call = std::function<void()>;

/// Where an arrow is prepared: the buffers of a problem and the communicator that runs it.
struct Setting {
    Workspace& workspace;
    MPI_Comm comm;

    const Problem& problem() const { return workspace.problem(); }
    MPI_Datatype type() const { return problem().element->type(); }
    int root() const { return problem().root; }
    bool is_root() const { return workspace.rank() == root(); }
};

/// A prepared arrow: the call that moves the data (empty for a free view) and where it puts them.
struct Step {
    Call call;
    Place result;
};

/// What stands in the parentheses of a term: MPI_Gather(m), MPI_Gather(m'), MPI_Allreduce(1).
enum class Argument { whole, padded, one };

/// What an arrow is, and so where it may stand.
enum class Kind {
    native,     ///< an operation of the MPI library
    reference,  ///< an algorithm of the literature with the signature of its MPI counterpart
    agreement,  ///< the ranks agree on the largest block: X -> padded X
    view,       ///< costs nothing: the data are there already
    local,      ///< moves data within each rank, at a cost
};

/// When an arrow may be used, in words for the report and as a test.
struct Condition {
    std::string_view text = "always";
    bool (*holds)(const Problem&) = [](const Problem&) { return true; };
};

/// One way to turn a layout into another. Its ends are the holdings, both padded or both not, but
/// for an agreement, which pads, and a view that drops the padding.
struct Arrow {
    std::string_view name;        ///< as in the MPI standard or in the paper
    std::string_view collective;  ///< the family, which is the folder of its algorithms
    Kind kind;
    Holding from;
    Holding to;
    std::string_view summary;  ///< one sentence that says how it moves data
    /// Allocates whatever the call will need and binds its arguments. Collective.
    Step (*prepare)(const Setting& setting, const Place& from, bool padded);
    Condition condition = {};  ///< of the unpadded form: padded blocks are all equal

    /// The ends of the arrow when it stands for padded blocks, and when not.
    Layout source(bool padded) const { return {from, padded && kind != Kind::agreement}; }
    Layout target(bool padded) const { return {to, padded && !drops_padding()}; }
    bool drops_padding() const { return kind == Kind::view && from == to; }
};

}  // namespace mpiaudit
