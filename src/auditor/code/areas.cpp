// SPDX-License-Identifier: BSD-3-Clause
#include "code/areas.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mpiaudit {

Areas::Areas(std::vector<Area> known, const std::vector<RecordedStep>& steps,
             const ElementType& element)
    : all_{std::move(known)}, element_{element} {
    for (const RecordedStep& each : steps)
        if (each.what == RecordedStep::What::allocate) add(each.data.front());
    std::vector<Run> others;
    for (const RecordedStep& each : steps)
        for (const auto* runs : {&each.data, &each.other})
            std::ranges::copy_if(*runs, std::back_inserter(others),
                                 [&](const Run& run) { return find(run.address) == nullptr; });
    add_joined(std::move(others));
}

Piece Areas::piece_of(const Run& run) const {
    const Area* const area = find(run.address);
    return {area->buffer, static_cast<std::int64_t>(run.address - area->begin), run.count,
            run.are_elements ? TypeNumber::element : TypeNumber::byte};
}

const Area* Areas::find(std::uintptr_t address) const {
    const auto found =
        std::ranges::find_if(all_, [&](const Area& each) { return each.holds(address); });
    return found == all_.end() ? nullptr : &*found;
}

void Areas::add(const Run& run) {
    if (run.count == 0) return;
    all_.push_back(
        {run.address, end_of(run), BufferNumber::temporary + static_cast<int>(temporary_.size())});
    temporary_.push_back(static_cast<std::int64_t>(end_of(run) - run.address));
}

void Areas::add_joined(std::vector<Run> runs) {
    constexpr std::uintptr_t alignment = 64;
    std::ranges::sort(runs, {}, &Run::address);
    for (std::size_t i = 0; i < runs.size();) {
        const std::uintptr_t begin = runs[i].address / alignment * alignment;
        std::uintptr_t end = end_of(runs[i]);
        for (++i; i < runs.size() && runs[i].address <= end; ++i)
            end = std::max(end, end_of(runs[i]));
        add({begin, static_cast<std::int64_t>(end - begin), false});
    }
}

}  // namespace mpiaudit
