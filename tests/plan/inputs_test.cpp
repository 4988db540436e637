// SPDX-License-Identifier: BSD-3-Clause
#include "plan/inputs.h"

#include <gmock/gmock.h>

#include <set>

#include "files/files.h"
#include "files/shipped_files.h"
#include "options/option_table.h"
#include "plan/user_files.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;

TEST(Inputs, DefaultsAreTheGuidelinesAndDistributionsOfThePaper) {
    const Inputs inputs = inputs_of({});
    EXPECT_THAT(names(inputs),
                ElementsAre("same", "random", "spikes", "decreasing", "alternating", "two-blocks"));
    EXPECT_THAT(ids(inputs), Contains("irregular-2"));
}

TEST(Inputs, TheLibrarySetHasEachStatementOnceWithoutReferencesOnTheLeft) {
    const Inputs inputs = inputs_of({});
    std::set<std::string> statements, lefts;
    for (const Guideline& each : inputs.guidelines) {
        EXPECT_TRUE(
            statements.insert(each.inequality.left.name + "<=" + each.inequality.right.name).second)
            << each.id;
        for (const PathStep& step : each.inequality.left.steps)
            EXPECT_NE(step.arrow->kind, Kind::reference) << each.id;
        lefts.insert(std::string(each.inequality.left.steps.front().arrow->name));
    }
    // Every blocking collective.
    EXPECT_THAT(
        lefts, UnorderedElementsAre("MPI_Gather", "MPI_Gatherv", "MPI_Scatter", "MPI_Scatterv",
                                    "MPI_Allgather", "MPI_Allgatherv", "MPI_Alltoall",
                                    "MPI_Alltoallv", "MPI_Alltoallw", "MPI_Bcast", "MPI_Reduce",
                                    "MPI_Allreduce", "MPI_Reduce_scatter_block",
                                    "MPI_Reduce_scatter", "MPI_Scan", "MPI_Exscan", "MPI_Barrier"));
    EXPECT_THAT(
        ids(inputs),
        AllOf(Contains("irregular-2"), Contains("monotony-scan"),
              Contains("reference-knomial_Gather_radix4"), Not(Contains("claim-tuw-2-gatherv")),
              Not(Contains("irregular-2-tuw")), Not(Contains("blocking-gather"))));
    // Files of the user keep all guidelines.
    RunOptions options;
    options.guidelines = {"library", "datatypes"};
    EXPECT_THAT(ids(inputs_of(options)), Contains("datatype-gather"));
}

/// MEMORY: such a form is the only one that frees the memory of a persistent operation.
TEST(Inputs, TheDefaultHasPersistentOperationsThatAreUsedOnce) {
    RunOptions options;
    options.block_sizes = std::string(spread_sizes);
    const Inputs inputs = inputs_of(options);
    std::size_t found = 0;
    for (const Guideline& each : inputs.guidelines)
        for (const PathStep& step : each.inequality.right.steps)
            found += step.arrow->form.start == Start::persistent_once;
    EXPECT_EQ(found, 17U);
}

/// A user copies an id of `mpiaudit list guidelines`. One refused id of each file is tried.
TEST(Inputs, AListedIdIsAcceptedOrTheErrorNamesTheFile) {
    RunOptions options;
    options.block_sizes = std::string(spread_sizes);
    const std::vector<std::string> known = ids(inputs_of(options));
    std::size_t refused = 0;
    for (const std::string& name : shipped_names("guidelines")) {
        for (const Guideline& each :
             parse_guidelines(read_file(shipped_file("guidelines", name)), name)) {
            if (is_among(known, each.id)) continue;
            options.only = {each.id};
            options.guidelines = {"library"};
            const std::string error = error_of(options);
            // A statement that another file states, too, is accepted by this id.
            if (error.empty()) continue;
            ++refused;
            const std::string end = "' is no guideline of this audit; --guidelines ";
            ASSERT_THAT(error, HasSubstr(end)) << each.id;
            const std::size_t at = error.find(end) + end.size();
            options.guidelines = {error.substr(at, error.find(' ', at) - at)};
            EXPECT_THAT(ids(inputs_of(options)), ElementsAre(each.id)) << error;
            break;
        }
    }
    EXPECT_GT(refused, 8U);
}

TEST(Inputs, AFunctionSelectsItsCallsInEveryFileThatHasSome) {
    for (const std::string& name : shipped_names("guidelines")) {
        std::string function;
        std::vector<std::string> wanted;  // ids of this file about its first function
        for (const Guideline& each :
             parse_guidelines(read_file(shipped_file("guidelines", name)), name)) {
            const Form& form = each.inequality.left.steps.front().arrow->form;
            if (!form.is_of_mpi() || each.inequality.left.steps.size() > 1) continue;
            if (function.empty()) function = form.function();
            if (form.function() == function) wanted.push_back(each.id);
        }
        if (wanted.empty()) continue;
        RunOptions options;
        options.guidelines = {name};
        options.collectives = {function};
        EXPECT_THAT(ids(inputs_of(options)), testing::IsSupersetOf(wanted)) << name;
    }
    RunOptions options;
    options.guidelines = {"calls"};
    options.collectives = {"MPI_Bcast"};
    EXPECT_THAT(
        ids(inputs_of(options)),
        UnorderedElementsAre("in-a-row-bcast", "new-communicator-bcast", "new-buffers-bcast"));
}

TEST(Inputs, OtherFilesNameTheEntriesToLookAt) {
    RunOptions options;
    options.block_sizes = std::string(spread_sizes);
    const Inputs inputs = inputs_of(options);
    std::set<std::string> looks;
    for (const Guideline& each : inputs.guidelines) {
        if (each.id == "in-place-alltoall") {
            EXPECT_EQ(each.look, "forms");
        }
        if (each.id == "irregular-2") {
            EXPECT_EQ(each.look, "");
        }
        looks.insert(each.look);
    }
    EXPECT_THAT(looks, UnorderedElementsAre("", "forms", "calls", "vector"));
    EXPECT_THAT(ids(inputs), AllOf(Contains("in-place-alltoall"), Not(Contains("reversed-bcast"))));
    for (const char* name : {"forms", "calls", "vector", "user-sum"})
        EXPECT_THAT(names(inputs), Contains(name));
}

TEST(Inputs, LibraryHasGuidelinesOfDevicesForBuffersThere) {
    RunOptions options;
    EXPECT_THAT(ids(inputs_of(options)), Not(Contains("staged-bcast")));
    options.memory_kind = "host,cuda";
    EXPECT_THAT(ids(inputs_of(options)), Contains("staged-bcast"));
}

TEST(Inputs, AllIsWhatIsListed) {
    RunOptions options;
    options.distributions = {"all"};
    EXPECT_EQ(names(inputs_of(options)), shipped_names("distributions"));
    EXPECT_THAT(shipped_names("guidelines"), Contains("irregular"));
}

TEST(Inputs, UnknownNamesAreAnsweredWithTheNearest) {
    RunOptions options;
    options.guidelines = {"iregular"};
    EXPECT_THAT(error_of(options),
                AllOf(StartsWith("--guidelines: unknown guideline 'iregular'; did you mean "
                                 "'irregular'? Valid: "),
                      HasSubstr("(searched in " SOURCE_DIR "/guidelines; own files: ")));
    options = {};
    options.distributions = {"same", "spike"};
    EXPECT_THAT(error_of(options),
                StartsWith("--distributions: unknown distribution 'spike'; did you mean 'spikes'? "
                           "Valid: alternating, decreasing, "));
    options = {};
    options.collectives = {"MPI_Gathrv"};
    EXPECT_THAT(error_of(options),
                StartsWith("--collectives: unknown collective 'MPI_Gathrv'; did you mean "
                           "'MPI_Gatherv'?"));
    options = {};
    options.only = {"irregular-3"};
    EXPECT_THAT(error_of(options), StartsWith("--only: unknown guideline id 'irregular-3'; did you "
                                              "mean 'irregular-"));
}

TEST(Inputs, OnlyAndCollectivesKeepTheNamedGuidelines) {
    RunOptions options;
    options.guidelines = {"irregular"};
    options.only = {"irregular-2", "irregular-1"};
    EXPECT_THAT(ids(inputs_of(options)), ElementsAre("irregular-1", "irregular-2"));
    options.collectives = {"MPI_Gatherv"};  // names left sides
    EXPECT_THAT(ids(inputs_of(options)), ElementsAre("irregular-2"));
    options.only = {};
    options.collectives = {"TUW_Gatherv"};
    EXPECT_THAT(ids(inputs_of(options)), ElementsAre("irregular-2-tuw"));
    options.collectives = {"gather"};  // names a family
    EXPECT_EQ(ids(inputs_of(options)).size(), 5U);
    options.only = {"irregular-2"};
    options.collectives = {"MPI_Gather"};
    EXPECT_THAT(ids(inputs_of(options)), IsEmpty());
}

TEST(Inputs, AStatementInTwoFilesCountsOnce) {
    RunOptions options;
    options.guidelines = {"irregular", "self-consistent"};
    const std::string first = "irregular-1", second = "pattern-gather-2";  // Gather <= Gatherv
    EXPECT_THAT(ids(inputs_of(options)), AllOf(Contains(first), Not(Contains(second))));
    options.guidelines = {"self-consistent", "irregular"};
    EXPECT_THAT(ids(inputs_of(options)), AllOf(Contains(second), Not(Contains(first))));
    options.only = {first};
    EXPECT_THAT(ids(inputs_of(options)), ElementsAre(first));
}

TEST(Inputs, ExplicitCountsTakeThePlaceOfTheDefaultDistributions) {
    RunOptions options;
    options.counts = "5, 0, 3";
    settle_defaults(options);
    Inputs inputs = inputs_of(options);
    EXPECT_THAT(names(inputs), ElementsAre("counts"));
    EXPECT_THAT(inputs.distributions.front().counts, ElementsAre(5, 0, 3));
    options.counts = "[5, 0, 3]";
    EXPECT_THAT(inputs_of(options).distributions.front().counts, ElementsAre(5, 0, 3));
    const UserFile file("rows.json", "[1, 2]");
    options.counts = file.path();
    options.distributions = {"same"};
    inputs = inputs_of(options);
    EXPECT_THAT(names(inputs), ElementsAre("same", "rows"));
    EXPECT_THAT(inputs.distributions.back().counts, ElementsAre(1, 2));
}

TEST(Inputs, TextsSurviveAMessage) {
    const InputTexts texts{{{"mine.json", "{}"}, {"", ""}},
                           {{"spikes.json", "a\nb", "rho=5"}, {"same.json", "c", ""}},
                           true};
    EXPECT_EQ(unpacked<InputTexts>(packed(texts)), texts);
    EXPECT_EQ(unpacked<InputTexts>(packed(InputTexts{})), InputTexts{});
}

TEST(Inputs, AnErrorAboutAnAbsentProductNamesTheRemedy) {
    const std::string remedy =
        "this mpiaudit is built without src/papers; 'jobs/build PRESET' builds it with them, and "
        "cmake with -DMPIAUDIT_PAPERS=ON";
    const UserFile file("mine.json", R"({"product": "nowhere", "guidelines": [
        {"id": "mine", "statement": "MPI_Gather <= MPI_Gatherv"}]})");
    RunOptions options;
    options.guidelines = {file.path()};
    EXPECT_EQ(error_of(options), "--guidelines " + file.path() + ": " + remedy);
    options.guidelines = {"irregular", file.path()};
    EXPECT_EQ(error_of(options), "");
    options.only = {"irregular-1", "mine"};
    EXPECT_EQ(error_of(options), "--only mine: " + remedy);
}

TEST(Inputs, NothingMayBeGivenTwice) {
    const UserFile file("mine.json",
                        R"({"guidelines": [{"id": "irregular-1", "statement":
                            "MPI_Gather <= MPI_Gatherv"}]})");
    RunOptions options;
    options.guidelines = {"irregular", file.path()};
    EXPECT_EQ(error_of(options),
              "--guidelines: the id 'irregular-1' stands in irregular.json and "
              "in " +
                  file.path() + "; rename one");
    options = {};
    options.distributions = {"same", "spikes:rho=10", "spikes", "same"};
    EXPECT_EQ(error_of(options), "--distributions: 'same' is given twice");
}

}  // namespace
}  // namespace mpiaudit
