// SPDX-License-Identifier: BSD-3-Clause
#include "device/device.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "messages/messages.h"

namespace mpiaudit::device {
namespace {

/// The functions of a vendor. CUDA and HIP have the same functions but for their prefix.
struct Functions {
    int (*allocate)(void** address, std::size_t bytes);
    int (*allocate_managed)(void** address, std::size_t bytes, unsigned flags);
    int (*release)(void* address);
    int (*copy)(void* to, const void* from, std::size_t bytes, int direction);
    int (*copy_rows)(void* to, std::size_t to_distance, const void* from, std::size_t from_distance,
                     std::size_t bytes_of_row, std::size_t rows, int direction);
    int (*fill)(void* address, int byte, std::size_t bytes);
    int (*synchronise)();
    int (*count_devices)(int* count);
    int (*choose_device)(int device);
    const char* (*text_of_error)(int code);
};

/// cudaMemcpyDefault and hipMemcpyDefault: the addresses tell the direction.
constexpr int direction_by_address = 4;
/// cudaMemAttachGlobal and hipMemAttachGlobal.
constexpr unsigned for_all_streams = 1;

struct Vendor {
    std::string_view prefix;             ///< of its functions
    std::span<const char* const> files;  ///< of its library, the newest first
    std::string_view software;           ///< the name under which users install the library
};
constexpr const char* cuda_files[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0",
                                      "libcudart.so"};
constexpr const char* hip_files[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                     "libamdhip64.so"};
constexpr Vendor cuda{"cuda", cuda_files, "CUDA"};
constexpr Vendor hip{"hip", hip_files, "ROCm"};

struct Allocation {
    std::size_t bytes;
    MemoryKind kind;
};
/// The devices in use, and the allocations by their addresses.
struct Used {
    const Vendor* vendor;
    Functions functions;
    std::map<std::uintptr_t, Allocation> allocations = {};
    /// Temporary memory in use, by its address, and such memory for later use, by kind and bytes.
    std::map<std::byte*, std::shared_ptr<std::byte>> temporary = {};
    std::map<std::pair<MemoryKind, std::size_t>, std::vector<std::shared_ptr<std::byte>>> spare =
        {};
};
Used* used = nullptr;

/// Sets a function of the table. Returns its name if the library lacks the function.
template <class F>
std::optional<std::string> find(void* library, std::string_view prefix, const char* name,
                                F*& function) {
    const std::string whole = std::string(prefix) + name;
    function = reinterpret_cast<F*>(dlsym(library, whole.c_str()));
    return function == nullptr ? std::optional(whole) : std::nullopt;
}

/// Returns the name of the first function that the library lacks; nullopt if it has all.
std::optional<std::string> fill_table(void* library, std::string_view prefix, Functions& table) {
    std::optional<std::string> missing;
    const auto set = [&](const char* name, auto& function) {
        if (!missing) missing = find(library, prefix, name, function);
    };
    set("Malloc", table.allocate);
    set("MallocManaged", table.allocate_managed);
    set("Free", table.release);
    set("Memcpy", table.copy);
    set("Memcpy2D", table.copy_rows);
    set("Memset", table.fill);
    set("DeviceSynchronize", table.synchronise);
    set("GetDeviceCount", table.count_devices);
    set("SetDevice", table.choose_device);
    set("GetErrorString", table.text_of_error);
    return missing;
}

void require(int code, std::string_view function) {
    if (code == 0) return;
    throw std::runtime_error(fmt::format("{}{} failed: {}", used->vendor->prefix, function,
                                         used->functions.text_of_error(code)));
}

/// Waits for the device: copies and fills may return before they are done, and a call that is
/// timed must neither wait for them nor miss them.
void synchronise() {
    require(used->functions.synchronise(), "DeviceSynchronize");
}

void copy(void* to, const void* from, std::size_t bytes) {
    if (!holds(to) && !holds(from)) {
        std::memcpy(to, from, bytes);
        return;
    }
    require(used->functions.copy(to, from, bytes, direction_by_address), "Memcpy");
    synchronise();
}

void fill(void* to, int byte, std::size_t bytes) {
    if (!holds(to)) {
        std::memset(to, byte, bytes);
        return;
    }
    require(used->functions.fill(to, byte, bytes), "Memset");
    synchronise();
}

/// Reuses memory, as malloc() does on the host: a device allocates in more time than a call takes.
std::byte* allocate_near(const void* near, std::size_t bytes) {
    const MemoryKind kind = kind_of(near);
    if (kind == MemoryKind::host) return nullptr;
    const std::size_t room = std::bit_ceil(bytes);
    auto& spare = used->spare[{kind, room}];
    if (spare.empty()) spare.push_back(allocate(kind, room));
    std::byte* const address = spare.back().get();
    used->temporary[address] = std::move(spare.back());
    spare.pop_back();
    return address;
}

void release(std::byte* address) {
    const auto& [bytes, kind] = used->allocations.at(reinterpret_cast<std::uintptr_t>(address));
    used->spare[{kind, bytes}].push_back(std::move(used->temporary.extract(address).mapped()));
}

constexpr messages::DeviceMemory memory{allocate_near, release, copy, fill};

}  // namespace

std::optional<std::string> use(MemoryKind kind, int local_rank) {
    if (kind == MemoryKind::host || used != nullptr) return std::nullopt;
    const Vendor& vendor = kind == MemoryKind::hip ? hip : cuda;
    void* library = nullptr;
    const char* loaded = nullptr;
    for (const char* file : vendor.files) {
        if (library == nullptr) library = dlopen(loaded = file, RTLD_NOW | RTLD_GLOBAL);
    }
    if (library == nullptr)
        return fmt::format(
            "none of the libraries {} can be loaded; install {}, or put the folder of the library "
            "into LD_LIBRARY_PATH",
            fmt::join(vendor.files, ", "), vendor.software);
    Functions functions{};
    if (const auto missing = fill_table(library, vendor.prefix, functions))
        return fmt::format("{} lacks the function {}; install a newer {}", loaded, *missing,
                           vendor.software);
    int devices = 0;
    const int counted = functions.count_devices(&devices);
    if (counted != 0 || devices == 0)
        return fmt::format(
            "{} finds no device{}; start the ranks on a node with a device", loaded,
            counted == 0 ? "" : fmt::format(" ({})", functions.text_of_error(counted)));
    const int own = local_rank % devices;
    if (const int code = functions.choose_device(own); code != 0)
        return fmt::format(
            "device {} of {} cannot be used ({}); end programs that use the device alone", own,
            devices, functions.text_of_error(code));
    // Never freed: buffers may be released while static objects are destroyed.
    used = new Used{&vendor, functions};
    messages::device_memory = &memory;
    return std::nullopt;
}

std::shared_ptr<std::byte> allocate(MemoryKind kind, std::size_t bytes) {
    if (kind == MemoryKind::host) return {new std::byte[bytes], std::default_delete<std::byte[]>()};
    void* address = nullptr;
    const int code = kind == MemoryKind::managed
                         ? used->functions.allocate_managed(&address, bytes, for_all_streams)
                         : used->functions.allocate(&address, bytes);
    if (code != 0)
        throw std::runtime_error(fmt::format(
            "--memory-kind {}: a buffer of {} bytes cannot be allocated ({}); give smaller "
            "--block-sizes, or limit the buffers of a rank by --memory",
            name(kind), bytes, used->functions.text_of_error(code)));
    used->allocations[reinterpret_cast<std::uintptr_t>(address)] = {bytes, kind};
    return {static_cast<std::byte*>(address), [](std::byte* start) {
                used->allocations.erase(reinterpret_cast<std::uintptr_t>(start));
                used->functions.release(start);
            }};
}

MemoryKind kind_of(const void* address) {
    if (used == nullptr || address == nullptr) return MemoryKind::host;
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    const auto next = used->allocations.upper_bound(at);
    if (next == used->allocations.begin()) return MemoryKind::host;
    const auto& [start, allocation] = *std::prev(next);
    return at < start + allocation.bytes ? allocation.kind : MemoryKind::host;
}

void copy_column(const Column& to, const Column& from, std::size_t bytes, std::size_t count) {
    require(used->functions.copy_rows(to.start, to.distance, from.start, from.distance, bytes,
                                      count, direction_by_address),
            "Memcpy2D");
    synchronise();
}

}  // namespace mpiaudit::device
