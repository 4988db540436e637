// SPDX-License-Identifier: BSD-3-Clause
#include "code/algorithm_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string_view>

namespace mpiaudit {
namespace {

using What = RecordedStep::What;

/// A program with more steps would be too long to be read or compiled.
constexpr std::size_t most_table_rows = 200'000;
std::string_view name_of_buffer(int buffer) {
    constexpr std::array<std::string_view, BufferNumber::temporary + 1> names{"IN", "OUT", "ALL",
                                                                              "T"};
    return names[static_cast<std::size_t>(std::min<int>(buffer, BufferNumber::temporary))];
}

/// Returns the columns of a row that name a part of a buffer: T + 1, 64, 16, ELEMENT.
std::string columns(const Piece& piece) {
    const std::string buffer = piece.buffer > BufferNumber::temporary
                                   ? fmt::format("T + {}", piece.buffer - BufferNumber::temporary)
                                   : std::string(name_of_buffer(piece.buffer));
    const std::string type = piece.type == TypeNumber::element ? "ELEMENT"
                             : piece.type == TypeNumber::byte  ? "BYTE"
                                                               : std::to_string(piece.type);
    return fmt::format("{}, {}, {}, {}", buffer, piece.at, piece.count, type);
}

/// Writes the rows of one rank.
class RankRows {
  public:
    RankRows(AlgorithmTable& table, const Areas& areas, std::int64_t data_bytes, bool are_dense)
        : table_{table}, areas_{areas}, data_bytes_{data_bytes}, are_dense_{are_dense} {}

    void write(int rank, const std::vector<RecordedStep>& steps) {
        line_ = fmt::format("    /* rank {} */", rank);
        int buffer = BufferNumber::temporary;
        for (const std::int64_t size : areas_.temporary()) {
            need("ALLOCATE");
            row("ALLOCATE", 0, 0, {buffer++, size, 0, TypeNumber::element});
        }
        table_.buffers = std::max(table_.buffers, static_cast<std::size_t>(buffer));
        for (const RecordedStep& each : steps) write(each);
        add("{END, 0, 0, 0, 0, 0, 0},");
        table_.types = std::max(table_.types, static_cast<std::size_t>(next_type_));
        table_.messages = std::max(table_.messages, started_);
        table_.rows += line_ + '\n';
    }

  private:
    void need(std::string_view word) { table_.needed.emplace(word); }
    void add(const std::string& text) {
        constexpr std::size_t width = 100;
        if (line_.size() + 1 + text.size() > width) {
            table_.rows += line_ + '\n';
            line_ = "   ";
        }
        line_ += ' ' + text;
        if (++table_.number_of_rows > most_table_rows)
            throw std::invalid_argument("the algorithm has too many messages for a program");
    }
    void row(std::string_view what, int partner, int channel, const Piece& data) {
        need("data");
        add(fmt::format("{{{}, {}, {}, {}}},", what, partner, channel, columns(data)));
    }
    void rows(std::string_view what, const Piece& from, const Piece& to) {
        row(what, 0, 0, from);
        row("AND", 0, 0, to);
    }

    void write(const RecordedStep& step) {
        switch (step.what) {
            case What::allocate:
                return;
            case What::send:
                return message("SEND", "SEND", step);
            case What::receive:
                return message("RECEIVE", "RECEIVE", step);
            case What::start_send:
                ++started_;
                return message("START_SEND", "START", step);
            case What::start_receive:
                ++started_;
                return message("START_RECEIVE", "START", step);
            case What::exchange:
                return exchange(step);
            case What::wait:
                need("WAIT");
                return add(fmt::format("{{WAIT, 0, 0, 0, {}, {}, 0}},", step.first, step.count));
            case What::reduce:
                need("REDUCE");
                return rows("REDUCE", areas_.piece_of(step.data.front()),
                            areas_.piece_of(step.other.front()));
            case What::copy:
                return copy(areas_.piece_of(step.data.front()),
                            areas_.piece_of(step.other.front()));
            case What::pack:
                return pack(step.data, areas_.piece_of(step.other.front()), true);
            case What::unpack:
                return pack(step.other, areas_.piece_of(step.data.front()), false);
        }
    }

    void message(std::string_view what, std::string_view needed, const RecordedStep& step) {
        const Piece data = argument(step.data);
        need(needed);
        row(what, step.partner, step.channel, data);
    }

    void exchange(const RecordedStep& step) {
        const Piece sent = argument(step.data), received = argument(step.other);
        need("EXCHANGE");
        row("EXCHANGE", step.partner, step.channel, sent);
        row("AND", step.other_partner, step.other_channel, received);
    }

    void copy(const Piece& from, const Piece& to) {
        need("COPY");
        rows("COPY", from, to);
    }

    /// Writes MPI_Pack or MPI_Unpack; copies of elements without gaps.
    void pack(const std::vector<Run>& data, Piece packed, bool is_packing) {
        for (const Run& each : data) {
            Piece piece = areas_.piece_of(each);
            packed.count = each.count * (each.are_elements ? data_bytes_ : 1);
            if (are_dense_ || !each.are_elements) {
                piece.count = packed.count;
                piece.type = TypeNumber::byte;
                is_packing ? copy(piece, packed) : copy(packed, piece);
            } else {
                need("PACK");
                is_packing ? rows("PACK", piece, packed) : rows("UNPACK", packed, piece);
            }
            packed.at += packed.count;
        }
    }

    /// Returns the data as the arguments of a call; makes a datatype if they lie in several places.
    Piece argument(const std::vector<Run>& runs) {
        if (runs.empty()) return {};
        if (runs.size() == 1) return areas_.piece_of(runs.front());
        std::vector<Piece> pieces;
        for (const Run& each : runs) pieces.push_back(areas_.piece_of(each));
        const auto all_have_one = [&](int Piece::*member) {
            return std::ranges::all_of(
                pieces, [&](const Piece& each) { return each.*member == pieces.front().*member; });
        };
        const int buffer = all_have_one(&Piece::buffer) ? pieces.front().buffer : BufferNumber::all;
        const auto [place, is_new] = made_.try_emplace(pieces, next_type_);
        if (is_new) {
            ++next_type_;
            make(pieces, buffer, all_have_one(&Piece::type) ? pieces.front().type : -1);
        }
        return {buffer, 0, 1, place->second};
    }

    /// \param part type of all pieces; -1 if they have several types
    void make(const std::vector<Piece>& pieces, int buffer, int part) {
        need("MAKE");
        if (part < 0) need("struct_of_pieces");
        row("MAKE", 0, 0,
            {buffer, static_cast<std::int64_t>(table_.number_of_pieces), std::ssize(pieces), part});
        for (const Piece& each : pieces)
            table_.pieces += fmt::format("{}{{{}}},{}", &each == &pieces.front() ? "    " : " ",
                                         columns(each), &each == &pieces.back() ? "\n" : "");
        table_.number_of_pieces += pieces.size();
    }

    AlgorithmTable& table_;
    const Areas& areas_;
    std::int64_t data_bytes_;
    bool are_dense_;
    std::string line_;
    std::size_t started_ = 0;
    int next_type_ = TypeNumber::made;
    std::map<std::vector<Piece>, int> made_;
};

}  // namespace

void add_rows(AlgorithmTable& table, int rank, const std::vector<RecordedStep>& steps,
              const Areas& areas, const Element& element) {
    RankRows(table, areas, static_cast<std::int64_t>(element.data_bytes()),
             element.data_bytes() == element.extent())
        .write(rank, steps);
}

}  // namespace mpiaudit
