// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace mpiaudit {

/// Where Zero-copy Bruck on `ranks` ranks can keep the elements on their way, so that it needs as
/// few intermediate places as any schedule of its messages does without copies. Known to every rank
/// alike; see docs/zero-copy-alltoall.md for why it is right and optimal.
///
/// A place below `ranks` is R[rank + place], any other one element place - ranks of the
/// intermediate buffer.
class HalfBuffer {
  public:
    explicit HalfBuffer(int ranks);
    /// Where element j comes to rest in round k; bit k of j is one.
    int arrival(int k, int j) const { return arrivals_[k][j]; }
    /// Where element j leaves from in round k; bit k of j is one, and a lower one too (else it
    /// leaves from the send buffer).
    int departure(int k, int j) const { return departures_[k][j]; }
    int intermediate_elements() const { return intermediate_elements_; }

  private:
    std::vector<std::vector<int>> arrivals_;    ///< [k][j]
    std::vector<std::vector<int>> departures_;  ///< [k][j]
    int intermediate_elements_ = 0;
};

}  // namespace mpiaudit
