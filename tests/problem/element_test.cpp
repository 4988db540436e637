// SPDX-License-Identifier: BSD-3-Clause
#include "problem/element.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "error_message.h"

namespace mpiaudit {
namespace {

using testing::Contains;
using testing::StartsWith;

using Bytes = std::vector<std::byte>;

class ElementTest : public testing::TestWithParam<std::string> {
  protected:
    Bytes stored(std::uint64_t value, std::byte background) const {
        Bytes memory(element_.extent(), background);
        element_.store(memory.data(), value);
        return memory;
    }
    const Element element_{GetParam()};
};

/// Indices of the bytes that `write` changes whatever they were before.
template <class Write>
std::vector<std::size_t> changed_bytes(std::size_t size, Write write) {
    Bytes zeros(size, std::byte{0}), ones(size, std::byte{0xff});
    write(zeros.data());
    write(ones.data());
    std::vector<std::size_t> changed;
    for (std::size_t k = 0; k < size; ++k) {
        if (zeros[k] == ones[k]) changed.push_back(k);
    }
    return changed;
}

TEST_P(ElementTest, ExtentAndDataAreThoseOfTheDatatype) {
    MPI_Aint lower = 0, extent = 0;
    int size = 0;
    MPI_Type_get_extent(element_.type(), &lower, &extent);
    MPI_Type_size(element_.type(), &size);
    EXPECT_EQ(lower, 0);
    EXPECT_EQ(element_.extent(), static_cast<std::size_t>(extent));
    EXPECT_EQ(element_.data_bytes(), static_cast<std::size_t>(size));
    EXPECT_EQ(element_.name(), GetParam());
}

TEST_P(ElementTest, StoreWritesTheBytesThatMpiMovesAndNoOthers) {
    const std::size_t around = 2 * element_.extent();
    const Bytes source(element_.extent(), std::byte{0x3c});
    const auto moved = changed_bytes(around, [&](std::byte* at) {
        MPI_Sendrecv(source.data(), 1, element_.type(), 0, 0, at, 1, element_.type(), 0, 0,
                     MPI_COMM_SELF, MPI_STATUS_IGNORE);
    });
    const auto written =
        changed_bytes(around, [&](std::byte* at) { element_.store(at, 0x0123456789abcdefU); });
    EXPECT_EQ(written, moved);
    EXPECT_EQ(written.size(), element_.data_bytes());
}

TEST_P(ElementTest, HoldsWhatWasStored) {
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}, std::uint64_t{0x0123456789abcdef}})
        EXPECT_TRUE(element_.holds(stored(value, std::byte{0xa5}).data(), value)) << value;
}

TEST_P(ElementTest, ValuesThatDifferInALowBitDifferInMemory) {
    constexpr std::uint64_t value = 0x0123456789abcdef;
    const Bytes memory = stored(value, std::byte{0});
    EXPECT_GE(element_.value_bits(), 8);
    for (int bit = 0; bit < element_.value_bits(); ++bit) {
        const std::uint64_t other = value ^ (std::uint64_t{1} << bit);
        EXPECT_FALSE(element_.holds(memory.data(), other)) << bit;
        EXPECT_NE(stored(other, std::byte{0}), memory) << bit;
    }
}

TEST_P(ElementTest, EveryChangedBitOfTheDataIsFoundAndNoneOfTheGaps) {
    constexpr std::uint64_t value = 77;
    const auto data =
        changed_bytes(element_.extent(), [&](std::byte* at) { element_.store(at, value); });
    Bytes memory = stored(value, std::byte{0});
    for (std::size_t k = 0; k < memory.size(); ++k) {
        const bool is_data = std::ranges::find(data, k) != data.end();
        for (int bit = 0; bit < 8; ++bit) {
            memory[k] ^= std::byte{1} << bit;
            EXPECT_EQ(element_.holds(memory.data(), value), !is_data) << "byte " << k;
            memory[k] ^= std::byte{1} << bit;
        }
    }
}

TEST_P(ElementTest, DescriptionBeginsWithTheValueAndNamesEveryPart) {
    const std::string text = element_.describe(stored(5, std::byte{0xa5}).data());
    const bool is_structured = !element_.is_basic();
    EXPECT_THAT(text, StartsWith(is_structured ? "5, " : "5"));
    EXPECT_EQ(text == "5", !is_structured);
}

INSTANTIATE_TEST_SUITE_P(All, ElementTest, testing::ValuesIn(Element::names()),
                         [](const auto& tested) { return tested.param; });

TEST(ElementNames, ThoseOfBasicTypesAndOfTypesWithGaps) {
    for (const char* name : {"int", "double", "char", "byte"}) {
        EXPECT_THAT(Element::names(), Contains(name));
        EXPECT_TRUE(Element(name).is_basic());
        EXPECT_EQ(Element(name).extent(), Element(name).data_bytes());
    }
    for (const char* name : {"vector", "indexed", "struct"}) {
        EXPECT_THAT(Element::names(), Contains(name));
        EXPECT_FALSE(Element(name).is_basic());
        EXPECT_GT(Element(name).extent(), Element(name).data_bytes());
    }
}

TEST(ElementNames, UnknownNameIsAnsweredWithTheNearest) {
    EXPECT_THAT(error_message([] { Element("doubel"); }),
                StartsWith("--element: unknown element type 'doubel'; did you mean 'double'?"));
}

}  // namespace
}  // namespace mpiaudit
