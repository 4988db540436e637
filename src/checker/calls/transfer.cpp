// SPDX-License-Identifier: BSD-3-Clause
#include "calls/transfer.h"

#include <algorithm>

namespace mpiaudit::calls {
namespace {

/// Bytes are about 1 MiB for elements of 4 bytes.
constexpr std::int64_t large_elements = 262'144;

/// Returns the elements of the block from one rank to another. Symmetric, as MPI_IN_PLACE needs it
/// of MPI_Alltoallv.
std::int64_t block_elements(Counts counts, int from, int to, int blocks, int unit) {
    switch (counts) {
        case Counts::one:
            return unit;
        case Counts::three:
            return std::int64_t{3} * unit;
        case Counts::none:
            return 0;
        case Counts::power_of_two:
            return 1024;
        case Counts::above_power_of_two:
            return 1024 + unit;
        case Counts::odd:
            return std::int64_t{12987} / unit * unit;
        case Counts::large:
            return large_elements / std::max(1, blocks) / unit * unit;
        case Counts::some_empty:
            return (from + to) % 2 == 0 ? 0 : std::int64_t{3} * unit;
        case Counts::increasing:
            return std::int64_t{1 + from + to} * unit;
        case Counts::spike:
            return (from + to) % 4 == 1 ? std::int64_t{2000} * unit : unit;
    }
    return unit;
}

class Builder {
  public:
    Builder(const ChosenCall& call, const Group& group, int unit)
        : call_{call}, group_{group}, unit_{unit}, shape_{call.operation().shape} {
        set_root();
    }

    Transfer build() {
        switch (shape_) {
            case Shape::nothing:
                break;
            case Shape::vector:
                if (call_.operation().is_reduction())
                    reduce();
                else
                    broadcast();
                break;
            case Shape::gathered:
            case Shape::gathered_blocks:
                gather();
                break;
            case Shape::scattered:
            case Shape::scattered_blocks:
                scatter();
                break;
            case Shape::received:
            case Shape::received_blocks:
            case Shape::rows:
            case Shape::rows_of_types:
                exchange();
                break;
            case Shape::reduced_block:
            case Shape::reduced_blocks:
                reduce_scatter();
                break;
            case Shape::neighbours:
                exchange_with_neighbours();
                break;
        }
        return std::move(made_);
    }

  private:
    /// The root is on side 0 of an intercommunicator, or on side 1 for the last rank.
    void set_root() {
        const RootRank wanted = call_.root();
        if (!call_.operation().has_root()) return;
        const auto place = [&](int size) {
            return wanted == RootRank::first ? 0 : wanted == RootRank::last ? size - 1 : size / 2;
        };
        if (!group_.is_inter) {
            made_.root = place(group_.size);
            made_.is_root = group_.rank == made_.root;
            root_actor_ = group_.actor(made_.root);
            return;
        }
        const int side_of_root = wanted == RootRank::last ? 1 : 0;
        is_on_side_of_root_ = group_.side == side_of_root;
        const int rank_of_root = place(is_on_side_of_root_ ? group_.size : group_.remote_size);
        made_.is_root = is_on_side_of_root_ && group_.rank == rank_of_root;
        made_.root = made_.is_root ? MPI_ROOT : is_on_side_of_root_ ? MPI_PROC_NULL : rank_of_root;
        root_actor_ = group_.actor(rank_of_root, !is_on_side_of_root_);
    }

    /// Whether this rank gives data to the root or gets data from the root.
    bool is_partner_of_root() const { return !group_.is_inter || !is_on_side_of_root_; }
    int partners() const { return group_.is_inter ? group_.remote_size : group_.size; }
    int partner(int k) const { return group_.actor(k, group_.is_inter); }
    int self() const { return group_.actor(group_.rank); }
    std::int64_t elements(int from, int to) const {
        return block_elements(call_.counts(), from, to, std::max(group_.size, partners()), unit_);
    }
    std::int64_t vector_elements() const { return block_elements(call_.counts(), 0, 0, 1, unit_); }

    void broadcast() {
        const Block block{root_actor_, 0, vector_elements()};
        if (made_.is_root)
            made_.sent = {block};
        else if (is_partner_of_root())
            made_.received = {block};
    }

    void gather() {
        if (is_partner_of_root()) made_.sent = {{self(), 0, elements(group_.rank, 0)}};
        if (!made_.is_root) return;
        for (int k = 0; k < partners(); ++k)
            made_.received.push_back({partner(k), 0, elements(k, 0)});
    }

    void scatter() {
        if (made_.is_root)
            for (int k = 0; k < partners(); ++k) made_.sent.push_back({self(), k, elements(0, k)});
        if (is_partner_of_root())
            made_.received = {{root_actor_, group_.rank, elements(0, group_.rank)}};
    }

    void exchange() {
        const bool is_allgather = call_.operation().collective == "allgather";
        if (is_allgather) {
            made_.sent = {{self(), 0, elements(group_.rank, 0)}};
        } else {
            for (int k = 0; k < partners(); ++k)
                made_.sent.push_back({self(), k, elements(group_.rank, k)});
        }
        for (int k = 0; k < partners(); ++k)
            made_.received.push_back(
                is_allgather ? Block{partner(k), 0, elements(k, 0)}
                             : Block{partner(k), group_.rank, elements(k, group_.rank)});
    }

    void exchange_with_neighbours() {
        const bool is_allgather =
            call_.operation().name.find("allgather") != std::string_view::npos;
        // The sizes of all blocks of a rank in MPI_Neighbor_allgatherv are those of the sender.
        const auto size = [&](int from, int block) {
            return elements(from, is_allgather ? 0 : block);
        };
        if (is_allgather) {
            made_.sent = {{self(), 0, size(group_.rank, 0)}};
        } else {
            for (std::size_t k = 0; k < group_.targets.size(); ++k)
                made_.sent.push_back(
                    {self(), static_cast<int>(k), size(group_.rank, static_cast<int>(k))});
        }
        for (const Source& source : group_.sources) {
            const int block = is_allgather ? 0 : source.block;
            made_.received.push_back(source.rank < 0 ? Block{-1, 0, size(group_.rank, block)}
                                                     : Block{group_.actor(source.rank), block,
                                                             size(source.rank, block)});
        }
    }

    void combine_all_partners() {
        for (int k = 0; k < partners(); ++k) made_.combined.push_back(partner(k));
    }

    void reduce() {
        const std::string_view name = call_.operation().name;
        const std::int64_t all = vector_elements();
        made_.elements = all;
        if (!call_.operation().has_root() || is_partner_of_root()) made_.sent = {{self(), 0, all}};
        if (call_.operation().has_root() && !made_.is_root) return;
        if (name == "MPI_Scan" || name == "MPI_Exscan") {
            const int last = group_.rank - (name == "MPI_Exscan" ? 1 : 0);
            for (int k = 0; k <= last; ++k) made_.combined.push_back(group_.actor(k));
            if (last < 0) return;  // rank 0 gets nothing from MPI_Exscan
        } else {
            combine_all_partners();
        }
        made_.received = {{made_.combined.front(), 0, all}};
    }

    /// Each rank gives the blocks of all ranks of its own group and gets its block of the other
    /// group, whose vectors have the same length.
    void reduce_scatter() {
        // Both sides of an intercommunicator must have the same sum of counts.
        const int blocks = group_.size;
        std::int64_t before = 0, own = 0, all = 0;
        for (int k = 0; k < blocks; ++k) {
            const std::int64_t block = reduced_elements(k);
            made_.scattered.push_back(block);
            if (k < group_.rank) before += block;
            if (k == group_.rank) own = block;
            all += block;
        }
        made_.elements = all;
        made_.begin = before;
        made_.sent = {{self(), 0, all}};
        made_.received = {{partner(0), 0, own}};
        combine_all_partners();
    }

    std::int64_t reduced_elements(int rank) const {
        if (!group_.is_inter) return elements(0, rank);
        // Both groups share a vector of group_.size * remote_size units.
        return block_elements(Counts::one, 0, 0, 1, unit_) * group_.remote_size *
               (call_.counts() == Counts::none ? 0 : 1);
    }

    const ChosenCall& call_;
    const Group& group_;
    int unit_;
    Shape shape_;
    Transfer made_;
    int root_actor_ = 0;
    bool is_on_side_of_root_ = true;
};

}  // namespace

Transfer transfer_of(const ChosenCall& call, const Group& group, int unit) {
    return Builder(call, group, unit).build();
}

}  // namespace mpiaudit::calls
