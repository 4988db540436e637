// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions about predefined handles of library.h.
#include "interposition/library.h"

#include <array>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

namespace mpiaudit::interposition {
namespace {

struct NamedOp {
    MPI_Op op;
    const char* name;
};

// Handles of Open MPI are addresses that are known after the library is loaded.
const NamedOp named_ops[] = {
    {MPI_SUM, "MPI_SUM"},         {MPI_MAX, "MPI_MAX"},       {MPI_MIN, "MPI_MIN"},
    {MPI_PROD, "MPI_PROD"},       {MPI_LAND, "MPI_LAND"},     {MPI_BAND, "MPI_BAND"},
    {MPI_LOR, "MPI_LOR"},         {MPI_BOR, "MPI_BOR"},       {MPI_LXOR, "MPI_LXOR"},
    {MPI_BXOR, "MPI_BXOR"},       {MPI_MAXLOC, "MPI_MAXLOC"}, {MPI_MINLOC, "MPI_MINLOC"},
    {MPI_REPLACE, "MPI_REPLACE"}, {MPI_NO_OP, "MPI_NO_OP"}};

/// Converts a handle, which may be a number or an address.
template <class Handle>
std::uintptr_t bits(Handle handle) {
    if constexpr (std::is_pointer_v<Handle>)
        return reinterpret_cast<std::uintptr_t>(handle);
    else
        return static_cast<std::uintptr_t>(handle);
}

/// Hash table from handles to ids, sparse, so that a look-up mostly ends at the first slot.
template <class Handle>
class Handles {
  public:
    void add(Handle handle, Predefined what) {
        std::size_t at = place(handle);
        while (slots_[at].what.id != 0) {
            if (slots_[at].handle == handle) return;  // a type with two names
            at = (at + 1) % places;
        }
        slots_[at] = {handle, what};
    }
    Predefined find(Handle handle) const {
        for (std::size_t at = place(handle); slots_[at].what.id != 0; at = (at + 1) % places)
            if (slots_[at].handle == handle) return slots_[at].what;
        return {};
    }

  private:
    static constexpr std::size_t places = 1024;
    static std::size_t place(Handle handle) { return (bits(handle) * 0x9E3779B97F4A7C15U) >> 54; }
    struct Slot {
        Handle handle{};
        Predefined what;
    };
    std::array<Slot, places> slots_{};
};

Handles<MPI_Datatype> known_types;
Handles<MPI_Op> known_ops;
std::vector<std::string> type_names;  ///< names by the MPI library

void add_type(MPI_Datatype type) {
    int size = 0, length = 0;
    char name[MPI_MAX_OBJECT_NAME] = "";
    // Fortran types are missing if the library was built without Fortran.
    if (type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS) return;
    PMPI_Type_get_name(type, name, &length);
    type_names.emplace_back(name);
    known_types.add(type, {static_cast<std::uint16_t>(type_names.size()), size});
}

void add_types(auto... types) {
    (add_type(types), ...);
}

}  // namespace

void prepare_predefined() {
    add_types(MPI_CHAR, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_BYTE, MPI_PACKED, MPI_WCHAR,
              MPI_SHORT, MPI_UNSIGNED_SHORT, MPI_INT, MPI_UNSIGNED, MPI_LONG, MPI_UNSIGNED_LONG,
              MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG, MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE,
              MPI_C_BOOL, MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_INT64_T, MPI_UINT8_T,
              MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T, MPI_AINT, MPI_OFFSET, MPI_COUNT,
              MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_CXX_BOOL, MPI_CXX_DOUBLE_COMPLEX,
              MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_2INT, MPI_SHORT_INT, MPI_INTEGER,
              MPI_REAL, MPI_DOUBLE_PRECISION, MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_LOGICAL,
              MPI_CHARACTER, MPI_INTEGER8, MPI_REAL4, MPI_REAL8, MPI_2INTEGER, MPI_2REAL,
              MPI_2DOUBLE_PRECISION);
    for (std::size_t i = 0; i < std::size(named_ops); ++i)
        known_ops.add(named_ops[i].op, {static_cast<std::uint16_t>(i + 1), 0});
}

Predefined predefined_type(MPI_Datatype type) {
    return known_types.find(type);
}

Predefined predefined_op(MPI_Op op) {
    return known_ops.find(op);
}

const char* type_name(std::uint16_t id) {
    return type_names[id - 1].c_str();
}

const char* op_name(std::uint16_t id) {
    return named_ops[id - 1].name;
}

std::int64_t type_bytes(MPI_Datatype type) {
    MPI_Count bytes = 0;
// MPI 4.1 deprecates MPI_Type_size_x, which all libraries have; some lack MPI_Type_size_c.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    PMPI_Type_size_x(type, &bytes);
#pragma GCC diagnostic pop
    return bytes;
}

}  // namespace mpiaudit::interposition
