// SPDX-License-Identifier: BSD-3-Clause
#include "code/runs.h"

#include <stdexcept>

#include "collectives/datatypes/layout.h"

namespace mpiaudit {
namespace {

/// Collects the runs of datatypes.
class Runs {
  public:
    explicit Runs(const ElementType& element) : element_{element} {}

    void add(std::uintptr_t address, std::int64_t count, MPI_Datatype type) {
        if (count == 0) return;
        if (type == element_.type) return join({address, count, true});
        const TypeContents contents(type);
        if (contents.is_predefined()) return join({address, count * type_bytes(type), false});
        if (contents.combiner == MPI_COMBINER_DUP) return add(address, count, contents.types[0]);
        if (contents.combiner == MPI_COMBINER_CONTIGUOUS)
            return add(address, count * contents.integers[0], contents.types[0]);
        if (contents.types.empty()) return;  // a struct without blocks
        const MPI_Aint extent = type_extent(type);
        for (std::int64_t i = 0; i < count; ++i)
            add_one(address + static_cast<std::uintptr_t>(i * extent), contents);
    }
    std::vector<Run> take() { return std::move(all_); }

  private:
    /// Adds the blocks of one instance of a type.
    void add_one(std::uintptr_t address, const TypeContents& contents) {
        const auto at = [&](MPI_Aint bytes) {
            return address + static_cast<std::uintptr_t>(bytes);
        };
        const std::vector<int>& integers = contents.integers;
        const MPI_Datatype part = contents.types.front();
        switch (contents.combiner) {
            case MPI_COMBINER_RESIZED:
                return add(address, 1, part);
            case MPI_COMBINER_VECTOR:
                for (int i = 0; i < integers[0]; ++i)
                    add(at(MPI_Aint{i} * integers[2] * type_extent(part)), integers[1], part);
                return;
            case MPI_COMBINER_HVECTOR:
                for (int i = 0; i < integers[0]; ++i)
                    add(at(i * contents.addresses[0]), integers[1], part);
                return;
            case MPI_COMBINER_INDEXED_BLOCK:
                for (int i = 0; i < integers[0]; ++i)
                    add(at(integers[static_cast<std::size_t>(2 + i)] * type_extent(part)),
                        integers[1], part);
                return;
            default:
                return add_listed(address, contents);
        }
    }

    /// Adds the blocks of a type that lists their lengths.
    void add_listed(std::uintptr_t address, const TypeContents& contents) {
        const std::vector<int>& integers = contents.integers;
        const auto blocks = static_cast<std::size_t>(integers[0]);
        const bool is_struct = contents.combiner == MPI_COMBINER_STRUCT;
        const bool is_indexed = contents.combiner == MPI_COMBINER_INDEXED;
        const bool has_one_length = contents.combiner == MPI_COMBINER_HINDEXED_BLOCK;
        if (!is_struct && !is_indexed && !has_one_length &&
            contents.combiner != MPI_COMBINER_HINDEXED)
            throw std::invalid_argument("a datatype of the algorithm cannot be written in C");
        for (std::size_t i = 0; i < blocks; ++i) {
            const MPI_Datatype part = contents.types[is_struct ? i : 0];
            const MPI_Aint bytes =
                is_indexed ? integers[1 + blocks + i] * type_extent(part) : contents.addresses[i];
            add(address + static_cast<std::uintptr_t>(bytes), integers[has_one_length ? 1 : 1 + i],
                part);
        }
    }

    void join(const Run& run) {
        if (!all_.empty()) {
            Run& last = all_.back();
            if (last.are_elements == run.are_elements &&
                last.address + static_cast<std::uintptr_t>(element_.bytes(last)) == run.address) {
                last.count += run.count;
                return;
            }
        }
        if (run.count > 0) all_.push_back(run);
    }

    const ElementType& element_;
    std::vector<Run> all_;
};

}  // namespace

std::vector<Run> runs_of(const Observer::Data& data, const ElementType& element) {
    Runs runs(element);
    runs.add(reinterpret_cast<std::uintptr_t>(data.address), data.count, data.type);
    return runs.take();
}

}  // namespace mpiaudit
