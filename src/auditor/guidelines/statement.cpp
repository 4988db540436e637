// SPDX-License-Identifier: BSD-3-Clause
// Defines parse_statement() of guideline.h.
#include "guidelines/guideline.h"

namespace mpiaudit {

Statement parse_statement(std::string_view text) {
    WayReader reader(text);
    Statement statement{std::string(text), {}, {}};
    statement.left.way = reader.way(&statement.left.columns);
    if (!reader.accept("<=") && !reader.accept("⪯")) reader.fail("expected '<=' or '+' here");
    statement.right.way = reader.way(&statement.right.columns);
    if (!reader.is_at_end()) reader.fail("expected '+' or the end here");
    return statement;
}

}  // namespace mpiaudit
