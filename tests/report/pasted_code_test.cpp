// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "report/pasted_code.h"
#include "report/report.h"

namespace mpiaudit {
namespace {

const std::vector<record::Implementation> implementations = [] {
    std::vector<record::Implementation> all;
    for (const auto& [name, written_as] :
         {std::pair{"MPI_Gather[binomial]", "OMPI_MCA_x=1 OMPI_MCA_y=2"},
          {"TUW_Gatherv_k2", "mpiaudit::TUW_Gatherv_k2"},
          {"reduce_scatterv_Reduce_scatter_block",
           "mpiaudit::reduce_scatterv_Reduce_scatter_block"},
          {"persBruck_Alltoall", "mpiaudit::persBruck_Alltoall_init"},
          {"MPI_Bcast_init", "MPIX_Bcast_init"},
          {"Min3_Allgather", ""}}) {
        record::Implementation& each = all.emplace_back();
        each.name = name;
        each.written_as = written_as;
    }
    all.emplace_back().name = "MPI_Gather[as mine]";
    all.back().stands_for = "MPI_Gather";
    return all;
}();

std::string code(const std::string& name, std::vector<std::string> steps) {
    record::ContestantDescription way;
    way.name = name;
    way.steps.assign(steps.begin(), steps.end());
    way.from = way.steps.front().from;
    way.to = way.steps.back().to;
    way.forced = name.find("[binomial]") != std::string::npos;
    return pasted_code(way, implementations);
}

TEST(PastedCode, Calls) {
    EXPECT_EQ(code("MPI_Bcast(m)", {"MPI_Bcast: rooted -> replicated"}),
              "MPI_Bcast(buffer, count, type, root, comm);");
    EXPECT_EQ(code("MPI_Gatherv(m)", {"MPI_Gatherv: scattered -> rooted"}),
              "MPI_Gatherv(sendbuf, count, type, recvbuf, counts, displs, type, root, comm);");
    EXPECT_EQ(code("MPI_Barrier", {"MPI_Barrier: apart -> together"}), "MPI_Barrier(comm);");
    EXPECT_EQ(code("MPI_Allreduce(1)", {"MPI_Allreduce: apart -> together"}),
              "MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm);");
}

TEST(PastedCode, Compositions) {
    EXPECT_EQ(code("MPI_Gather(m) + MPI_Bcast(m)",
                   {"MPI_Gather: scattered -> rooted", "MPI_Bcast: rooted -> replicated"}),
              "MPI_Gather(sendbuf, count, type, recvbuf, count, type, root, comm); "
              "MPI_Bcast(recvbuf, total, type, root, comm);");
    EXPECT_EQ(
        code("MPI_Allreduce(1) + MPI_Gather(m')",
             {"MPI_Allreduce: scattered -> padded scattered",
              "MPI_Gather: padded scattered -> padded rooted", "view: padded rooted -> rooted"}),
        "MPI_Allreduce(&count, &largest, 1, MPI_INT, MPI_MAX, comm); "
        "MPI_Gather(sendbuf, largest, type, recvbuf, largest, type, root, comm); "
        "/* buffers have room for all that is moved */");
    EXPECT_EQ(code("MPI_Exscan(m) + MPI_Reduce_local(m)",
                   {"MPI_Exscan: contributed -> exclusively prefixed",
                    "MPI_Reduce_local: exclusively prefixed -> prefixed"}),
              "MPI_Exscan(sendbuf, recvbuf, count, type, op, comm); "
              "if (rank == 0) memcpy(recvbuf, sendbuf, bytes); else "
              "MPI_Reduce_local(sendbuf, recvbuf, count, type, op); /* op commutes */");
    EXPECT_EQ(code("MPI_Allreduce(m)",
                   {"MPI_Allreduce: contributed -> replicated", "view: replicated -> scattered"}),
              "MPI_Allreduce(sendbuf, recvbuf, total, type, op, comm); "
              "/* buffers have room for all that is moved */");
}

TEST(PastedCode, OperationsInPlaceBehindOthers) {
    EXPECT_EQ(code("MPI_Scatter(m) + MPI_Allgather(m)",
                   {"MPI_Scatter[in place]: rooted -> scattered",
                    "MPI_Allgather[in place]: scattered -> replicated"}),
              "MPI_Scatter(buffer, count, type, rank == root ? MPI_IN_PLACE : own_block_in_buffer, "
              "count, type, root, comm); "
              "MPI_Allgather(MPI_IN_PLACE, count, type, buffer, count, type, comm);");
    EXPECT_EQ(
        code("MPI_Reduce_scatter(m) + MPI_Gatherv(m)",
             {"MPI_Reduce_scatter: contributed -> scattered",
              "MPI_Gatherv[in place]: scattered -> rooted"}),
        "MPI_Reduce_scatter(sendbuf, rank == root ? own_block_in_recvbuf : tmp, counts, type, op, "
        "comm); MPI_Gatherv(rank == root ? MPI_IN_PLACE : tmp, count, type, recvbuf, counts, "
        "displs, type, root, comm);");
    EXPECT_EQ(
        code("MPI_Allreduce[in place](m)", {"zero fill: scattered -> contributed",
                                            "MPI_Allreduce[in place]: contributed -> replicated"}),
        "memset(recvbuf, 0, bytes); memcpy(own_block_in_recvbuf, sendbuf, block_bytes); "
        "MPI_Allreduce(MPI_IN_PLACE, recvbuf, total, type, op, comm);");
    EXPECT_EQ(
        code("MPI_Reduce(m) + MPI_Scatter(m) + MPI_Allgather(m)",
             {"MPI_Reduce: contributed -> rooted", "MPI_Scatter[in place]: rooted -> scattered",
              "MPI_Allgather[in place]: scattered -> replicated"}),
        "MPI_Reduce(sendbuf, recvbuf, total, type, op, root, comm); "
        "MPI_Scatter(recvbuf, count, type, rank == root ? MPI_IN_PLACE : "
        "own_block_in_recvbuf, count, type, root, comm); "
        "MPI_Allgather(MPI_IN_PLACE, count, type, recvbuf, count, type, comm);");
    EXPECT_EQ(code("MPI_Pack + MPI_Scatter(m) + MPI_Unpack",
                   {"MPI_Pack: rooted -> packed rooted",
                    "MPI_Scatter[in place]: packed rooted -> packed scattered",
                    "MPI_Unpack: packed scattered -> scattered"}),
              "MPI_Pack(sendbuf, count, type, tmp, bytes, &position, comm); "
              "MPI_Scatter(tmp, count, type, rank == root ? MPI_IN_PLACE : tmp2, count, type, "
              "root, comm); "
              "MPI_Unpack(rank == root ? own_block_in_tmp : tmp2, bytes, &position, recvbuf, "
              "count, type, comm);");
}

TEST(PastedCode, OtherForms) {
    EXPECT_EQ(code("MPI_Ireduce(m) + MPI_Wait", {"MPI_Ireduce: contributed -> rooted"}),
              "MPI_Ireduce(sendbuf, recvbuf, count, type, op, root, comm, &request); "
              "MPI_Wait(&request, MPI_STATUS_IGNORE);");
    EXPECT_EQ(
        code("MPI_Bcast_init(m)", {"MPI_Bcast_init: rooted -> replicated"}),
        "MPIX_Bcast_init(buffer, count, type, root, comm, MPI_INFO_NULL, &request); /* once */ "
        "MPI_Start(&request); MPI_Wait(&request, MPI_STATUS_IGNORE);");
    EXPECT_EQ(
        code("MPI_Gather[in place](m)", {"MPI_Gather[in place]: scattered -> rooted"}),
        "MPI_Gather(rank == root ? MPI_IN_PLACE : sendbuf, count, type, recvbuf, count, type, "
        "root, comm);");
    EXPECT_EQ(
        code("MPI_Allreduce[in place](m)", {"MPI_Allreduce[in place]: contributed -> replicated"}),
        "MPI_Allreduce(MPI_IN_PLACE, recvbuf, count, type, op, comm);");
    // Counts and buffers of parts are not those of the caller.
    EXPECT_EQ(code("2 MPI_Scatterv(m/2)", {"MPI_Scatterv: rooted -> scattered"}), "");
    EXPECT_EQ(code("MPI_Bcast(m+k)", {"MPI_Bcast: rooted -> replicated"}), "");
}

TEST(PastedCode, PartsInFlight) {
    EXPECT_EQ(
        code("MPI_Ibcast[2 parts](m) + MPI_Waitall", {"MPI_Ibcast[2 parts]: rooted -> replicated"}),
        "for (int i = 0; i < 2; ++i) { const int at = (long)count * i / 2, end = (long)count * (i "
        "+ 1) / 2; MPI_Ibcast(buffer + at * extent, end - at, type, root, comm, &requests[i]); } "
        "MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);");
    EXPECT_EQ(
        code("MPI_Iscatterv[4 parts](m) + MPI_Waitall",
             {"MPI_Iscatterv[4 parts]: rooted -> scattered"}),
        "for (int i = 0; i < 4; ++i) { const int at = (long)count * i / 4, end = (long)count * (i "
        "+ 1) / 4; MPI_Iscatterv(sendbuf, part_counts[i], part_displs[i], type, recvbuf + at * "
        "extent, end - at, type, root, comm, &requests[i]); } MPI_Waitall(4, requests, "
        "MPI_STATUSES_IGNORE);");
}

TEST(PastedCode, OtherUsesOfAFunction) {
    EXPECT_EQ(code("MPI_Alltoall(m)", {"MPI_Alltoall: scattered -> replicated"}),
              "for (int k = 0; k < p; ++k) memcpy(copies + k * block_bytes, sendbuf, block_bytes); "
              "MPI_Alltoall(copies, count, type, recvbuf, count, type, comm);");
    EXPECT_EQ(
        code("MPI_Allgatherv(m)", {"MPI_Allgatherv: rooted -> replicated"}),
        "/* root_counts[k]: total for the root, 0 elsewhere */ MPI_Allgatherv(MPI_IN_PLACE, 0, "
        "type, buffer, root_counts, root_displs, type, comm);");
    EXPECT_EQ(
        code("MPI_Allreduce(m)", {"zero fill: rooted -> contributed",
                                  "MPI_Allreduce[in place]: contributed -> replicated"}),
        "if (rank != root) memset(buffer, 0, bytes); MPI_Allreduce(MPI_IN_PLACE, buffer, count, "
        "type, op, comm);");
}

TEST(PastedCode, PutTogetherOfOthers) {
    EXPECT_EQ(
        code("MPI_Scan[by MPI_Allgather](m)",
             {"MPI_Scan[by MPI_Allgather]: contributed -> prefixed"}),
        "MPI_Allgather(sendbuf, count, type, tmp, count, type, comm); memcpy(recvbuf, tmp + "
        "rank * bytes, bytes); for (int k = rank - 1; k >= 0; --k) MPI_Reduce_local(tmp + k * "
        "bytes, recvbuf, count, type, op);");
    // Their communicators are not those of the caller.
    EXPECT_EQ(code("MPI_Bcast[folded](m)", {"MPI_Bcast[folded]: rooted -> replicated"}), "");
}

TEST(PastedCode, ReferencesAndForcedAlgorithms) {
    EXPECT_EQ(code("TUW_Gatherv_k2(m)", {"TUW_Gatherv_k2: scattered -> rooted"}),
              "mpiaudit::TUW_Gatherv_k2(sendbuf, count, type, recvbuf, counts, displs, type, root, "
              "comm);");
    EXPECT_EQ(code("reduce_scatterv_Reduce_scatter_block(m)",
                   {"reduce_scatterv_Reduce_scatter_block: contributed -> scattered"}),
              "mpiaudit::reduce_scatterv_Reduce_scatter_block(sendbuf, recvbuf, count, type, op, "
              "comm);");
    EXPECT_EQ(code("persBruck_Alltoall(m)", {"persBruck_Alltoall: outgoing -> incoming"}),
              "mpiaudit::persBruck_Alltoall_init(sendbuf, count, type, recvbuf, count, type, comm, "
              "&handle); /* once */ mpiaudit::persBruck_Alltoall_start(handle); "
              "mpiaudit::persBruck_Alltoall_wait(handle);");
    EXPECT_EQ(code("MPI_Gather[binomial](m)", {"MPI_Gather[binomial]: scattered -> rooted"}),
              "OMPI_MCA_x=1 OMPI_MCA_y=2");
    EXPECT_EQ(code("Min3_Allgather(m)", {"Min3_Allgather: scattered -> replicated"}), "");
    EXPECT_EQ(code("MPI_Gather[as mine](m)", {"MPI_Gather[as mine]: scattered -> rooted"}), "");
}

TEST(WrittenScale, OfNames) {
    EXPECT_TRUE(record::scale_of("MPI_Bcast(m)").is_whole());
    EXPECT_TRUE(record::scale_of("10 MPI_Bcast(m/10)").is_whole());
    EXPECT_TRUE(record::scale_of("MPI_Bcast(m+k)").is_whole());
    EXPECT_FALSE(record::scale_of("MPI_Bcast(m/2)").is_whole());
}

using testing::ElementsAre;

record::Implementation implementation(const std::string& name, bool native,
                                      const std::string& collective = "gather") {
    return {.name = name,
            .collective = collective,
            .from = {},
            .to = {},
            .native = native,
            .summary = {}};
}

record::ContestantDescription way(const std::string& name, std::vector<std::string> steps = {},
                                  bool forced = false) {
    record::ContestantDescription made;
    made.name = name;
    made.steps.assign(steps.begin(), steps.end());
    made.forced = forced;
    return made;
}

record::Implementation stand_in(const std::string& name) {
    record::Implementation made = implementation(name, false);
    made.stands_for = "MPI_Gather";
    return made;
}

TEST(CheckKind, FollowsFromTheLeftSide) {
    const Names references = reference_names(
        {implementation("MPI_Gather", true), implementation("TUW_Gatherv", false),
         implementation("MPI_Igather", false), implementation("MPI_Pack", false, "local"),
         implementation("zero fill", false, "local"), implementation("MPI_Gather[binomial]", true),
         stand_in("MPI_Gather[as mine]")});
    EXPECT_THAT(references, ElementsAre("MPI_Gather[as mine]", "TUW_Gatherv"));
    for (const auto& left : {way("MPI_Gather(m)", {"MPI_Gather: a -> b"}),
                             way("MPI_Igather(m) + MPI_Wait", {"MPI_Igather: a -> b"}),
                             way("MPI_Pack + MPI_Gather(m)",
                                 {"MPI_Pack: a -> c", "zero fill: c -> d", "MPI_Gather: d -> b"}),
                             way("MPI_Gather[binomial](m)", {"MPI_Gather[binomial]: a -> b"}, true),
                             way("MPI_Gather(m) + MPI_Gather(m)"),
                             way("TUW_Gatherv(m)", {"TUW_Gatherv: a -> b"}, true)})
        EXPECT_EQ(kind_of(left, references), CheckKind::verdict) << left.name;
    for (const auto& left :
         {way("TUW_Gatherv(m)", {"TUW_Gatherv: a -> b"}),
          way("MPI_Gather(m) + TUW_Gatherv(m)", {"MPI_Gather: a -> c", "TUW_Gatherv: c -> b"}),
          way("MPI_Gather[as mine](m)", {"MPI_Gather[as mine]: a -> b"}),
          way("MPI_Gather[as mine](m')"), way("TUW_Gatherv(m)#2"), way("10 TUW_Gatherv(m/10)"),
          way("MPI_Gather(m) + TUW_Gatherv(m)")})
        EXPECT_EQ(kind_of(left, references), CheckKind::remark) << left.name;
}

}  // namespace
}  // namespace mpiaudit
