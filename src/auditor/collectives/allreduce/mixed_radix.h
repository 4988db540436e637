// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace mpiaudit {

/// The radices of a mixed system for so many ranks, the largest number up to `ranks` that has one.
struct MixedRadix {
    explicit MixedRadix(int ranks) : survivors{ranks} {
        while (!factorise()) --survivors;
    }
    int survivors;
    std::vector<int> radices = {};

  private:
    bool factorise() {
        radices.clear();
        int rest = survivors;
        for (const int radix : {4, 3, 2, 5, 7})
            for (; rest % radix == 0; rest /= radix) radices.push_back(radix);
        return rest == 1;
    }
};

}  // namespace mpiaudit
