// SPDX-License-Identifier: BSD-3-Clause
// Calls as a block of C that defines all variables which the replaced call does not have; declared
// in code/calls.h.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "code/calls.h"

namespace mpiaudit {
bool is_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

namespace {

/// Returns where `word` begins as a word of its own, from `begin` on; npos if there is none.
std::size_t find_word(const std::string& text, const std::string& word, std::size_t begin = 0) {
    for (std::size_t at = text.find(word, begin); at != std::string::npos;
         at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_of_word(text[at - 1])) &&
            (end == text.size() || !is_of_word(text[end])))
            return at;
    }
    return std::string::npos;
}

bool has_word(const std::string& text, const std::string& word) {
    return find_word(text, word) != std::string::npos;
}

std::string without_comments(std::string text) {
    for (std::size_t begin = text.find("/*"); begin != std::string::npos; begin = text.find("/*"))
        text.erase(begin, text.find("*/", begin) + 2 - begin);
    return text;
}

/// C that defines variables. The C may use variables of earlier definitions.
struct Definition {
    std::vector<std::string> names;
    std::string text;
};

/// Returns a loop over the ranks that sets the elements of lists.
std::string for_each_rank(const std::string& lists, const std::string& sets) {
    return fmt::format("int {}; for (int k = 0; k < p; ++k) {{ {} }}", lists, sets);
}

/// The arguments of the replaced operation, which decide how other variables are defined.
struct Given {
    const MpiOperation* operation;
    bool is_vector, has_counts, has_displacements;

    explicit Given(const MpiOperation* replaced)
        : operation{replaced},
          is_vector{operation != nullptr && operation->shape == Shape::vector},
          has_counts{operation != nullptr && operation->is_irregular()},
          has_displacements{operation != nullptr && operation->takes("displs")} {}

    bool takes(std::string_view argument) const {
        return operation != nullptr && operation->takes(argument);
    }
};

/// Returns the lists of MPI_Alltoallv between the layouts of the way.
std::string lists_of_alltoallv(const record::ContestantDescription& way) {
    const Exchange exchange = exchange_between(way.from, way.to);
    return for_each_rank(
        "sendcounts[p], sdispls[p], recvcounts[p], rdispls[p]",
        way.from == "outgoing"
            ? "sendcounts[k] = recvcounts[k] = count; sdispls[k] = rdispls[k] = k * count;"
            : fmt::format(
                  "sendcounts[k] = {}; sdispls[k] = {}; recvcounts[k] = {}; rdispls[k] = {};",
                  exchange.sent, exchange.from, exchange.received, exchange.to));
}

std::vector<Definition> lists_of_blocks(const Given& given,
                                        const record::ContestantDescription& way) {
    std::vector<Definition> all;
    if (given.is_vector)
        all.push_back(
            {{"counts", "displs"},
             for_each_rank("counts[p], displs[p]",
                           "displs[k] = (long)total * k / p; counts[k] = (long)total * (k "
                           "+ 1) / p - displs[k];")});
    else if (!given.has_counts)
        all.push_back(
            {{"counts", "displs"},
             for_each_rank("counts[p], displs[p]", "counts[k] = count; displs[k] = k * count;")});
    else if (!given.has_displacements)
        all.push_back({{"displs"},
                       "int displs[p]; displs[0] = 0; for (int k = 1; k < p; ++k) displs[k] = "
                       "displs[k - 1] + counts[k - 1];"});
    if (given.is_vector) all.push_back({{"own_count"}, "const int own_count = counts[rank];"});
    if (given.takes("recvcounts") && !given.takes("sendcount") && !given.takes("sendcounts"))
        all.push_back({{"count"}, "const int count = counts[rank];"});
    if (!given.takes("sdispls"))
        all.push_back(
            {{"sendcounts", "sdispls", "recvcounts", "rdispls"}, lists_of_alltoallv(way)});
    return all;
}

/// Returns all known definitions. \param parts of the data, a number as text \param requests the
/// number of requests that are open at once, as text
std::vector<Definition> definitions(const Given& given, const record::ContestantDescription& way,
                                    const std::string& parts, const std::string& requests) {
    std::vector<Definition> all{
        {{"rank"}, "int rank; MPI_Comm_rank(comm, &rank);"},
        {{"p"}, "int p; MPI_Comm_size(comm, &p);"},
        {{"extent"}, "MPI_Aint lower, extent; MPI_Type_get_extent(type, &lower, &extent);"}};
    if (!given.takes("root")) all.push_back({{"root"}, "const int root = 0;"});
    if (!given.takes("op")) all.push_back({{"op"}, "const MPI_Op op = MPI_SUM; /* of numbers */"});
    if (given.is_vector) all.push_back({{"total"}, "const int total = count;"});
    for (Definition& each : lists_of_blocks(given, way)) all.push_back(std::move(each));
    if (!given.is_vector)
        all.push_back({{"total"},
                       given.has_counts && !given.takes("sdispls")
                           ? "int total = 0; for (int k = 0; k < p; ++k) total += counts[k];"
                           : "const int total = p * count;"});
    const std::string own = given.is_vector ? "own_count" : "count";
    const std::vector<Definition> rest{
        {{"block_bytes"}, fmt::format("const long block_bytes = {} * extent;", own)},
        {{"bytes"},
         fmt::format("const long bytes = {} * extent;", given.is_vector ? "count" : "total")},
        {{"largest"}, "int largest = 0;"},
        {{"tmp"}, "char *tmp = malloc(p * bytes);"},
        {{"tmp2"}, "char *tmp2 = malloc(p * bytes);"},
        {{"copies"}, "char *copies = malloc(p * block_bytes);"},
        {{"own_block_in_recvbuf"},
         "char *own_block_in_recvbuf = (char *)recvbuf + displs[rank] * extent;"},
        {{"own_block_in_buffer"},
         "char *own_block_in_buffer = (char *)buffer + displs[rank] * extent;"},
        {{"own_block_in_tmp"}, "char *own_block_in_tmp = tmp + displs[rank] * extent;"},
        {{"sendtypes", "recvtypes"},
         "MPI_Datatype sendtypes[p], recvtypes[p]; for (int k = 0; k < p; ++k) sendtypes[k] = "
         "recvtypes[k] = type;"},
        {{"sdispls_in_bytes", "rdispls_in_bytes"},
         for_each_rank(
             "sdispls_in_bytes[p], rdispls_in_bytes[p]",
             "sdispls_in_bytes[k] = sdispls[k] * extent; rdispls_in_bytes[k] = rdispls[k] "
             "* extent;") +
             " /* MPI_Alltoallw has displacements in bytes */"},
        {{"root_counts", "root_displs"},
         for_each_rank("root_counts[p], root_displs[p]",
                       "root_counts[k] = k == root ? total : 0; root_displs[k] = 0;")},
        {{"any"}, "int any = 0;"},
        {{"position"}, "int position = 0;"},
        {{"request"}, "MPI_Request request;"},
        {{"requests"}, fmt::format("MPI_Request requests[{}];", requests)},
        {{"all_but_rank_0"},
         "MPI_Comm all_but_rank_0; MPI_Comm_split(comm, rank > 0, rank, &all_but_rank_0); /* once "
         "*/"}};
    all.insert(all.end(), rest.begin(), rest.end());
    for (const char* const side : {"", "send", "recv"}) {
        const std::string counts = std::string(side) + "counts", displs = *side == '\0' ? "displs"
                                                                          : *side == 's'
                                                                              ? "sdispls"
                                                                              : "rdispls";
        std::string sets =
            "part_D[i][k] = D[k] + (long)C[k] * i / N; part_C[i][k] = D[k] + (long)C[k] * (i + 1) "
            "/ "
            "N - part_D[i][k];";
        std::string text =
            "int part_C[N][p], part_D[N][p]; for (int i = 0; i < N; ++i) for (int k = "
            "0; k < p; ++k) { " +
            sets + " }";
        replace_word(text, "part_C", "part_" + counts);
        replace_word(text, "part_D", "part_" + displs);
        replace_word(text, "C", counts);
        replace_word(text, "D", displs);
        replace_word(text, "N", parts);
        all.push_back({{"part_" + counts, "part_" + displs}, std::move(text)});
    }
    return all;
}

/// Returns the word behind `text` in the code; p if the code does not have the text.
std::string word_behind(const std::string& code, std::string_view text) {
    const std::size_t at = code.find(text);
    if (at == std::string::npos) return "p";
    const std::size_t begin = at + text.size();
    const auto end =
        std::find_if_not(code.begin() + static_cast<std::ptrdiff_t>(begin), code.end(), is_of_word);
    return {code.begin() + static_cast<std::ptrdiff_t>(begin), end};
}

}  // namespace

void replace_word(std::string& text, const std::string& word, const std::string& by) {
    for (std::size_t at = find_word(text, word); at != std::string::npos;
         at = find_word(text, word, at + by.size()))
        text.replace(at, word.size(), by);
}

std::string code_to_paste(const record::ContestantDescription& way, const MpiOperation* replaced,
                          const std::vector<record::Implementation>& implementations) {
    std::string code = pasted_code(way, implementations);
    if (code.empty() || way.forced || code.find("mpiaudit::") != std::string::npos) return code;
    const Given given(replaced);
    if (given.is_vector && (has_word(code, "total") || has_word(code, "counts")))
        replace_word(code, "count", "own_count");
    if (code.find("MPI_Alltoallw") != std::string::npos && !given.takes("sendtypes")) {
        replace_word(code, "sdispls", "sdispls_in_bytes");
        replace_word(code, "rdispls", "rdispls_in_bytes");
    }
    const auto known =
        definitions(given, way, word_behind(code, "i < "), word_behind(code, "MPI_Waitall("));
    std::string needed;
    for (auto each = known.rbegin(); each != known.rend(); ++each) {
        const std::string later = without_comments(needed + code);
        const bool is_needed = std::ranges::any_of(
            each->names, [&](const std::string& name) { return has_word(later, name); });
        if (is_needed) needed = each->text + " " + needed;
    }
    for (const char* const buffer : {"tmp", "tmp2", "copies"})
        if (has_word(code, buffer)) code += fmt::format(" free({});", buffer);
    return needed.empty() ? code : fmt::format("{{ {}{} }}", needed, code);
}

}  // namespace mpiaudit
