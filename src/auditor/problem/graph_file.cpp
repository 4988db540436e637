// SPDX-License-Identifier: BSD-3-Clause
// Defines parse_graph() of graph.h.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "problem/graph.h"
#include "text/json_text.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using Targets = std::vector<std::set<int>>;

constexpr std::string_view matrix_market = "%%MatrixMarket";

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
    throw std::invalid_argument(where + ": " + what);
}

Targets edges_in_json(const std::string& text, const std::string& origin, int ranks) {
    const JsonDocument document(text, origin);
    const LocatedJson root = document.root();
    if (!root.is(LocatedJson::Type::object)) refuse(origin, R"(expected {"edges": [[0, 1], ...]})");
    check_keys(root, {"edges"}, origin);
    const auto edges = root.find("edges");
    if (!edges || !edges->is(LocatedJson::Type::array))
        refuse(origin, "'edges' must be a list of pairs of ranks");
    Targets targets(static_cast<std::size_t>(ranks));
    for (std::size_t k = 0; k < edges->size(); ++k) {
        const LocatedJson edge = edges->element(k);
        const bool is_pair = edge.is(LocatedJson::Type::array) && edge.size() == 2 &&
                             edge.element(0).is_integer(0, ranks - 1) &&
                             edge.element(1).is_integer(0, ranks - 1);
        if (!is_pair)
            refuse(origin, fmt::format("edge {} is {}; an edge is a pair of ranks from 0 to {}", k,
                                       edge.dump(), ranks - 1));
        const auto from = static_cast<std::size_t>(edge.element(0).integer(0));
        const auto to = static_cast<int>(edge.element(1).integer(0));
        if (static_cast<int>(from) == to || !targets[from].insert(to).second)
            refuse(origin,
                   fmt::format("edge {} is {}; no rank is its own neighbour, and no edge is "
                               "there twice",
                               k, edge.dump()));
    }
    return targets;
}

/// Reads a text line by line, and each line word by word.
class Lines {
  public:
    Lines(std::string_view text, const std::string& origin) : rest_{text}, origin_{origin} {}

    /// Goes to the next line that is no comment (%). Returns false at the end of the text.
    bool next() {
        while (!rest_.empty()) {
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            line_ = rest_.substr(0, end);
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            ++number_;
            if (!line_.starts_with('%')) return true;
        }
        return false;
    }
    std::optional<std::string_view> word() {
        constexpr std::string_view spaces = " \t\r";
        const std::size_t begin = std::min(line_.find_first_not_of(spaces), line_.size());
        line_.remove_prefix(begin);
        if (line_.empty()) return std::nullopt;
        const std::size_t end = std::min(line_.find_first_of(spaces), line_.size());
        const std::string_view found = line_.substr(0, end);
        line_.remove_prefix(end);
        return found;
    }
    /// Returns the next integer of the line, which must be from `least` to `most`.
    std::int64_t integer(const char* what, std::int64_t least, std::int64_t most) {
        const auto found = word();
        if (!found) fail(fmt::format("{} is missing", what));
        return checked(*found, what, least, most);
    }
    std::int64_t checked(std::string_view found, const char* what, std::int64_t least,
                         std::int64_t most) const {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
        if (error != std::errc{} || end != found.data() + found.size() || value < least ||
            value > most)
            fail(fmt::format("{} is '{}', and must be a number from {} to {}", what,
                             plain_line(found), least, most));
        return value;
    }
    [[noreturn]] void fail(const std::string& what) const {
        refuse(fmt::format("{}:{}", origin_, number_), what);
    }

  private:
    std::string_view rest_, line_;
    const std::string& origin_;
    int number_ = 0;
};

constexpr std::int64_t most_vertices = std::int64_t{1} << 40;

/// Edges between vertices, added as edges between the ranks that have the vertices.
class EdgesOfBlocks {
  public:
    EdgesOfBlocks(std::int64_t vertices, int ranks, const Lines& lines)
        : vertices_{vertices}, ranks_{ranks}, targets_(static_cast<std::size_t>(ranks)) {
        if (vertices < ranks)
            lines.fail(
                fmt::format("{} rows are fewer than the {} ranks of the audit", vertices, ranks));
    }
    /// \param from, to vertices, counted from 1
    void add(std::int64_t from, std::int64_t to) {
        const int source = rank_of(from), target = rank_of(to);
        if (source != target) targets_[static_cast<std::size_t>(source)].insert(target);
    }
    Targets take() { return std::move(targets_); }

  private:
    /// The first blocks are longer by one if the blocks cannot be equal.
    int rank_of(std::int64_t vertex) const {
        const std::int64_t least = vertices_ / ranks_, longer = vertices_ % ranks_;
        const std::int64_t place = vertex - 1, in_longer = longer * (least + 1);
        return static_cast<int>(place < in_longer ? place / (least + 1)
                                                  : longer + (place - in_longer) / least);
    }
    std::int64_t vertices_;
    int ranks_;
    Targets targets_;
};

Targets edges_of_matrix(const std::string& text, const std::string& origin, int ranks) {
    Lines header(std::string_view(text).substr(matrix_market.size()), origin);
    header.next();
    std::vector<std::string> words;
    while (const auto word = header.word()) words.push_back(lower_case(std::string(*word)));
    if (words.size() != 4 || words[0] != "matrix" || words[1] != "coordinate")
        header.fail("a graph must be a 'matrix coordinate' of MatrixMarket");
    const bool is_general = words[3] == "general";
    Lines lines(text, origin);
    if (!lines.next()) lines.fail("the size of the matrix is missing");
    const std::int64_t rows = lines.integer("the number of rows", 1, most_vertices);
    if (lines.integer("the number of columns", 1, most_vertices) != rows)
        lines.fail("the matrix of a graph must have as many columns as rows");
    const std::int64_t entries = lines.integer("the number of entries", 0, most_vertices);
    EdgesOfBlocks edges(rows, ranks, lines);
    for (std::int64_t i = 0; i < entries; ++i) {
        if (!lines.next())
            lines.fail(fmt::format("the file ends after {} of {} entries", i, entries));
        const std::int64_t row = lines.integer("the row", 1, rows);
        const std::int64_t column = lines.integer("the column", 1, rows);
        edges.add(row, column);
        // Symmetric matrices have entries on one side of the diagonal only.
        if (!is_general) edges.add(column, row);
    }
    return edges.take();
}

Targets edges_of_metis(const std::string& text, const std::string& origin, int ranks) {
    Lines lines(text, origin);
    lines.next();
    const std::int64_t vertices = lines.integer("the number of vertices", 1, most_vertices);
    lines.integer("the number of edges", 0, most_vertices);
    // Three digits: sizes of vertices, weights of vertices, weights of edges.
    const auto format = lines.word();
    const std::int64_t digits = format ? lines.checked(*format, "the format", 0, 111) : 0;
    const auto weights = lines.word();
    const std::int64_t of_vertex = digits / 10 % 10 == 0 ? 0
                                   : weights
                                       ? lines.checked(*weights, "the number of weights", 1, 99)
                                       : 1;
    EdgesOfBlocks edges(vertices, ranks, lines);
    for (std::int64_t vertex = 1; vertex <= vertices; ++vertex) {
        if (!lines.next())
            lines.fail(fmt::format("the file ends after {} of {} vertices", vertex - 1, vertices));
        for (std::int64_t i = 0; i < of_vertex + digits / 100; ++i) lines.word();
        while (const auto word = lines.word()) {
            edges.add(vertex, lines.checked(*word, "a neighbour", 1, vertices));
            if (digits % 10 != 0) lines.word();
        }
    }
    return edges.take();
}

}  // namespace

Graph parse_graph(const std::string& text, const std::string& origin, int ranks) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const char begin = first == std::string::npos ? ' ' : text[first];
    if (begin == '{' || begin == '[') return graph_of(origin, edges_in_json(text, origin, ranks));
    if (text.starts_with(matrix_market))
        return graph_of(origin, edges_of_matrix(text, origin, ranks));
    if (begin == '%' || std::isdigit(static_cast<unsigned char>(begin)) != 0)
        return graph_of(origin, edges_of_metis(text, origin, ranks));
    refuse(
        origin,
        "is no graph: give {\"edges\": [[0, 1], ...]}, a matrix of MatrixMarket, which begins with "
        "%%MatrixMarket, or a graph of METIS, which begins with numbers of vertices and edges");
}

}  // namespace mpiaudit
