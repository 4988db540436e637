// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <mpi.h>
#include <algorithm>

#include "error_message.h"
#include "problem/element.h"
#include "problem/operator.h"
#include "problem/problem.h"
#include "problem/workspace.h"

namespace mpiaudit {
namespace {

using testing::Contains;
using testing::ElementsAre;
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
    EXPECT_EQ(Element::has_gaps(GetParam()), extent > size);
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
    // A long double has 10 bytes of data in 16 bytes that MPI moves.
    const bool has_padding = GetParam().find("long-double") != std::string::npos;
    EXPECT_EQ(std::ranges::includes(moved, written), true);
    EXPECT_EQ(written == moved, !has_padding);
    EXPECT_EQ(moved.size(), element_.data_bytes());
}

TEST_P(ElementTest, HoldsWhatWasStored) {
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}, std::uint64_t{0x0123456789abcdef}})
        EXPECT_TRUE(element_.holds(stored(value, std::byte{0xa5}).data(), value)) << value;
}

TEST_P(ElementTest, ValuesThatDifferInALowBitDifferInMemory) {
    constexpr std::uint64_t value = 0x0123456789abcdef;
    const Bytes memory = stored(value, std::byte{0});
    const bool is_logical = GetParam() == "c-bool" || GetParam() == "logical";
    EXPECT_GE(element_.value_bits(), is_logical ? 1 : 7);
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
    const std::string text = element_.describe(stored(1, std::byte{0xa5}).data());
    const bool is_structured = !element_.is_basic();
    EXPECT_THAT(text, StartsWith(is_structured ? "1, " : "1"));
    EXPECT_EQ(text == "1", !is_structured);
}

INSTANTIATE_TEST_SUITE_P(All, ElementTest, testing::ValuesIn(Element::names()),
                         [](const auto& tested) {
                             std::string name = tested.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST(ElementNames, ThoseOfBasicTypesAndOfTypesWithGaps) {
    for (const char* name : {"int", "double", "char", "byte"}) {
        EXPECT_THAT(Element::names(), Contains(name));
        EXPECT_TRUE(Element(name).is_basic());
        EXPECT_EQ(Element(name).extent(), Element(name).data_bytes());
    }
    for (const char* name :
         {"vector", "indexed", "struct", "tiled", "block", "bucket", "alternating"}) {
        EXPECT_THAT(Element::names(), Contains(name));
        EXPECT_FALSE(Element(name).is_basic());
        EXPECT_GT(Element(name).extent(), Element(name).data_bytes());
    }
}

/// The places of the ints of an element and of the next element, in ints.
TEST(ElementNames, LayoutsOfBlocksOfIntsAreTheirs) {
    const auto places = [](const char* name) {
        const Element element(name);
        std::vector<int> zeros(2 * element.extent() / sizeof(int), 0), found;
        for (const std::size_t at : {std::size_t{0}, element.extent()})
            element.store(reinterpret_cast<std::byte*>(zeros.data()) + at, 1);
        for (std::size_t i = 0; i < zeros.size(); ++i)
            if (zeros[i] != 0) found.push_back(static_cast<int>(i));
        return found;
    };
    EXPECT_THAT(places("tiled"), ElementsAre(0, 1, 3, 4, 6, 7, 9, 10));
    EXPECT_THAT(places("block"), ElementsAre(0, 1, 3, 4, 8, 9, 11, 12));
    EXPECT_THAT(places("bucket"), ElementsAre(0, 4, 5, 6, 8, 12, 13, 14));
    EXPECT_THAT(places("alternating"), ElementsAre(0, 2, 3, 4, 8, 10, 11, 12));
}

TEST(ElementNames, UnknownNameIsAnsweredWithTheNearest) {
    EXPECT_THAT(error_message([] { Element("doubel"); }),
                StartsWith("--element: unknown element type 'doubel'; did you mean 'double'?"));
}

}  // namespace
}  // namespace mpiaudit
