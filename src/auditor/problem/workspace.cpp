// SPDX-License-Identifier: BSD-3-Clause
#include "problem/workspace.h"

#include <sys/mman.h>

#include <atomic>
#include <cstring>
#include <new>
#include <utility>

#include "device/device.h"
#include "guard/guarded_memory.h"
#include "messages/messages.h"
#include "simulation/simulation.h"

namespace mpiaudit {
namespace {

constexpr std::size_t alignment_bytes = 4096;  // a page: all buffers have the same alignment
constexpr std::size_t guard_bytes = alignment_bytes;
constexpr std::byte cleared{0xa5};
// Larger buffers are mapped: freeing large blocks would change the thresholds of malloc, and so how
// malloc treats the blocks of the MPI library.
constexpr std::size_t mapped_bytes = 128 << 10;
constexpr std::size_t cache_line_bytes = 64;

void flush_cache_line([[maybe_unused]] const std::byte* address) {
#if defined(__x86_64__)
    __builtin_ia32_clflush(address);
#elif defined(__aarch64__)
    asm volatile("dc civac, %0" : : "r"(address) : "memory");
#endif
}

/// Returns fresh memory, or null if the system has none.
std::shared_ptr<std::byte> mapped_memory(std::size_t bytes) {
    void* const memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    return {static_cast<std::byte*>(memory), [bytes](std::byte* start) { munmap(start, bytes); }};
}

std::size_t whole_pages(std::size_t bytes) {
    return (bytes + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
}

bool is_guarded(Memory memory) {
    return memory == Memory::guarded_behind || memory == Memory::guarded_before;
}

/// Padded and unpadded `scattered` sources share a region: the block of a rank is at the same
/// address in both.
Layout source_key(Layout layout) {
    layout.padded = layout.padded || layout.holding == Holding::scattered;
    return layout;
}

/// Targets that differ only in padding share a region.
Layout target_key(Layout layout) {
    layout.padded = true;
    return layout;
}

/// Returns the elements of the source region that holds the layout.
Count region_elements(const Problem& problem, Layout layout, int rank) {
    return elements_held(problem, source_key(layout), rank);
}

/// Returns the elements of each region, by its key: the maximum over the layouts that share the
/// region.
/// \param held region_elements(), or elements_held() if no other layout uses the region
std::map<Layout, Count> most_elements(const Problem& problem, const std::set<Layout>& layouts,
                                      int rank, Layout (*key)(Layout),
                                      Count (*held)(const Problem&, Layout, int)) {
    std::map<Layout, Count> elements;
    for (const Layout layout : layouts) {
        Count& most = elements[key(layout)];
        most = std::max(most, held(problem, layout, rank));
    }
    return elements;
}

}  // namespace

void Needs::add(const Needs& other) {
    sources.insert(other.sources.begin(), other.sources.end());
    targets.insert(other.targets.begin(), other.targets.end());
}

Count Needs::bytes(const Problem& problem, bool of_all_ranks) const {
    const auto holders = [&](Layout layout) {
        return of_all_ranks && layout.holding != Holding::rooted ? problem.ranks() : Count{1};
    };
    Count bytes = 0;
    for (const auto& regions : {most_elements(problem, sources, -1, source_key, region_elements),
                                most_elements(problem, targets, -1, target_key, region_elements)})
        for (const auto& [layout, elements] : regions)
            bytes +=
                holders(layout) * elements * static_cast<Count>(element_bytes(problem, layout));
    return bytes;
}

Workspace::Workspace(const Problem& problem, int rank, const Needs& needs, Memory memory)
    : problem_{problem}, rank_{rank}, memory_{memory} {
    if (memory == Memory::shared)
        share(needs);
    else
        allocate(needs, memory);
    MPI_Datatype packed{};
    MPI_Type_contiguous(narrow(static_cast<Count>(problem.element->data_bytes())), MPI_PACKED,
                        &packed);
    MPI_Type_commit(&packed);
    packed_type_ = OwnedDatatype{packed};
    // This throws if a count does not fit an int, before any arrow is prepared.
    for (const auto* layouts : {&needs.sources, &needs.targets}) {
        for (const Layout layout : *layouts) extents(layout);
    }
}

void Workspace::allocate(const Needs& needs, Memory memory) {
    // A guarded region has the exact size, so that accesses behind it are found.
    const auto held = is_guarded(memory) ? elements_held : region_elements;
    for (const auto& [layout, elements] :
         most_elements(problem_, needs.sources, rank_, source_key, held))
        sources_[layout] = allocate(elements, extent(layout), memory, problem_.memory.sent);
    for (const auto& [layout, elements] :
         most_elements(problem_, needs.targets, rank_, target_key, region_elements))
        targets_[layout] = allocate(elements, extent(layout), memory, problem_.memory.received);
}

Workspace::Region Workspace::allocate(Count elements, std::size_t extent, Memory memory,
                                      MemoryKind kind) {
    Region region;
    region.bytes = static_cast<std::size_t>(elements) * extent;
    if (memory == Memory::phantom) {
        std::byte* const address = messages::recorder->phantom_memory().allocate(region.bytes);
        region.memory = std::shared_ptr<std::byte>(address, [](std::byte*) {});
        return region;
    }
    if (is_guarded(memory) && kind == MemoryKind::host) {
        GuardedMemory guarded = guarded_memory(
            region.bytes, memory == Memory::guarded_behind ? Flush::behind : Flush::before);
        region = {std::move(guarded.data), region.bytes, guarded.before, guarded.behind};
    } else {
        region = allocate_own(region.bytes, kind);
    }
    messages::fill(region.memory.get() - region.before, cleared,
                   region.before + region.bytes + region.behind);
    return region;
}

/// Allocates memory with a page before and a page behind it, which damage() checks. Timed buffers
/// have these pages, too; the pages cost no time.
Workspace::Region Workspace::allocate_own(std::size_t bytes, MemoryKind kind) {
    const std::size_t all = guard_bytes + whole_pages(bytes) + guard_bytes;
    std::shared_ptr<std::byte> memory;
    if (kind != MemoryKind::host)
        memory = device::allocate(kind, all);
    else if (all < mapped_bytes)
        memory = {static_cast<std::byte*>(std::aligned_alloc(alignment_bytes, all)), &std::free};
    else
        memory = mapped_memory(all);
    if (memory == nullptr) throw std::bad_alloc();
    std::byte* const data = memory.get() + guard_bytes;
    return {{std::move(memory), data}, bytes, guard_bytes, guard_bytes};
}

void Workspace::share(const Needs& needs) {
    // The size is that of the rank with the most data, so that all ranks request the same size.
    const auto most_bytes = [&](const std::set<Layout>& layouts) {
        std::size_t most = 0;
        for (const Layout layout : layouts) {
            const Count elements = region_elements(problem_, layout, -1);
            most = std::max(most, static_cast<std::size_t>(elements) * extent(layout));
        }
        return whole_pages(most);
    };
    const std::size_t source_bytes = most_bytes(needs.sources);
    const std::size_t target_bytes = most_bytes(needs.targets);
    const auto stretch = simulation::shared_stretch(source_bytes + target_bytes);
    const std::shared_ptr<std::byte> targets(stretch, stretch.get() + source_bytes);
    for (const Layout layout : needs.sources)
        sources_[source_key(layout)] = {stretch, source_bytes, 0, 0};
    for (const Layout layout : needs.targets)
        targets_[target_key(layout)] = {targets, target_bytes, 0, 0};
}

Place Workspace::source(Layout layout) const {
    return place(sources_.at(source_key(layout)), layout);
}

Place Workspace::target(Layout layout) const {
    return place(targets_.at(target_key(layout)), layout);
}

template <class Visit>
void Workspace::visit_regions(const Visit& visit) const {
    for (const auto* regions : {&sources_, &targets_}) {
        for (const auto& [layout, region] : *regions) visit(region);
    }
    for (const auto& each : scratch_) {
        if (const auto region = each.lock()) visit(*region);
    }
}

void Workspace::clear_targets(const std::set<Layout>& layouts) {
    for (const Layout layout : layouts) {
        const Region& region = targets_.at(target_key(layout));
        messages::fill(region.memory.get(), cleared, region.bytes);
    }
    visit_regions([](const Region& region) {
        messages::fill(region.memory.get() - region.before, cleared, region.before);
        messages::fill(region.memory.get() + region.bytes, cleared, region.behind);
    });
}

std::shared_ptr<std::byte> Workspace::scratch(std::size_t bytes,
                                              std::optional<MemoryKind> kind) const {
    const Memory memory = is_guarded(memory_) ? memory_ : Memory::own;
    if (memory_ == Memory::phantom) kind = MemoryKind::host;
    const auto region = std::make_shared<Region>(
        allocate(static_cast<Count>(bytes), 1, memory, kind.value_or(problem_.memory.received)));
    std::erase_if(scratch_, [](const auto& each) { return each.expired(); });
    scratch_.push_back(region);
    return {region, region->memory.get()};
}

std::size_t Workspace::cached_bytes() const {
    std::size_t bytes = 0;
    visit_regions([&](const Region& region) { bytes += whole_pages(region.bytes); });
    return bytes;
}

bool Workspace::can_flush() {
#if defined(__x86_64__) || defined(__aarch64__)
    return true;
#else
    return false;
#endif
}

void Workspace::flush() const {
    visit_regions([](const Region& region) {
        for (std::size_t at = 0; at < region.bytes; at += cache_line_bytes)
            flush_cache_line(region.memory.get() + at);
    });
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

const char* Workspace::damage() const {
    // The bytes are all equal if the memory equals itself shifted by one byte; memcmp compares
    // whole words, because this runs after every verified call.
    std::vector<std::byte> copy;
    const auto is_cleared = [&](const std::byte* start, std::size_t bytes) {
        if (device::holds(start)) {
            copy.resize(bytes);
            messages::copy(copy.data(), start, bytes);
            start = copy.data();
        }
        return bytes == 0 || (*start == cleared && std::memcmp(start, start + 1, bytes - 1) == 0);
    };
    const char* found = nullptr;
    visit_regions([&](const Region& region) {
        if (found != nullptr) return;
        const std::byte* const data = region.memory.get();
        if (!is_cleared(data + region.bytes, region.behind))
            found = "wrote behind the end of a buffer";
        else if (!is_cleared(data - region.before, region.before))
            found = "wrote before the start of a buffer";
    });
    return found;
}

HostView::HostView(const Place& place) : original_{place.data}, seen_{place} {
    if (!device::holds(place.data)) return;
    copy_.resize(place.bytes_to_end());
    messages::copy(copy_.data(), place.data, copy_.size());
    seen_.data = copy_.data();
}

void HostView::write_back() const {
    if (!copy_.empty()) messages::copy(original_, copy_.data(), copy_.size());
}

void touch(const MemoryBlocks& blocks) {
    for (const std::span<volatile std::byte> block : blocks) {
        for (std::size_t at = 0; at < block.size(); at += cache_line_bytes) block[at] = block[at];
    }
}

}  // namespace mpiaudit
