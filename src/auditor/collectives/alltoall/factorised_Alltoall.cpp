// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "collectives/alltoall/alltoall.h"
#include "collectives/call/copy.h"
#include "collectives/call/integers.h"
#include "collectives/patterns/reduction.h"

namespace mpiaudit {
namespace {

/// Ranks row by row; the blocks for a rank go first to its column, in the row of their source, and
/// then down that.
class AlltoallGrid {
  public:
    explicit AlltoallGrid(const Ranks& ranks)
        : ranks_{ranks},
          rows_{largest_divisor_to_root(ranks.size)},
          columns_{ranks.size / rows_},
          row_{ranks.rank / columns_},
          column_{ranks.rank % columns_} {}

    /// `passing` has the blocks for all rows, each row's by the column that they are from.
    void in_rows(const Blocks& send, const Blocks& passing) const {
        messages::Requests requests;
        for (int distance = 1; distance < columns_; ++distance) {
            const int from = modulo(column_ - distance, columns_);
            start(requests, false, passing.message(of_column(from)), row_ * columns_ + from);
        }
        for (int distance = 1; distance < columns_; ++distance) {
            const int to = modulo(column_ + distance, columns_);
            start(requests, true, send.message(of_column(to)), row_ * columns_ + to);
        }
        copy_to_oneself(send.message(of_column(column_)), passing.message(of_column(column_)),
                        ranks_);
        requests.wait_for_all();
    }

    void in_columns(const Blocks& passing, const Blocks& receive) const {
        messages::Requests requests;
        for (int distance = 1; distance < rows_; ++distance) {
            const int from = modulo(row_ - distance, rows_);
            start(requests, false, receive.message(from * columns_, columns_),
                  from * columns_ + column_);
        }
        for (int distance = 1; distance < rows_; ++distance) {
            const int to = modulo(row_ + distance, rows_);
            start(requests, true, passing.message(to * columns_, columns_),
                  to * columns_ + column_);
        }
        copy_to_oneself(passing.message(row_ * columns_, columns_),
                        receive.message(row_ * columns_, columns_), ranks_);
        requests.wait_for_all();
    }

  private:
    std::vector<int> of_column(int column) const {
        std::vector<int> blocks;
        for (int row = 0; row < rows_; ++row) blocks.push_back(row * columns_ + column);
        return blocks;
    }
    void start(messages::Requests& requests, bool is_send, const TypedBuffer& data,
               int other) const {
        if (data.count == 0) return;
        if (is_send)
            ranks_.start_send(requests, data, other);
        else
            ranks_.start_receive(requests, data, other);
    }

    const Ranks& ranks_;
    int rows_, columns_;
    int row_, column_;
};

}  // namespace

int exchange_on_grid(const Blocks& send, const Blocks& receive, const Ranks& ranks) {
    if (!fit_int(receive)) return MPI_ERR_COUNT;
    const AlltoallGrid grid{ranks};
    const OperandBuffer memory{static_cast<int>(receive.begin(ranks.size)), receive.type()};
    const Blocks passing = receive.in(memory.get());
    grid.in_rows(send, passing);
    grid.in_columns(passing, receive);
    return MPI_SUCCESS;
}

}  // namespace mpiaudit
