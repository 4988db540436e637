// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <regex>
#include <set>

#include "catalogue/catalogue.h"
#include "code/calls.h"
#include "report/findings.h"
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

/// Layouts with the operations between them.
record::ContestantDescription way_of(const std::string& name, const std::string& way = "a") {
    const std::regex arrow(" -> ");
    const std::vector<std::string> parts(
        std::sregex_token_iterator(way.begin(), way.end(), arrow, -1), {});
    record::ContestantDescription made;
    made.name = name;
    for (std::size_t i = 0; i + 2 < parts.size(); i += 2)
        made.steps.emplace_back(parts[i + 1] + ": " + parts[i] + " -> " + parts[i + 2]);
    made.from = parts.front();
    made.to = parts.back();
    made.forced = name.find("[binomial]") != std::string::npos;
    return made;
}

struct Pasted {
    const char *name, *way, *code;
};
const Pasted pasted[] = {
    // Calls.
    {"MPI_Bcast(m)", "rooted -> MPI_Bcast -> replicated",
     "MPI_Bcast(buffer, count, type, root, comm);"},
    {"MPI_Gatherv(m)", "scattered -> MPI_Gatherv -> rooted",
     "MPI_Gatherv(sendbuf, count, type, recvbuf, counts, displs, type, root, comm);"},
    {"MPI_Barrier", "apart -> MPI_Barrier -> together", "MPI_Barrier(comm);"},
    {"MPI_Allreduce(1)", "apart -> MPI_Allreduce -> together",
     "MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm);"},
    // Compositions.
    {"MPI_Gather(m) + MPI_Bcast(m)", "scattered -> MPI_Gather -> rooted -> MPI_Bcast -> replicated",
     "MPI_Gather(sendbuf, count, type, recvbuf, count, type, root, comm); MPI_Bcast(recvbuf, "
     "total, type, root, comm);"},
    {"MPI_Allreduce(1) + MPI_Gather(m')",
     "scattered -> MPI_Allreduce -> padded scattered -> MPI_Gather -> padded rooted -> view "
     "-> rooted",
     "MPI_Allreduce(&count, &largest, 1, MPI_INT, MPI_MAX, comm); MPI_Gather(sendbuf, largest, "
     "type, recvbuf, largest, type, root, comm); /* buffers have room for all that is moved */"},
    {"MPI_Exscan(m) + MPI_Reduce_local(m)",
     "contributed -> MPI_Exscan -> exclusively prefixed -> MPI_Reduce_local -> prefixed",
     "MPI_Exscan(sendbuf, recvbuf, count, type, op, comm); if (rank == 0) memcpy(recvbuf, "
     "sendbuf, bytes); else MPI_Reduce_local(sendbuf, recvbuf, count, type, op); /* op commutes "
     "*/"},
    {"MPI_Allreduce(m)", "contributed -> MPI_Allreduce -> replicated -> view -> scattered",
     "MPI_Allreduce(sendbuf, recvbuf, total, type, op, comm); /* buffers have room for all that "
     "is moved */"},
    // Operations in place behind others.
    {"MPI_Scatter(m) + MPI_Allgather(m)",
     "rooted -> MPI_Scatter[in place] -> scattered -> MPI_Allgather[in place] -> replicated",
     "MPI_Scatter(buffer, count, type, rank == root ? MPI_IN_PLACE : own_block_in_buffer, count, "
     "type, root, comm); MPI_Allgather(MPI_IN_PLACE, count, type, buffer, count, type, comm);"},
    {"MPI_Reduce_scatter(m) + MPI_Gatherv(m)",
     "contributed -> MPI_Reduce_scatter -> scattered -> MPI_Gatherv[in place] -> rooted",
     "MPI_Reduce_scatter(sendbuf, rank == root ? own_block_in_recvbuf : tmp, counts, type, op, "
     "comm); MPI_Gatherv(rank == root ? MPI_IN_PLACE : tmp, count, type, recvbuf, counts, "
     "displs, type, root, comm);"},
    {"MPI_Allreduce[in place](m)",
     "scattered -> zero fill -> contributed -> MPI_Allreduce[in place] -> replicated",
     "memset(recvbuf, 0, bytes); memcpy(own_block_in_recvbuf, sendbuf, block_bytes); "
     "MPI_Allreduce(MPI_IN_PLACE, recvbuf, total, type, op, comm);"},
    {"MPI_Reduce(m) + MPI_Scatter(m) + MPI_Allgather(m)",
     "contributed -> MPI_Reduce -> rooted -> MPI_Scatter[in place] -> scattered -> "
     "MPI_Allgather[in place] -> replicated",
     "MPI_Reduce(sendbuf, recvbuf, total, type, op, root, comm); MPI_Scatter(recvbuf, count, "
     "type, rank == root ? MPI_IN_PLACE : own_block_in_recvbuf, count, type, root, comm); "
     "MPI_Allgather(MPI_IN_PLACE, count, type, recvbuf, count, type, comm);"},
    {"MPI_Pack + MPI_Scatter(m) + MPI_Unpack",
     "rooted -> MPI_Pack -> packed rooted -> MPI_Scatter[in place] -> packed scattered -> "
     "MPI_Unpack -> scattered",
     "MPI_Pack(sendbuf, count, type, tmp, bytes, &position, comm); MPI_Scatter(tmp, count, type, "
     "rank == root ? MPI_IN_PLACE : tmp2, count, type, root, comm); MPI_Unpack(rank == root ? "
     "own_block_in_tmp : tmp2, bytes, &position, recvbuf, count, type, comm);"},
    // Other forms.
    {"MPI_Ireduce(m) + MPI_Wait", "contributed -> MPI_Ireduce -> rooted",
     "MPI_Ireduce(sendbuf, recvbuf, count, type, op, root, comm, &request); MPI_Wait(&request, "
     "MPI_STATUS_IGNORE);"},
    {"MPI_Bcast_init(m)", "rooted -> MPI_Bcast_init -> replicated",
     "MPIX_Bcast_init(buffer, count, type, root, comm, MPI_INFO_NULL, &request); /* once */ "
     "MPI_Start(&request); MPI_Wait(&request, MPI_STATUS_IGNORE);"},
    {"MPI_Gather[in place](m)", "scattered -> MPI_Gather[in place] -> rooted",
     "MPI_Gather(rank == root ? MPI_IN_PLACE : sendbuf, count, type, recvbuf, count, type, root, "
     "comm);"},
    {"MPI_Allreduce[in place](m)", "contributed -> MPI_Allreduce[in place] -> replicated",
     "MPI_Allreduce(MPI_IN_PLACE, recvbuf, count, type, op, comm);"},
    // Parts one after the other.
    {"2 MPI_Scatterv(m/2)", "rooted -> MPI_Scatterv -> scattered",
     "for (int i = 0; i < 2; ++i) { const int at = (long)count * i / 2, end = (long)count * (i + "
     "1) / 2; MPI_Scatterv(sendbuf, part_counts[i], part_displs[i], type, recvbuf + at * extent, "
     "end - at, type, root, comm); }"},
    {"2 MPI_Reduce_scatter(m/2)", "contributed -> MPI_Reduce_scatter -> scattered", ""},
    {"2 MPI_Gather(m/2)", "scattered -> MPI_Gather -> rooted",
     "/* the blocks of a part lie together */ for (int i = 0; i < 2; ++i) { const int at = "
     "(long)count * i / 2, end = (long)count * (i + "
     "1) / 2; MPI_Gather(sendbuf + at * extent, end - at, type, recvbuf + p * at * extent, end - "
     "at, type, root, comm); }"},
    {"2 MPI_Scatterv(m/2) + MPI_Allgatherv(m/2)",
     "rooted -> MPI_Scatterv -> scattered -> MPI_Allgatherv -> replicated", ""},
    {"MPI_Bcast(m+k)", "rooted -> MPI_Bcast -> replicated", ""},
    // Parts in flight.
    {"MPI_Ibcast[2 parts](m) + MPI_Waitall", "rooted -> MPI_Ibcast[2 parts] -> replicated",
     "for (int i = 0; i < 2; ++i) { const int at = (long)count * i / 2, end = (long)count * (i + "
     "1) / 2; MPI_Ibcast(buffer + at * extent, end - at, type, root, comm, &requests[i]); } "
     "MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);"},
    {"MPI_Iscatterv[4 parts](m) + MPI_Waitall", "rooted -> MPI_Iscatterv[4 parts] -> scattered",
     "for (int i = 0; i < 4; ++i) { const int at = (long)count * i / 4, end = (long)count * (i + "
     "1) / 4; MPI_Iscatterv(sendbuf, part_counts[i], part_displs[i], type, recvbuf + at * "
     "extent, end - at, type, root, comm, &requests[i]); } MPI_Waitall(4, requests, "
     "MPI_STATUSES_IGNORE);"},
    // Other uses of a function.
    {"MPI_Alltoall(m)", "scattered -> MPI_Alltoall -> replicated",
     "for (int k = 0; k < p; ++k) memcpy(copies + k * block_bytes, sendbuf, block_bytes); "
     "MPI_Alltoall(copies, count, type, recvbuf, count, type, comm);"},
    {"MPI_Allgatherv(m)", "rooted -> MPI_Allgatherv -> replicated",
     "/* root_counts[k]: total for the root, 0 elsewhere */ MPI_Allgatherv(MPI_IN_PLACE, 0, "
     "type, buffer, root_counts, root_displs, type, comm);"},
    {"MPI_Allreduce(m)",
     "rooted -> zero fill -> contributed -> MPI_Allreduce[in place] -> replicated",
     "if (rank != root) memset(buffer, 0, bytes); MPI_Allreduce(MPI_IN_PLACE, buffer, count, "
     "type, op, comm);"},
    // Put together of others.
    {"MPI_Scan[by MPI_Allgather](m)", "contributed -> MPI_Scan[by MPI_Allgather] -> prefixed",
     "MPI_Allgather(sendbuf, count, type, tmp, count, type, comm); memcpy(recvbuf, tmp + rank * "
     "bytes, bytes); for (int k = rank - 1; k >= 0; --k) MPI_Reduce_local(tmp + k * bytes, "
     "recvbuf, count, type, op);"},
    // Their communicators are not the caller's.
    {"MPI_Bcast[folded](m)", "rooted -> MPI_Bcast[folded] -> replicated", ""},
    // References and forced algorithms.
    {"TUW_Gatherv_k2(m)", "scattered -> TUW_Gatherv_k2 -> rooted",
     "mpiaudit::TUW_Gatherv_k2(sendbuf, count, type, recvbuf, counts, displs, type, root, comm);"},
    {"reduce_scatterv_Reduce_scatter_block(m)",
     "contributed -> reduce_scatterv_Reduce_scatter_block -> scattered",
     "mpiaudit::reduce_scatterv_Reduce_scatter_block(sendbuf, recvbuf, count, type, op, comm);"},
    {"persBruck_Alltoall(m)", "outgoing -> persBruck_Alltoall -> incoming",
     "mpiaudit::persBruck_Alltoall_init(sendbuf, count, type, recvbuf, count, type, comm, "
     "&handle); /* once */ mpiaudit::persBruck_Alltoall_start(handle); "
     "mpiaudit::persBruck_Alltoall_wait(handle);"},
    {"MPI_Gather[binomial](m)", "scattered -> MPI_Gather[binomial] -> rooted",
     "OMPI_MCA_x=1 OMPI_MCA_y=2"},
    {"Min3_Allgather(m)", "scattered -> Min3_Allgather -> replicated", ""},
    {"MPI_Gather[as mine](m)", "scattered -> MPI_Gather[as mine] -> rooted", ""},
};

TEST(PastedCode, IsThatOfTheWay) {
    for (const auto& [name, way, code] : pasted)
        EXPECT_EQ(pasted_code(way_of(name, way), implementations), code) << name;
}

/// Words of C, of MPI and of the arguments of an operation.
bool is_known(const std::string& word, const std::string& operation) {
    static const std::set<std::string> words{
        "for",    "int",    "const", "long",   "if",      "else",    "rank",   "char", "i",   "k",
        "malloc", "memcpy", "free",  "memset", "sendbuf", "recvbuf", "buffer", "type", "comm"};
    if (words.contains(word) || word.starts_with("MPI") || std::isdigit(word[0]) != 0) return true;
    const MpiOperation* const known = parse_way(operation).terms.front().form.mpi_operation();
    if (known->takes(word)) return true;
    if (word == "counts") return known->is_irregular();
    return word == "count" && !known->takes("sdispls") && known->shape != Shape::reduced_blocks;
}

/// Every word of the code is known or defined before its first use.
void expect_defined(const std::string& code, const std::string& operation) {
    std::string plain = std::regex_replace(code, std::regex(R"(/\*.*?\*/)"), "");
    std::set<std::string> defined;
    const std::regex name(R"([A-Za-z_]\w*)"),
        declaration(
            R"(\b(?:int|long|char|MPI_Aint|MPI_Op|MPI_Comm|MPI_Request|MPI_Datatype)\b(?!\))([^;]*))"),
        comma(",");
    for (std::sregex_iterator each(plain.begin(), plain.end(), declaration), end; each != end;
         ++each) {
        const std::string list = (*each)[1];
        for (std::sregex_token_iterator one(list.begin(), list.end(), comma, -1), last; one != last;
             ++one) {
            const std::string declared = *one;
            std::smatch found;
            if (std::regex_search(declared, found, name)) defined.insert(found[0]);
        }
    }
    for (std::sregex_iterator word(plain.begin(), plain.end(), name), end; word != end; ++word)
        EXPECT_TRUE(is_known(word->str(), operation) || defined.contains(word->str()))
            << word->str() << " of " << operation << ": " << code;
}

TEST(CodeToPaste, DefinesWhatTheOperationHasNoArgumentFor) {
    const auto code = [](const char* left, const char* name, const char* way) {
        return code_to_paste(way_of(name, way), find_mpi_operation(left), implementations);
    };
    EXPECT_EQ(code("MPI_Bcast", "MPI_Bcast(m)", "rooted -> MPI_Bcast -> replicated"),
              "MPI_Bcast(buffer, count, type, root, comm);");
    EXPECT_EQ(
        code("MPI_Gather", "MPI_Gatherv(m)", "scattered -> MPI_Gatherv -> rooted"),
        "{ int p; MPI_Comm_size(comm, &p); int counts[p], displs[p]; for (int k = 0; k < p; "
        "++k) { counts[k] = count; displs[k] = k * count; } MPI_Gatherv(sendbuf, count, type, "
        "recvbuf, counts, displs, type, root, comm); }");
    const std::string in_bytes =
        code("MPI_Alltoallv", "MPI_Alltoallw(m)", "outgoing -> MPI_Alltoallw -> incoming");
    EXPECT_THAT(in_bytes, testing::HasSubstr("sdispls_in_bytes[k] = sdispls[k] * extent; "));
    EXPECT_THAT(in_bytes, testing::HasSubstr("/* MPI_Alltoallw has displacements in bytes */"));
    expect_defined(in_bytes, "MPI_Alltoallv");
    const std::map<std::pair<std::string, std::string>, const char*> operations{
        {{"rooted", "replicated"}, "MPI_Bcast"},
        {{"scattered", "rooted"}, "MPI_Gather"},
        {{"rooted", "scattered"}, "MPI_Scatter"},
        {{"scattered", "replicated"}, "MPI_Allgather"},
        {{"contributed", "replicated"}, "MPI_Allreduce"},
        {{"contributed", "rooted"}, "MPI_Reduce"},
        {{"contributed", "scattered"}, "MPI_Reduce_scatter_block"},
        {{"contributed", "prefixed"}, "MPI_Scan"},
        {{"apart", "together"}, "MPI_Barrier"},
        {{"outgoing", "incoming"}, "MPI_Alltoall"}};
    for (const auto& [name, way, text] : pasted) {
        const record::ContestantDescription contestant = way_of(name, way);
        const std::string pasted_for =
            code(operations.at({contestant.from, contestant.to}), name, way);
        if (!contestant.forced && pasted_for.find("mpiaudit::") == std::string::npos)
            expect_defined(pasted_for, operations.at({contestant.from, contestant.to}));
    }
}

TEST(CodeToPaste, DefinesTheVariablesOfAllTextsOfTheCatalogue) {
    int texts = 0;
    for (const Arrow& arrow : catalogue()) {
        const MpiOperation* const operation = find_mpi_operation(arrow.form.operation);
        const bool is_between_ends =
            operation != nullptr && operation->from == arrow.from && operation->to == arrow.to;
        if (arrow.code.empty() || !is_between_ends) continue;
        const std::string way =
            fmt::format("{} -> {} -> {}", name(arrow.from), arrow.name, name(arrow.to));
        const std::string code =
            code_to_paste(way_of(arrow.name + "(m)", way), operation, implementations);
        // A text around the usual call tests the library; nobody pastes it.
        const bool is_around_call = arrow.code.find("$") != std::string::npos;
        EXPECT_EQ(code.empty(), is_around_call) << arrow.name;
        if (!is_around_call) expect_defined(code, std::string(operation->name));
        texts += is_around_call ? 0 : 1;
    }
    EXPECT_EQ(texts, 13);
}

TEST(WrittenScale, OfNames) {
    EXPECT_TRUE(parse_way("MPI_Bcast(m)").scale.is_whole());
    EXPECT_TRUE(parse_way("10 MPI_Bcast(m/10)").scale.is_whole());
    EXPECT_TRUE(parse_way("MPI_Bcast(m+k)").scale.is_whole());
    EXPECT_FALSE(parse_way("MPI_Bcast(m/2)").scale.is_whole());
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

TEST(CheckKind, FollowsFromTheLeftSide) {
    record::Implementation stand_in = implementation("MPI_Gather[as mine]", false);
    stand_in.stands_for = "MPI_Gather";
    const NameSet references = reference_names(
        {implementation("MPI_Gather", true), implementation("TUW_Gatherv", false),
         implementation("MPI_Igather", false), implementation("MPI_Pack", false, "local"),
         implementation("zero fill", false, "local"), implementation("MPI_Gather[binomial]", true),
         stand_in});
    EXPECT_THAT(references, ElementsAre("MPI_Gather[as mine]", "TUW_Gatherv"));
    record::ContestantDescription forced = way_of("TUW_Gatherv(m)", "a -> TUW_Gatherv -> b");
    forced.forced = true;
    for (const auto& left : {way_of("MPI_Gather(m)", "a -> MPI_Gather -> b"),
                             way_of("MPI_Igather(m) + MPI_Wait", "a -> MPI_Igather -> b"),
                             way_of("MPI_Pack + MPI_Gather(m)",
                                    "a -> MPI_Pack -> c -> zero fill -> d -> MPI_Gather -> b"),
                             way_of("MPI_Gather[binomial](m)", "a -> MPI_Gather[binomial] -> b"),
                             way_of("MPI_Gather(m) + MPI_Gather(m)"), forced})
        EXPECT_EQ(kind_of(left, references), CheckKind::verdict) << left.name;
    for (const auto& left :
         {way_of("TUW_Gatherv(m)", "a -> TUW_Gatherv -> b"),
          way_of("MPI_Gather(m) + TUW_Gatherv(m)", "a -> MPI_Gather -> c -> TUW_Gatherv -> b"),
          way_of("MPI_Gather[as mine](m)", "a -> MPI_Gather[as mine] -> b"),
          way_of("MPI_Gather[as mine](m')"), way_of("TUW_Gatherv(m)#2"),
          way_of("10 TUW_Gatherv(m/10)"), way_of("MPI_Gather(m) + TUW_Gatherv(m)")})
        EXPECT_EQ(kind_of(left, references), CheckKind::remark) << left.name;
}

}  // namespace
}  // namespace mpiaudit
