// SPDX-License-Identifier: BSD-3-Clause
// Imitates the library of a vendor of devices, for tests on machines without a device. Preloaded
// before the MPI library, and found as the library of CUDA and as the library of ROCm.
//
// The memory of the device is accessible during the functions of this file and during calls of MPI
// (wrappers.py), and at no other time. So every access by mpiaudit itself crashes.
//
// IMITATED_DEVICES is the number of devices (default 1), IMITATED_KINDS the value of
// mpi_memory_alloc_kinds (default: no such key). With IMITATED_ACCESS=0 the memory stays
// inaccessible during calls of MPI, which then crash like a library without support for devices.
// With IMITATED_WRONG=1 copies to the host change a byte.
// IMITATED_SEEN names a file that gets a line for each function and each place of large buffers:
// "MPI_Gather host" or "MPI_Gather device". IMITATED_VARIABLE is the name under which the control
// variable opal_built_with_cuda_support appears.
#include "imitation.h"

#include <mpi.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace {

constexpr std::size_t arena_bytes = std::size_t{1} << 30;
constexpr std::size_t page_bytes = 4096;
/// More than control data, and than the blocks that messages with control data carry.
constexpr std::int64_t large_bytes = 5000;
enum { done = 0, invalid_value = 1, out_of_memory = 2, no_device = 100, invalid_device = 101 };

std::mutex mutex;
int calls_inside = 0;

/// The memory of the device; first fit. Never destroyed, because memory is released at the very
/// end.
struct Arena {
    std::byte* start = static_cast<std::byte*>(
        mmap(nullptr, arena_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    std::size_t used_bytes = 0;  ///< from the start to the end of the last allocation so far
    std::map<std::size_t, std::size_t> allocations;  ///< bytes, by the offset

    void protect(int access) const {
        if (used_bytes > 0 && mprotect(start, used_bytes, access) != 0) std::abort();
    }
    /// Returns the offset of free memory.
    std::size_t free_place(std::size_t bytes) const {
        std::size_t place = 0;
        for (const auto& [offset, size] : allocations) {
            if (place + bytes <= offset) break;
            place = offset + size;
        }
        return place;
    }
    bool contains(const void* address) const {
        const auto* at = static_cast<const std::byte*>(address);
        return at >= start && at < start + arena_bytes;
    }
    /// Returns whether all bytes are in one allocation, or none is in the arena.
    bool is_valid(const void* address, std::size_t bytes) const {
        const auto* at = static_cast<const std::byte*>(address);
        if (at + bytes <= start || at >= start + arena_bytes) return true;
        const auto offset = static_cast<std::size_t>(at - start);
        const auto next = allocations.upper_bound(offset);
        if (next == allocations.begin()) return false;
        const auto& [first, size] = *std::prev(next);
        return offset + bytes <= first + size;
    }
};

Arena& arena() {
    static Arena* const only = new Arena;
    return *only;
}

int number(const char* variable, int otherwise) {
    const char* const text = std::getenv(variable);
    return text == nullptr ? otherwise : std::atoi(text);
}

int allocate(void** address, std::size_t bytes) {
    const std::lock_guard lock(mutex);
    Arena& all = arena();
    const std::size_t pages = (bytes + page_bytes) / page_bytes * page_bytes;
    const std::size_t place = all.free_place(pages);
    if (place + pages > arena_bytes) return out_of_memory;
    all.allocations[place] = pages;
    if (place + pages > all.used_bytes) all.used_bytes = place + pages;
    if (calls_inside > 0) all.protect(PROT_READ | PROT_WRITE);
    *address = all.start + place;
    return done;
}

int release(void* address) {
    const std::lock_guard lock(mutex);
    if (address == nullptr) return done;
    const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(address) - arena().start);
    return arena().allocations.erase(offset) == 1 ? done : invalid_value;
}

int copy(void* to, const void* from, std::size_t bytes, int direction) {
    constexpr int by_address = 4;
    if (direction != by_address || !arena().is_valid(to, bytes) || !arena().is_valid(from, bytes))
        return invalid_value;
    open_device_memory();
    std::memmove(to, from, bytes);
    close_device_memory();
    static const bool is_wrong = number("IMITATED_WRONG", 0) != 0;
    if (is_wrong && bytes > 0 && !arena().contains(to))
        *static_cast<std::byte*>(to) ^= std::byte{1};
    return done;
}

/// Writes a line to the file IMITATED_SEEN, at the first such use.
void note(const char* function, bool is_on_device) {
    static const char* const name = std::getenv("IMITATED_SEEN");
    static auto& seen = *new std::set<std::pair<std::string_view, bool>>;
    if (name == nullptr || !seen.emplace(function, is_on_device).second) return;
    std::FILE* const file = std::fopen(name, "a");
    if (file == nullptr) std::abort();
    std::fprintf(file, "%s %s\n", function, is_on_device ? "device" : "host");
    std::fclose(file);
}

int copy_rows(void* to, std::size_t to_distance, const void* from, std::size_t from_distance,
              std::size_t bytes_of_row, std::size_t rows, int direction) {
    if (bytes_of_row > to_distance || bytes_of_row > from_distance) return invalid_value;
    note("Memcpy2D", true);
    for (std::size_t i = 0; i < rows; ++i) {
        const int code =
            copy(static_cast<std::byte*>(to) + i * to_distance,
                 static_cast<const std::byte*>(from) + i * from_distance, bytes_of_row, direction);
        if (code != done) return code;
    }
    return done;
}

int fill(void* address, int byte, std::size_t bytes) {
    if (!arena().contains(address) || !arena().is_valid(address, bytes)) return invalid_value;
    open_device_memory();
    std::memset(address, byte, bytes);
    close_device_memory();
    return done;
}

int count_devices(int* count) {
    *count = number("IMITATED_DEVICES", 1);
    return *count > 0 ? done : no_device;
}

int choose_device(int device) {
    return device >= 0 && device < number("IMITATED_DEVICES", 1) ? done : invalid_device;
}

const char* text_of_error(int code) {
    switch (code) {
        case done:
            return "no error";
        case out_of_memory:
            return "out of memory";
        case no_device:
            return "no device is detected";
        case invalid_device:
            return "invalid device ordinal";
        default:
            return "invalid argument";
    }
}

}  // namespace

bool library_has_access() {
    static const bool has_access = number("IMITATED_ACCESS", 1) != 0;
    return has_access;
}

void look_at_buffer(const char* function, const void* data, int count, MPI_Datatype type) {
    // mpiaudit sends its own data as these types.
    if (type == MPI_DATATYPE_NULL || type == MPI_CHAR || type == MPI_BYTE) return;
    if (data == MPI_BOTTOM || data == MPI_IN_PLACE) return;
    int bytes = 0;
    PMPI_Type_size(type, &bytes);
    if (std::int64_t{bytes} * count >= large_bytes) note(function, arena().contains(data));
}

void open_device_memory() {
    const std::lock_guard lock(mutex);
    if (calls_inside++ == 0) arena().protect(PROT_READ | PROT_WRITE);
}

void close_device_memory() {
    const std::lock_guard lock(mutex);
    if (--calls_inside == 0) arena().protect(PROT_NONE);
}

// The functions of both vendors.
#define FUNCTIONS_OF(vendor)                                                                    \
    int vendor##Malloc(void** address, std::size_t bytes) {                                     \
        return allocate(address, bytes);                                                        \
    }                                                                                           \
    int vendor##MallocManaged(void** address, std::size_t bytes, unsigned) {                    \
        return allocate(address, bytes);                                                        \
    }                                                                                           \
    int vendor##Free(void* address) {                                                           \
        return release(address);                                                                \
    }                                                                                           \
    int vendor##Memcpy(void* to, const void* from, std::size_t bytes, int direction) {          \
        return copy(to, from, bytes, direction);                                                \
    }                                                                                           \
    int vendor##Memcpy2D(void* to, std::size_t to_distance, const void* from,                   \
                         std::size_t from_distance, std::size_t bytes_of_row, std::size_t rows, \
                         int direction) {                                                       \
        return copy_rows(to, to_distance, from, from_distance, bytes_of_row, rows, direction);  \
    }                                                                                           \
    int vendor##Memset(void* address, int byte, std::size_t bytes) {                            \
        return fill(address, byte, bytes);                                                      \
    }                                                                                           \
    int vendor##DeviceSynchronize() {                                                           \
        return done;                                                                            \
    }                                                                                           \
    int vendor##GetDeviceCount(int* count) {                                                    \
        return count_devices(count);                                                            \
    }                                                                                           \
    int vendor##SetDevice(int device) {                                                         \
        return choose_device(device);                                                           \
    }                                                                                           \
    const char* vendor##GetErrorString(int code) {                                              \
        return text_of_error(code);                                                             \
    }

extern "C" {
/// The function of CUDA's driver. All memory of the imitated device is of the kind cuda:device.
int cuPointerGetAttribute(void* value, int attribute, std::uint64_t address) {
    constexpr int memory_type = 2, is_managed = 8;
    if (!arena().contains(reinterpret_cast<const void*>(address))) return invalid_value;
    if (attribute != memory_type && attribute != is_managed) return invalid_value;
    *static_cast<unsigned*>(value) = attribute == memory_type ? 2 : 0;
    return done;
}
FUNCTIONS_OF(cuda)
FUNCTIONS_OF(hip)

int MPI_T_cvar_get_info(int index, char* name, int* name_length, int* verbosity, MPI_Datatype* type,
                        MPI_T_enum* values, char* text, int* text_length, int* bind, int* scope) {
    const int room = *name_length;
    const int code = PMPI_T_cvar_get_info(index, name, name_length, verbosity, type, values, text,
                                          text_length, bind, scope);
    const char* const other = std::getenv("IMITATED_VARIABLE");
    if (code == MPI_SUCCESS && other != nullptr && room > 0 &&
        std::string_view(name) == "opal_built_with_cuda_support")
        std::snprintf(name, static_cast<std::size_t>(room), "%s", other);
    return code;
}

int MPI_Comm_get_info(MPI_Comm comm, MPI_Info* info) {
    const int code = PMPI_Comm_get_info(comm, info);
    if (const char* kinds = std::getenv("IMITATED_KINDS"))
        PMPI_Info_set(*info, "mpi_memory_alloc_kinds", kinds);
    return code;
}
}
