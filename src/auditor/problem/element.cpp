// SPDX-License-Identifier: BSD-3-Clause
#include "problem/element.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "random/random_bits.h"
#include "text/plain.h"
#include "types/numbers.h"

namespace mpiaudit {
namespace {

using types::BasicType;
using types::Cell;

/// Bits of a value below the index of a pair.
constexpr int index_shift = 32;

constexpr std::string_view with_gaps[] = {"vector", "indexed", "struct",     "tiled",
                                          "block",  "bucket",  "alternating"};

/// An element made of two blocks of ints: lengths and displacements of the blocks, and the extent
/// of the element, in ints. The layouts are those of A. Carpen-Amarie, S. Hunold, J. L. Träff, On
/// expected and observed communication performance with MPI derived datatypes, Parallel Computing
/// 69, 2017.
struct IntBlocks {
    std::string_view name;
    std::array<int, 2> lengths, displacements;
    int extent;
};
constexpr std::array layouts_of_ints{
    IntBlocks{"vector", {1, 1}, {0, 2}, 4},       // every second of four ints
    IntBlocks{"indexed", {1, 2}, {1, 4}, 7},      // gap before the first block, uneven distances
    IntBlocks{"tiled", {2, 2}, {0, 3}, 6},        // equal lengths, equal distances
    IntBlocks{"block", {2, 2}, {0, 3}, 8},        // equal lengths, two distances
    IntBlocks{"bucket", {1, 3}, {0, 4}, 8},       // two lengths, equal distances
    IntBlocks{"alternating", {1, 3}, {0, 2}, 8},  // two lengths, two distances
};

/// Returns how many low bits of an unsigned integer survive the conversion to a number of this
/// kind: all but the sign bit, or the bits of the significand.
int exact_bits(Cell cell) {
    switch (cell) {
        case Cell::float32:
        case Cell::complex64:
            return 24;
        case Cell::float64:
        case Cell::complex128:
            return 53;
        case Cell::extended:
            return 64;
        case Cell::boolean:
            return 1;
        default:
            return types::with_cell(cell, [](auto zero) {
                // Values are never negative, so that MPI_MAX with zeros changes nothing.
                const int bits = static_cast<int>(8 * sizeof zero);
                if constexpr (std::is_integral_v<decltype(zero)>)
                    return std::is_signed_v<decltype(zero)> ? bits - 1 : bits;
                return bits;
            });
    }
}

/// Returns the type with this name of an option; null for types with gaps.
const BasicType* type_of_option(std::string_view name) {
    const auto found = std::ranges::find_if(types::basic_types(), [&](const BasicType& each) {
        return each.type != MPI_DATATYPE_NULL && types::option_name(each.name) == name;
    });
    return found == types::basic_types().end() ? nullptr : &*found;
}

[[noreturn]] void throw_unknown(std::string_view name) {
    throw std::invalid_argument("--element: " +
                                unknown_name("element type", name, Element::names()));
}

}  // namespace

std::vector<std::string> Element::names() {
    std::vector<std::string> all;
    for (const BasicType& each : types::basic_types())
        if (each.type != MPI_DATATYPE_NULL) all.push_back(types::option_name(each.name));
    all.insert(all.end(), std::begin(with_gaps), std::end(with_gaps));
    return all;
}

bool Element::has_gaps(std::string_view name) {
    const BasicType* const basic = type_of_option(name);
    return basic != nullptr ? types::data_bytes(*basic) < basic->extent
                            : std::ranges::find(with_gaps, name) != std::end(with_gaps);
}

std::string Element::name_in_mpi(const std::string& name) {
    if (const BasicType* const basic = type_of_option(name)) return std::string(basic->name);
    for (const types::OperatorRow& each : types::operators())
        if (!each.is_of_user() && types::option_name(each.name) == name)
            return std::string(each.name);
    return name;
}

InC Element::in_c(std::string_view name) {
    if (const BasicType* const basic = type_of_option(name)) {
        if (basic->is_pair())
            throw std::invalid_argument(
                fmt::format("a program with elements of {} cannot be written", basic->name));
        return {std::string(basic->name), basic->c};
    }
    if (name == "struct")
        return {
            "MPI_Type_create_struct(3, (int[]){1, 1, 1}, (MPI_Aint[]){0, 8, 16}, "
            "(MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_CHAR}, &type);",
            "struct { int value; double next; char last; }"};
    const auto* const ints = std::ranges::find(layouts_of_ints, name, &IntBlocks::name);
    if (ints == layouts_of_ints.end()) throw_unknown(name);
    const auto [first, second] = ints->displacements;
    return {
        name == "vector"
            ? "MPI_Type_vector(2, 1, 2, MPI_INT, &type);"
            : fmt::format("MPI_Type_indexed(2, (int[]){{{}}}, (int[]){{{}, {}}}, MPI_INT, &type);",
                          fmt::join(ints->lengths, ", "), first, second),
        fmt::format("struct {{ int {}value, rest[{}]; }}", first == 0 ? "" : "before, ",
                    ints->extent - first - 1)};
}

void Element::add_parts(const BasicType& type) {
    using types::TypeClass;
    const int bits = type.type_class == TypeClass::logical ? 1
                     // Texts are not reduced, and take all values.
                     : type.type_class == TypeClass::text ? static_cast<int>(8 * type.extent)
                                                          : exact_bits(type.cell);
    if (type.type_class == TypeClass::complex) {
        const Cell real = type.cell == Cell::complex64 ? Cell::float32 : Cell::float64;
        parts_ = {{0, real, From::value, bits}, {type.extent / 2, real, From::doubled, bits}};
    } else if (type.is_pair()) {
        parts_ = {{0, type.cell, From::value, std::min(bits, index_shift)},
                  {type.index_offset, Cell::int32, From::index, 31}};
    } else {
        parts_ = {{0, type.cell, From::value, bits}};
    }
}

bool Element::is_small_and_signed() const {
    constexpr int most_bits = 15;
    return value_bits_ <= most_bits && basic_ != nullptr && !basic_->is_unsigned();
}

Element::Element(std::string_view name) : name_{name}, basic_{type_of_option(name)} {
    const auto derived_element = [this](MPI_Datatype type, MPI_Aint extent) {
        MPI_Datatype resized{};
        MPI_Type_create_resized(type, 0, extent, &resized);
        MPI_Type_commit(&resized);
        MPI_Type_free(&type);
        derived_ = OwnedDatatype{resized};
        type_ = resized;
        extent_ = static_cast<std::size_t>(extent);
    };
    MPI_Datatype type{};
    const auto* const layout = std::ranges::find(layouts_of_ints, name, &IntBlocks::name);
    if (basic_ != nullptr) {
        type_ = basic_->type;
        add_parts(*basic_);
        extent_ = basic_->extent;
        data_bytes_ = types::data_bytes(*basic_);
    } else if (layout != layouts_of_ints.end()) {
        if (name == "vector")
            MPI_Type_vector(2, 1, 2, MPI_INT, &type);
        else
            MPI_Type_indexed(2, layout->lengths.data(), layout->displacements.data(), MPI_INT,
                             &type);
        derived_element(type, layout->extent * static_cast<MPI_Aint>(sizeof(int)));
        for (std::size_t block = 0; block < 2; ++block)
            for (int i = 0; i < layout->lengths[block]; ++i)
                parts_.push_back(
                    {static_cast<std::size_t>(layout->displacements[block] + i) * sizeof(int),
                     Cell::int32, From::mixed, exact_bits(Cell::int32)});
    } else if (name == "struct") {  // struct { int; double; char; } with its padding
        const std::array lengths = {1, 1, 1};
        const std::array<MPI_Aint, 3> displacements = {0, 8, 16};
        const std::array types = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
        MPI_Type_create_struct(3, lengths.data(), displacements.data(), types.data(), &type);
        derived_element(type, 24);
        for (const auto& [offset, cell] :
             {std::pair{0, Cell::int32}, {8, Cell::float64}, {16, Cell::uint8}})
            parts_.push_back(
                {static_cast<std::size_t>(offset), cell, From::mixed, exact_bits(cell)});
    } else {
        throw_unknown(name);
    }
    value_bits_ = 64;
    for (const Part& part : parts_) {
        if (basic_ == nullptr)
            data_bytes_ += types::with_cell(part.cell, [](auto zero) { return sizeof zero; });
        if (part.from != From::index) value_bits_ = std::min(value_bits_, part.bits);
    }
}

/// Calls f(offset, value_of, bytes) for each basic part of the element: value_of(v) is the number
/// of that part, in its C type, in an element with the value v.
std::size_t Element::data_bytes_of(const Part& part) {
    return types::with_cell(part.cell, [](auto zero) { return types::data_bytes(zero); });
}

template <class F>
void Element::for_each_part(F f) const {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const Part& part = parts_[i];
        const std::uint64_t mask =
            part.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << part.bits) - 1;
        types::with_cell(part.cell, [&]<class T>(T) {
            if constexpr (!types::IsComplex<T>::value)
                f(part.offset, [i, mask, from = part.from](std::uint64_t value) {
                    if (from == From::mixed && i > 0) value = mix_bits(value + i);
                    if (from == From::index) value >>= index_shift;
                    const T number = static_cast<T>(value & mask);
                    return from == From::doubled ? static_cast<T>(number + number) : number;
                });
        });
    }
}

void Element::store(std::byte* at, std::span<const std::uint64_t> values) const {
    for_each_part([&](std::size_t offset, auto value_of) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            types::store(at + i * extent_ + offset, value_of(values[i]));
        }
    });
}

std::size_t Element::first_difference(const std::byte* at,
                                      std::span<const std::uint64_t> values) const {
    std::size_t first = values.size();
    for_each_part([&](std::size_t offset, auto value_of) {
        for (std::size_t i = 0; i < first; ++i) {
            const auto expected = value_of(values[i]);
            if (std::memcmp(at + i * extent_ + offset, &expected, types::data_bytes(expected)) != 0)
                first = i;
        }
    });
    return first;
}

std::vector<Element::Stretch> Element::stretches() const {
    std::vector<Stretch> all;
    for (const Part& part : parts_) {
        const std::size_t bytes = data_bytes_of(part);
        if (!all.empty() && all.back().offset + all.back().bytes == part.offset)
            all.back().bytes += bytes;
        else
            all.push_back({part.offset, bytes});
    }
    return all;
}

std::size_t Element::first_difference(const std::byte* one, const std::byte* other,
                                      std::size_t count) const {
    std::size_t first = count;
    for (const Part& part : parts_) {
        const std::size_t bytes = data_bytes_of(part);
        for (std::size_t i = 0; i < first; ++i) {
            const std::size_t at = i * extent_ + part.offset;
            if (std::memcmp(one + at, other + at, bytes) != 0) first = i;
        }
    }
    return first;
}

std::string Element::describe(const std::byte* at) const {
    std::string text;
    for (const Part& part : parts_) {
        if (!text.empty()) text += ", ";
        types::with_cell(part.cell, [&]<class T>(T) {
            const T value = types::load<T>(at + part.offset);
            if constexpr (sizeof value == 1)
                text += fmt::format("{}", static_cast<unsigned char>(value));
            else if constexpr (!types::IsComplex<T>::value)
                text += fmt::format("{}", value);
        });
    }
    return text;
}

}  // namespace mpiaudit
