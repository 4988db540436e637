// SPDX-License-Identifier: BSD-3-Clause
#include "code/pasted_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "code/calls.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

std::string list_of(const std::string& list, const std::string& value) {
    return fmt::format("int {0}[p]; for (int k = 0; k < p; ++k) {0}[k] = {1};", list, value);
}

}  // namespace

PastedNames::PastedNames(const MpiOperation& replaced, bool has_equal_blocks, bool is_padded)
    : replaced_{replaced}, has_equal_blocks_{has_equal_blocks}, is_padded_{is_padded} {
    define_all();
    define_blocks();
    if (has_equal_blocks_ && replaced_.is_irregular())
        need(replaced_.takes("displs") || replaced_.takes("sdispls") ? "equal blocks without gaps"
                                                                     : "equal blocks");
}

void PastedNames::define_all() {
    define("p", "int p; MPI_Comm_size(comm, &p);");
    define("rank", "int rank; MPI_Comm_rank(comm, &rank);");
    if (!replaced_.has_root()) define("root", "const int root = 0;");
    if (!replaced_.is_reduction()) define("op", "const MPI_Op op = MPI_SUM;");
    define("extent", "MPI_Aint lower, extent; MPI_Type_get_extent(type, &lower, &extent);");
    define("true_extent",
           "MPI_Aint true_lower, true_extent; MPI_Type_get_true_extent(type, &true_lower, "
           "&true_extent);");
    define("is_dense",
           "int size; MPI_Type_size(type, &size); const int is_dense = size == extent && "
           "true_extent == extent && true_lower == 0;");
    define("request", "MPI_Request request;");
}

void PastedNames::define_blocks() {
    if (cuts_vector()) {
        define("block", "const int block = count / p, rest = count % p;");
        if (has_equal_blocks_) {
            define("numbers", list_of("numbers", "block"));
            define("offsets", list_of("offsets", "k * block"));
        } else {
            define("numbers", list_of("numbers",
                                      "(int)((long long)count * (k + 1) / p - (long "
                                      "long)count * k / p)"));
            define("offsets", list_of("offsets", "(int)((long long)count * k / p)"));
        }
        define("own", "const int own = numbers[rank];");
        return;
    }
    if (!replaced_.is_irregular()) {
        define("numbers", list_of("numbers", "count"));
        define("offsets", list_of("offsets", "k * count"));
        return;
    }
    define("own", "const int own = counts[rank];");
    if (is_padded_) {
        const std::string begin =
            has_rows() ? "int largest = 0; for (int k = 0; k < p; ++k) if (sendcounts[k] > "
                         "largest) largest = sendcounts[k];"
                       : fmt::format("int largest = {};", given());
        define("largest", begin +
                              " MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_INT, MPI_MAX, "
                              "comm);");
        need("copies of all blocks");
    }
    define("offsets",
           "int offsets[p]; for (int k = 0; k < p; ++k) offsets[k] = k > 0 ? offsets[k - 1] + "
           "counts[k - 1] : 0;");
    define("all", "int all = 0; for (int k = 0; k < p; ++k) all += counts[k];");
}

bool PastedNames::has_lists_at_root() const {
    return replaced_.shape == Shape::gathered_blocks || replaced_.shape == Shape::scattered_blocks;
}

std::string PastedNames::own() {
    return is_padded_ ? "largest" : given();
}

std::string PastedNames::given() const {
    if (cuts_vector()) return has_equal_blocks_ ? "block" : "own";
    if (has_rows()) return "sendcounts[0]";
    return replaced_.shape == Shape::reduced_blocks ? "own" : "count";
}

std::string PastedNames::all() {
    if (replaced_.takes("displs") && !has_equal_blocks_ && !is_padded_) need("blocks without gaps");
    return room_for_all();
}

std::string PastedNames::room_for_all() {
    if (is_padded_) return "p * largest";
    if (cuts_vector()) return has_equal_blocks_ ? "p * block" : "count";
    if (!replaced_.is_irregular() || has_equal_blocks_) return "p * " + own();
    numbers();
    return "all";
}

std::string PastedNames::numbers() {
    if (!replaced_.is_irregular()) return "numbers";
    if (has_lists_at_root()) need("counts on all ranks");
    return "counts";
}

std::string PastedNames::offsets() {
    if (replaced_.is_irregular()) numbers();
    return "offsets";
}

PastedData PastedNames::input() const {
    const bool has_list = replaced_.takes("displs") && replaced_.from == Holding::rooted;
    return {replaced_.takes("buffer") ? "buffer" : "sendbuf", has_list ? "displs" : "offsets"};
}

PastedData PastedNames::result() const {
    const bool has_list = replaced_.takes("displs") && replaced_.to != Holding::scattered;
    return {replaced_.takes("buffer") ? "buffer" : "recvbuf", has_list ? "displs" : "offsets"};
}

std::string PastedNames::behind(const std::string& address, const std::string& elements) const {
    return fmt::format("{} + extent * {}", as_bytes(address), elements);
}

std::string PastedNames::as_bytes(const std::string& address) {
    const bool is_of_bytes = address.starts_with("(") || address.starts_with("tmp");
    return is_of_bytes ? address : "(char *)" + address;
}

std::string PastedNames::block_in(const PastedData& data, const std::string& rank) {
    if (is_padded_) return behind(data.address, rank + " * largest");
    const bool is_equal = has_equal_blocks_ || !replaced_.is_irregular();
    if (is_equal && (!cuts_vector() || has_equal_blocks_))
        return behind(data.address, fmt::format("{} * {}", rank, own()));
    if (data.offsets == "offsets") offsets();
    return behind(data.address, fmt::format("{}[{}]", data.offsets, rank));
}

std::string PastedNames::memory(const std::string& elements, bool is_zero) {
    std::string name = memories_.empty() ? "tmp" : fmt::format("tmp{}", memories_.size() + 1);
    memories_.push_back(name);
    // The first byte of the data may lie behind or before the address of the elements.
    define(name, fmt::format("char *{0} = (char *){1}(extent * {2} + true_extent{3}); {0} -= "
                             "true_lower;",
                             name, is_zero ? "calloc" : "malloc", elements, is_zero ? ", 1" : ""));
    return name;
}

std::string PastedNames::copy(const std::string& to, const std::string& from,
                              const std::string& elements) {
    return fmt::format(
        "if (is_dense) memcpy({0}, {1}, extent * {2}); else MPI_Sendrecv({1}, {2}, type, 0, 0, "
        "{0}, {2}, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);",
        to, from, elements);
}

void PastedNames::need(const std::string& what) {
    if (!is_among(needs_, what)) needs_.push_back(what);
}

void PastedNames::define(std::string_view name, std::string text) {
    if (find_in(definitions_, name, &std::pair<std::string, std::string>::first) == nullptr)
        definitions_.emplace_back(name, std::move(text));
}

std::string PastedNames::block(const std::string& code) const {
    std::string text = code;
    for (const std::string& name : memories_) text += fmt::format(" free({} + true_lower);", name);
    bool has_definitions = false;
    // A definition may use the names of earlier definitions.
    for (auto each = definitions_.rbegin(); each != definitions_.rend(); ++each) {
        if (!has_word(text, each->first)) continue;
        text = each->second + " " + text;
        has_definitions = true;
    }
    return has_definitions ? "{ " + text + " }" : text;
}

}  // namespace mpiaudit
