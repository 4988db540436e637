// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace mpiaudit::repair {

/// An audit of a library on 4 ranks of two hosts, in 7 launches. Problems are added one by one.
class SlowLibrary {
  public:
    SlowLibrary();

    struct Size {
        std::string collective;
        std::vector<std::int64_t> counts;
        std::string element = "int", op = "sum";
        int root = 0;
    };
    /// The ways take as long as the library divided by these factors; one above 1.05 is a
    /// violation.
    std::string add(const Size& size, const std::vector<std::pair<std::string, double>>& ways);

    Report report;
};

}  // namespace mpiaudit::repair
