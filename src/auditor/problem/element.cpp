// SPDX-License-Identifier: BSD-3-Clause
#include "problem/element.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <variant>

#include "random/random_bits.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

struct NamedBasic {
    std::string_view name;
    Basic basic;
    const char *of_mpi, *c;
};
constexpr NamedBasic without_gaps[] = {
    {"int", Basic::integer, "MPI_INT", "int"},
    {"char", Basic::character, "MPI_CHAR", "char"},
    {"byte", Basic::byte, "MPI_BYTE", "char"},
    {"long", Basic::long_integer, "MPI_LONG", "long"},
    {"float", Basic::single_precision, "MPI_FLOAT", "float"},
    {"double", Basic::double_precision, "MPI_DOUBLE", "double"},
    {"uchar", Basic::unsigned_character, "MPI_UNSIGNED_CHAR", "unsigned char"},
    {"ushort", Basic::unsigned_short, "MPI_UNSIGNED_SHORT", "unsigned short"}};
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

MPI_Datatype datatype(Basic basic) {
    // The order of the enumerators of Basic.
    const MPI_Datatype types[] = {MPI_BYTE,  MPI_CHAR,   MPI_INT,           MPI_LONG,
                                  MPI_FLOAT, MPI_DOUBLE, MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT};
    return types[static_cast<std::size_t>(basic)];
}

/// Calls `f` with a value of the C++ type of `basic`.
template <class F>
decltype(auto) with_type(Basic basic, F&& f) {
    using Zero = std::variant<unsigned char, char, int, long, float, double, unsigned short>;
    static constexpr Zero zeros[] = {
        static_cast<unsigned char>(0), '\0', 0, 0L, 0.0F, 0.0, static_cast<unsigned char>(0),
        static_cast<unsigned short>(0)};
    return std::visit(std::forward<F>(f), zeros[static_cast<std::size_t>(basic)]);
}

std::size_t bytes(Basic basic) {
    return with_type(basic, [](auto zero) { return sizeof zero; });
}

/// Returns how many low bits of an unsigned integer survive the conversion to the type: all but the
/// sign bit, or the bits of the significand of a floating-point type.
int exact_bits(Basic basic) {
    if (basic == Basic::single_precision) return 24;
    if (basic == Basic::double_precision) return 53;
    // Values are never negative, so that MPI_MAX with zeros changes nothing.
    if (basic == Basic::integer || basic == Basic::long_integer)
        return static_cast<int>(8 * bytes(basic)) - 1;
    return static_cast<int>(8 * bytes(basic));
}

[[noreturn]] void throw_unknown(std::string_view name) {
    throw std::invalid_argument("--element: " +
                                unknown_name("element type", name, Element::names()));
}

}  // namespace

std::vector<std::string> Element::names() {
    std::vector<std::string> all = names_of(without_gaps, &NamedBasic::name);
    all.insert(all.end(), std::begin(with_gaps), std::end(with_gaps));
    return all;
}

bool Element::has_gaps(std::string_view name) {
    return std::ranges::find(with_gaps, name) != std::end(with_gaps);
}

InC Element::in_c(std::string_view name) {
    const auto* const plain = std::ranges::find(without_gaps, name, &NamedBasic::name);
    if (plain != std::end(without_gaps)) return {plain->of_mpi, plain->c};
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

Element::Element(std::string_view name) : name_{name} {
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
    const auto* const plain = std::ranges::find(without_gaps, name, &NamedBasic::name);
    if (plain != std::end(without_gaps)) {
        type_ = datatype(plain->basic);
        parts_ = {{0, plain->basic}};
        extent_ = bytes(plain->basic);
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
                     Basic::integer});
    } else if (name == "struct") {  // struct { int; double; char; } with its padding
        const std::array lengths = {1, 1, 1};
        const std::array<MPI_Aint, 3> displacements = {0, 8, 16};
        const std::array types = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
        MPI_Type_create_struct(3, lengths.data(), displacements.data(), types.data(), &type);
        derived_element(type, 24);
        parts_ = {{0, Basic::integer}, {8, Basic::double_precision}, {16, Basic::character}};
    } else {
        throw_unknown(name);
    }
    value_bits_ = 64;
    for (const Part& part : parts_) {
        data_bytes_ += bytes(part.basic);
        value_bits_ = std::min(value_bits_, exact_bits(part.basic));
    }
}

/// Calls f(offset, value_of) for each basic part of the element: value_of(v) is the value of that
/// part, in its C type, in an element with the value v.
template <class F>
void Element::for_each_part(F f) const {
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        const int bits = exact_bits(parts_[part].basic);
        const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
        with_type(parts_[part].basic, [&](auto zero) {
            f(parts_[part].offset, [part, mask](std::uint64_t value) {
                // Every part of an element has another value, so that exchanged parts are found.
                return static_cast<decltype(zero)>((part == 0 ? value : mix_bits(value + part)) &
                                                   mask);
            });
        });
    }
}

void Element::store(std::byte* at, std::span<const std::uint64_t> values) const {
    for_each_part([&](std::size_t offset, auto value_of) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto converted = value_of(values[i]);
            std::memcpy(at + i * extent_ + offset, &converted, sizeof converted);
        }
    });
}

std::size_t Element::first_difference(const std::byte* at,
                                      std::span<const std::uint64_t> values) const {
    std::size_t first = values.size();
    for_each_part([&](std::size_t offset, auto value_of) {
        for (std::size_t i = 0; i < first; ++i) {
            const auto expected = value_of(values[i]);
            if (std::memcmp(at + i * extent_ + offset, &expected, sizeof expected) != 0) first = i;
        }
    });
    return first;
}

std::string Element::describe(const std::byte* at) const {
    std::string text;
    for (const Part& part : parts_) {
        if (!text.empty()) text += ", ";
        with_type(part.basic, [&](auto value) {
            std::memcpy(&value, at + part.offset, sizeof value);
            if constexpr (sizeof value == 1)
                text += fmt::format("{}", static_cast<unsigned char>(value));
            else
                text += fmt::format("{}", value);
        });
    }
    return text;
}

}  // namespace mpiaudit
