// SPDX-License-Identifier: BSD-3-Clause
// What code_to_paste() has code for. That the code is right is a matter of pasted_codes_test.py.
#include "code/paste.h"

#include <gmock/gmock.h>

#include "described_way.h"

namespace mpiaudit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

PastedCode code(const char* replaced, const char* name, const char* way) {
    return code_to_paste(described_way(name, way), parse_way(replaced), {});
}

TEST(CodeToPaste, DefinesWhatTheOperationHasNoArgumentFor) {
    EXPECT_EQ(code("MPI_Bcast(m)", "MPI_Bcast(m)", "rooted -> MPI_Bcast -> replicated").text,
              "MPI_Bcast(buffer, count, type, root, comm);");
    EXPECT_EQ(code("MPI_Gather(m)", "MPI_Gatherv(m)", "scattered -> MPI_Gatherv -> rooted").text,
              R"({
    int p;
    MPI_Comm_size(comm, &p);
    int numbers[p];
    for (int k = 0; k < p; ++k) {
        numbers[k] = count;
    }
    int offsets[p];
    for (int k = 0; k < p; ++k) {
        offsets[k] = k * count;
    }
    MPI_Gatherv(sendbuf, count, type, recvbuf, numbers, offsets, type, root,
        comm);
})");
}

TEST(CodeToPaste, CallsTheReplacedOperationForWhatEqualBlocksLeave) {
    const PastedCode pasted =
        code("MPI_Bcast(m)", "MPI_Scatter(m) + MPI_Allgather(m)",
             "rooted -> MPI_Scatter[in place] -> scattered -> MPI_Allgather[in place] -> "
             "replicated");
    EXPECT_THAT(pasted.text, HasSubstr("    const int block = count / p;\n"
                                       "    const int rest = count % p;\n"));
    EXPECT_THAT(
        pasted.text,
        HasSubstr("    if (rest > 0) {\n"
                  "        MPI_Bcast((char *)buffer + extent * (count - rest), rest, type, root,\n"
                  "            comm);\n"
                  "    }\n"));
}

TEST(CodeToPaste, SaysWhatItNeeds) {
    EXPECT_THAT(code("MPI_Gatherv(m)", "MPI_Gather(m)", "scattered -> MPI_Gather -> rooted").needs,
                ElementsAre("equal blocks without gaps"));
    const PastedCode sum = code("MPI_Scan(m)", "MPI_Exscan(m) + MPI_Reduce_local(m)",
                                "contributed -> MPI_Exscan -> exclusively prefixed -> "
                                "MPI_Reduce_local -> prefixed");
    EXPECT_THAT(sum.needs, ElementsAre("a commutative operator"));
    EXPECT_THAT(sum.text, testing::StartsWith("/* needs a commutative operator */\n{\n"));
}

TEST(CodeToPaste, KeepsTheResultWhereTheReplacedCallPutsIt) {
    const PastedCode pasted =
        code("MPI_Reduce_scatter(m)", "MPI_Allreduce(m)",
             "contributed -> MPI_Allreduce -> replicated -> view -> scattered");
    EXPECT_THAT(pasted.text, HasSubstr("MPI_Allreduce(sendbuf, tmp, all, type, op, comm);"));
    EXPECT_THAT(pasted.text, HasSubstr("memcpy(recvbuf, tmp + extent * offsets[rank], extent * "
                                       "own);\n"));
}

TEST(CodeToPaste, HasNothingThatWasNotCompared) {
    const char* const gather = "scattered -> MPI_Gather -> rooted";
    for (const auto& [replaced, name, way] :
         {// Equal blocks would lie in other places.
          std::tuple{"MPI_Gather(m)", "2 MPI_Gather(m/2)", gather},
          {"MPI_Gatherv(m)", "3 MPI_Gatherv(m/3)", "scattered -> MPI_Gatherv -> rooted"},
          {"MPI_Gather[in place](m)", "MPI_Gatherv(m)", "scattered -> MPI_Gatherv -> rooted"},
          {"MPI_Gather[dup](m)", "MPI_Gather(m)", gather},
          {"MPI_Gather(m)", "TUW_Gatherv(m)", "scattered -> TUW_Gatherv -> rooted"},
          {"MPI_Gather(m)", "MPI_Gather[in place](m)",
           "scattered -> MPI_Gather[in place] -> rooted"},
          {"MPI_Bcast(m)", "MPI_Bcast[folded](m)", "rooted -> MPI_Bcast[folded] -> replicated"},
          {"MPI_Bcast(m)", "MPI_Bcast(m+k)", "rooted -> MPI_Bcast -> replicated"},
          {"MPI_Bcast(m)", "MPI_Pack(m) + MPI_Bcast(m) + MPI_Unpack(m)",
           "rooted -> MPI_Pack -> packed rooted -> MPI_Bcast -> packed replicated -> MPI_Unpack -> "
           "replicated"},
          // The name is that of a way between other layouts.
          {"MPI_Reduce_scatter(m)", "MPI_Allreduce(m)",
           "scattered -> zero fill -> contributed -> MPI_Allreduce[in place] -> replicated"},
          {"MPI_Alltoallw(m)", "MPI_Alltoallv(m)", "outgoing -> MPI_Alltoallv -> incoming"}})
        EXPECT_THAT(code(replaced, name, way).text, IsEmpty()) << name;
}

TEST(CodeToPaste, IsTheVariablesOfAForcedAlgorithm) {
    record::Implementation binomial;
    binomial.name = "MPI_Gather[binomial]";
    binomial.written_as = "OMPI_MCA_x=1 OMPI_MCA_y=2";
    const auto way =
        described_way("MPI_Gather[binomial](m)", "scattered -> MPI_Gather[binomial] -> rooted");
    EXPECT_EQ(code_to_paste(way, parse_way("MPI_Gather(m)"), {binomial}).text, binomial.written_as);
}

}  // namespace
}  // namespace mpiaudit
