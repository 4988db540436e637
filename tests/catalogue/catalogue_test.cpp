// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/catalogue.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

#include "joined_papers.h"
namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

/// The first of this name, which is the most natural one.
const Arrow* form(const std::string& name, Kind kind) {
    const auto found = std::ranges::find_if(
        catalogue(), [&](const Arrow& arrow) { return arrow.name == name && arrow.kind == kind; });
    return found == catalogue().end() ? nullptr : &*found;
}

/// Of a native operation: MPI_Reduce_scatter to all ranks, not to the root, which is another use.
bool is_natural_use(const Arrow& arrow) {
    return arrow.kind == Kind::native && form(arrow.name, Kind::native) == &arrow;
}

std::string lower_after_prefix(const std::string& name) {
    std::string lower = name.substr(4);
    lower[0] = static_cast<char>(std::tolower(lower[0]));
    return lower;
}

/// Names of the functions that the public headers declare with a signature of MPI. Those with a
/// parameter more than MPI has, and the one that chooses the root itself, are none.
std::set<std::string> declared_algorithms() {
    std::set<std::string> names;
    std::vector<std::string> headers = {"papers/zero_copy/zero_copy"};
    for (const std::string folder : {"allgather", "allreduce", "alltoall", "barrier", "bcast",
                                     "gather", "reduce", "reduce_scatter", "scan", "scatter"})
        headers.push_back("auditor/collectives/" + folder + "/" + folder);
    for (const std::string& header : headers) {
        std::ifstream file(SOURCE_DIR "/src/" + header + ".h");
        std::stringstream text;
        text << file.rdbuf();
        const std::string declared = text.str();
        const std::regex declaration(R"(\nint (\w+)\([^)]*MPI_Comm comm\);)");
        for (std::sregex_iterator match(declared.begin(), declared.end(), declaration), end;
             match != end; ++match) {
            const std::string name = (*match)[1];
            const bool takes_more = name.ends_with("_by") || name.ends_with("_at");
            if (!takes_more) names.insert(name);
        }
        const std::regex definition(R"(\ninline constexpr auto& (\w+) =\s+by<)");
        for (std::sregex_iterator match(declared.begin(), declared.end(), definition), end;
             match != end; ++match)
            names.insert((*match)[1]);
    }
    return names;
}

TEST(Catalogue, NameAndEndsTellArrowsApart) {
    std::set<std::tuple<std::string, Kind, Holding, Holding>> known;
    for (const Arrow& arrow : catalogue())
        EXPECT_TRUE(known.insert({arrow.name, arrow.kind, arrow.from, arrow.to}).second)
            << arrow.name << " " << name(arrow.from) << " -> " << name(arrow.to);
}

TEST(Catalogue, AnAlgorithmHasOneUse) {
    std::set<std::string> known;
    for (const Arrow& arrow : catalogue()) {
        if (arrow.kind == Kind::reference) {
            EXPECT_TRUE(known.insert(arrow.name).second) << arrow.name;
        }
    }
}

TEST(Catalogue, EveryArrowCanBePreparedAndSaysWhatItDoes) {
    for (const Arrow& arrow : catalogue()) {
        EXPECT_NE(arrow.prepare, nullptr) << arrow.name;
        EXPECT_NE(arrow.summary, "") << arrow.name;
        EXPECT_EQ(arrow.algorithm, nullptr) << arrow.name;
    }
}

TEST(Catalogue, NativeOperationsHaveTheirForms) {
    int operations = 0;
    for (const Arrow& arrow : catalogue()) {
        if (!is_natural_use(arrow)) continue;
        ++operations;
        for (const auto& [name, kind] :
             {std::pair{"MPI_I" + lower_after_prefix(arrow.name), Kind::nonblocking},
              {arrow.name + "_init", Kind::persistent}}) {
            const Arrow* other = form(name, kind);
            ASSERT_NE(other, nullptr) << name;
            EXPECT_EQ(other->from, arrow.from) << name;
            EXPECT_EQ(other->to, arrow.to) << name;
            EXPECT_EQ(other->collective, arrow.collective) << name;
            EXPECT_EQ(other->needs & ~not_in_this_mpi, arrow.needs) << name;
            EXPECT_NE(other->prepare, arrow.prepare) << name;
        }
    }
    EXPECT_EQ(operations, 22);
}

TEST(Catalogue, FormsInPlaceRunBetweenTheSameLayouts) {
    std::vector<std::string> names;
    for (const Arrow& arrow : catalogue()) {
        if (arrow.kind != Kind::in_place) continue;
        const std::string blocking = arrow.name.substr(0, arrow.name.find('['));
        names.push_back(blocking);
        const Arrow* other = form(blocking, Kind::native);
        ASSERT_NE(other, nullptr) << blocking;
        EXPECT_EQ(other->needs, arrow.needs & ~root_zero) << blocking;
        for (const auto& [name, kind] :
             {std::pair{"MPI_I" + lower_after_prefix(blocking), Kind::nonblocking},
              {blocking + "_init", Kind::persistent}}) {
            const Arrow* started = form(name + "[in place]", kind);
            ASSERT_NE(started, nullptr) << name;
            EXPECT_EQ(started->input, arrow.input) << name;
        }
    }
    // MPI has no MPI_IN_PLACE for MPI_Bcast, MPI_Barrier and neighbours.
    EXPECT_THAT(names, ElementsAre("MPI_Gather", "MPI_Gatherv", "MPI_Scatter", "MPI_Scatterv",
                                   "MPI_Allgather", "MPI_Allgatherv", "MPI_Alltoall",
                                   "MPI_Alltoallv", "MPI_Alltoallw", "MPI_Reduce", "MPI_Allreduce",
                                   "MPI_Reduce_scatter_block", "MPI_Reduce_scatter", "MPI_Scan",
                                   "MPI_Exscan"));
}

/// Whoever adds an algorithm and forgets its line finds out here.
TEST(Catalogue, HasEveryAlgorithmOfThePublicHeaders) {
    const std::set<std::string> declared = declared_algorithms();
    EXPECT_THAT(declared, SizeIs(testing::Ge(120U)));
    for (const std::string& name : declared)
        EXPECT_NE(form(name, Kind::reference), nullptr) << name << " is in no table";
}

TEST(Catalogue, AlgorithmsNeedWhatTheirCounterpartNeeds) {
    for (const Arrow& arrow : catalogue()) {
        if (arrow.kind != Kind::reference) continue;
        const auto counterpart = std::ranges::find_if(catalogue(), [&](const Arrow& other) {
            if (other.kind != Kind::native) return false;
            const std::string operation = "_" + other.name.substr(4);
            const std::size_t at = arrow.name.find(operation);
            if (at == std::string::npos) return false;
            const std::size_t end = at + operation.size();
            return end == arrow.name.size() || arrow.name.substr(end) == "_radix4" ||
                   arrow.name.substr(end).starts_with("_k") ||
                   arrow.name.substr(end) == "_degrading" || arrow.name.substr(end) == "_carrying";
        });
        ASSERT_NE(counterpart, catalogue().end()) << arrow.name;
        EXPECT_EQ(arrow.from, counterpart->from) << arrow.name;
        EXPECT_EQ(arrow.to, counterpart->to) << arrow.name;
        EXPECT_EQ(arrow.collective, counterpart->collective) << arrow.name;
        EXPECT_EQ(arrow.needs & ~(commutative | a_network | several_nodes), counterpart->needs)
            << arrow.name;
    }
}

TEST(Catalogue, FormsOfAnOperationComeAroundItsOtherUses) {
    std::vector<const Arrow*> all;
    for (const Arrow& arrow : catalogue())
        if (arrow.collective == "reduce_scatter") all.push_back(&arrow);
    const auto place = [&](const char* name, Kind kind) {
        return std::ranges::find(all, form(name, kind)) - all.begin();
    };
    EXPECT_LT(place("MPI_Reduce_scatter_init", Kind::persistent),
              place("MPI_Reduce_scatter_c", Kind::variant));
    EXPECT_LT(place("MPI_Reduce_scatter_c", Kind::variant),
              place("MPI_Reduce_scatter[in place]", Kind::in_place));
    EXPECT_LT(place("MPI_Reduce_scatter[in place]", Kind::in_place),
              place("butterfly_Reduce_scatter_block", Kind::reference));
    const auto row = [](const char* name, Kind kind, const char* summary, unsigned needs) {
        return testing::Pointee(AllOf(
            Field(&Arrow::name, name), Field(&Arrow::kind, kind), Field(&Arrow::summary, summary),
            testing::ResultOf([](const Arrow& arrow) { return arrow.needs & ~not_in_this_mpi; },
                              needs)));
    };
    all.resize(4);
    EXPECT_THAT(all,
                ElementsAre(row("MPI_Reduce_scatter_block", Kind::native,
                                "the library's reduction scattered in equal blocks",
                                equal_blocks | defined_operator),
                            row("MPI_Ireduce_scatter_block", Kind::nonblocking,
                                "MPI_Reduce_scatter_block started without blocking, and MPI_Wait",
                                equal_blocks | defined_operator),
                            row("MPI_Reduce_scatter_block_init", Kind::persistent,
                                "MPI_Reduce_scatter_block initialised before; MPI_Start and "
                                "MPI_Wait",
                                equal_blocks | defined_operator),
                            row("MPI_Reduce_scatter_block_init[once]", Kind::variant,
                                "MPI_Reduce_scatter_block initialised, started, waited for and "
                                "freed",
                                equal_blocks | defined_operator)));
    EXPECT_EQ(form("MPI_Reduce_scatter[in place]", Kind::in_place)->scratch, Holding::contributed);
    EXPECT_EQ(form("MPI_Reduce_scatter", Kind::native)->scratch, std::nullopt);
}

TEST(JoinCatalogue, LeavesPointersValidUntilItIsReset) {
    const Arrow* gather = find_arrows("MPI_Gather", Argument::whole).front();
    reset_catalogue();
    const std::size_t known = catalogue().size();
    std::vector<Arrow> chosen(100, *gather);
    for (Arrow& arrow : chosen) arrow.name = "MPI_Gather[linear]";
    join_catalogue(chosen);
    EXPECT_EQ(find_arrows("MPI_Gather", Argument::whole).front(), gather);
    EXPECT_THAT(find_arrows("MPI_Gather[linear]", Argument::whole), SizeIs(100));
    EXPECT_THAT(arrow_names(), Contains("MPI_Gather[linear]"));
    reset_catalogue();
    EXPECT_THAT(find_arrows("MPI_Gather[linear]", Argument::whole), IsEmpty());
    EXPECT_THAT(catalogue(), SizeIs(known));
}

}  // namespace
}  // namespace mpiaudit
