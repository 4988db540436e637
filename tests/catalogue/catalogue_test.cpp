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

using testing::Contains;
using testing::IsEmpty;
using testing::SizeIs;

/// Returns the first arrow of this name, which is the most natural one.
const Arrow* form(const std::string& name, Kind kind) {
    const auto found = std::ranges::find_if(
        catalogue(), [&](const Arrow& arrow) { return arrow.name == name && arrow.kind == kind; });
    return found == catalogue().end() ? nullptr : &*found;
}

/// Returns the names of the functions that the public headers declare with a signature of MPI,
/// without functions that have a further parameter and without the one that chooses the root
/// itself.
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
        const std::regex definition(R"(\ninline constexpr auto& (\w+) =\s+bind_first<)");
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

TEST(Catalogue, EveryArrowCanBePreparedAndSaysWhatItDoes) {
    for (const Arrow& arrow : catalogue()) {
        EXPECT_NE(arrow.prepare, nullptr) << arrow.name;
        EXPECT_NE(arrow.summary, "") << arrow.name;
        EXPECT_EQ(arrow.algorithm, nullptr) << arrow.name;
    }
}

/// Fails if an algorithm has no row.
TEST(Catalogue, HasEveryAlgorithmOfThePublicHeaders) {
    const std::set<std::string> declared = declared_algorithms();
    EXPECT_THAT(declared, SizeIs(testing::Ge(120U)));
    for (const std::string& name : declared)
        EXPECT_NE(form(name, Kind::reference), nullptr) << name << " is in no table";
}

TEST(Catalogue, KnowsTheSourceOfEveryAlgorithm) {
    for (const Algorithm& each : algorithms()) EXPECT_NE(source_of(each), "") << each.name;
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
    EXPECT_EQ(form("MPI_Reduce_scatter[in place]", Kind::in_place)->scratch, Holding::contributed);
    EXPECT_EQ(form("MPI_Reduce_scatter", Kind::native)->scratch, std::nullopt);
}

TEST(JoinCatalogue, LeavesPointersValidUntilItIsForgotten) {
    const Arrow* gather = find_arrows("MPI_Gather", Argument::whole).front();
    const std::size_t known = catalogue().size();
    std::vector<Arrow> chosen(100, *gather);
    for (Arrow& arrow : chosen) arrow.name = "MPI_Gather[linear]";
    join_catalogue(chosen);
    EXPECT_EQ(find_arrows("MPI_Gather", Argument::whole).front(), gather);
    EXPECT_THAT(find_arrows("MPI_Gather[linear]", Argument::whole), SizeIs(100));
    EXPECT_THAT(arrow_names(), Contains("MPI_Gather[linear]"));
    shorten_catalogue(known);
    EXPECT_THAT(find_arrows("MPI_Gather[linear]", Argument::whole), IsEmpty());
    EXPECT_THAT(catalogue(), SizeIs(known));
}

}  // namespace
}  // namespace mpiaudit
