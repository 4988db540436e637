// SPDX-License-Identifier: BSD-3-Clause
#include "code/pasted_steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "code/pasted_names.h"

namespace mpiaudit {
namespace {

using namespace c_text;
using enum Holding;
using Id = c_text::Name;

/// Writes the calls of one way in the place of one operation.
class Writer {
  public:
    Writer(const MpiOperation& replaced, const PastedSteps& steps)
        : moves_{steps.moves},
          names_{replaced,
                 !steps.is_padded && std::ranges::any_of(moves_, &PastedStep::has_equal_blocks),
                 steps.is_padded},
          written_(moves_.size() + 1, names_.input()),
          read_(moves_.size() + 1, names_.input()) {}

    /// Returns false if there is no code.
    bool write() {
        if (names_.is_padded() && !copy_into_slots()) return false;
        if (!place_result()) return false;
        for (std::size_t i = moves_.size(); i-- > 0;)
            if (!place_input(i)) return false;
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            if (are_alike(i)) return false;
            auto code = code_of(moves_[i], {read_[i], written_[i + 1]}, names_);
            if (!code) return false;
            add(std::move(*code));
        }
        copy_result();
        if (names_.leaves_rest()) add({If{binary(Id::rest, ">", 0), {call_on_rest()}}});
        return true;
    }

    PastedCode code() const {
        Block all;
        if (!names_.needs().empty())
            all.push_back(Remark{fmt::format("needs {}", fmt::join(names_.needs(), ", "))});
        c_text::add(all, names_.block(code_));
        return {printed(all), names_.needs()};
    }

  private:
    /// Copies the blocks of the input into slots of equal size.
    bool copy_into_slots();
    /// Finds the place of the result of the last move.
    bool place_result();
    /// Finds where move i reads its input, and where the move before writes.
    bool place_input(std::size_t i);
    /// True if a call would read and write the one buffer of a broadcast, which MPI forbids.
    bool are_alike(std::size_t i) const {
        const PastedStep& move = moves_[i];
        return move.kind != PastedStep::Kind::zero_fill && !move.has_one_buffer() &&
               !move.form.is_in_place && uses(read_[i].address, Id::buffer) &&
               uses(written_[i + 1].address, Id::buffer);
    }
    /// Copies the result to where the replaced call puts it.
    void copy_result();
    /// Calls the replaced operation for the last elements of a vector.
    Statement call_on_rest() const;

    void add(Block code) { c_text::add(code_, std::move(code)); }
    /// Adds code for all ranks, or for the root alone.
    void add_on(Holding holding, Block code) {
        if (holding == rooted) code = {If{is_root(), std::move(code)}};
        add(std::move(code));
    }
    bool ends(std::string_view layout) const { return moves_.back().to == layout; }
    bool ends(Holding layout) const { return ends(name(layout)); }
    /// The place of a block or of all data in new memory.
    StepData memory(const std::string& layout, bool is_zero = false) {
        const bool is_block = layout == name(scattered);
        return {names_.memory(is_block ? names_.own() : names_.room_for_all(), is_zero),
                Id::offsets};
    }

    const std::vector<PastedStep>& moves_;
    PastedNames names_;
    std::vector<StepData> written_, read_;  ///< [boundary between two moves]
    Block code_;
};

bool Writer::copy_into_slots() {
    const MpiOperation& replaced = names_.replaced();
    if (!replaced.is_irregular() || replaced.takes("sendtypes")) return false;
    const StepData given = read_.front();
    const StepData slots = memory(moves_.front().from, true);
    read_.front() = slots;
    if (replaced.from == scattered) {
        add(names_.copy(slots.address, given.address, names_.given()));
        return true;
    }
    const Expression numbers = names_.has_rows()                           ? Id::sendcounts
                               : replaced.shape == Shape::scattered_blocks ? Id::counts
                                                                           : names_.numbers();
    const Expression offsets = names_.has_rows()  ? Id::sdispls
                               : given.has_gaps() ? given.offsets
                                                  : names_.offsets();
    add_on(replaced.from,
           for_each_rank(names_.copy(names_.block_in(slots, Id::k),
                                     names_.behind(given.address, item(offsets, Id::k)),
                                     item(numbers, Id::k))));
    return true;
}

bool Writer::place_result() {
    const MpiOperation& replaced = names_.replaced();
    const PastedStep& last = moves_.back();
    StepData& result = written_.back();
    if (names_.is_padded()) {
        result = memory(last.to);
        return true;
    }
    if (ends(replaced.to)) {
        result = names_.result();
        return true;
    }
    if (ends(replicated) && replaced.to == rooted) {
        // Only the root has a buffer for the result.
        const Expression elsewhere = memory(last.to).address;
        result = {root_or(names_.as_bytes(Id::recvbuf), elsewhere), Id::offsets};
        if (replaced.takes("displs")) result.offsets = root_or(Id::displs, names_.offsets());
        return true;
    }
    if (!ends(replicated) || replaced.to != scattered) return false;
    result = memory(last.to);
    return true;
}

bool Writer::place_input(std::size_t i) {
    const PastedStep& move = moves_[i];
    const StepData& result = written_[i + 1];
    if (i == 0) {
        if (!move.has_one_buffer() || names_.replaced().takes("buffer")) return true;
        // The data of the root stay where they are; other ranks have new memory.
        StepData& made = written_[1];
        if (!is_memory(made.address)) return false;
        const bool is_read_there = read_[1].address == made.address;
        const Expression given = read_.front().address;
        made.address = root_or(names_.as_bytes(given), made.address);
        if (is_read_there) read_[1] = made;
        return true;
    }
    StepData& made = written_[i];
    const bool is_block = move.from == name(scattered);
    const auto input_in = [&](const StepData& data) {
        return is_block ? names_.block_in(data, Id::rank) : data.address;
    };
    const PastedStep& before = moves_[i - 1];
    if (before.is_in_place(InPlace::received_by_root)) {
        // The block of the root stays among the others.
        if (!names_.replaced().takes("buffer")) return false;
        made.address =
            move.is_in_place(InPlace::everywhere) ? input_in(result) : memory(move.from).address;
        read_[i].address = root_or(input_in(names_.input()), made.address);
        return true;
    }
    if (move.has_one_buffer()) {
        made = result;
    } else if (move.is_in_place(InPlace::everywhere)) {
        made = {input_in(result), Id::offsets};
    } else if (move.is_in_place(InPlace::sent_by_root)) {
        const Expression in_result = names_.as_bytes(input_in(result));
        read_[i] = memory(move.from);
        made = {root_or(in_result, read_[i].address), Id::offsets};
        return true;
    } else {
        made = memory(move.from);
    }
    read_[i] = made;
    return true;
}

void Writer::copy_result() {
    const MpiOperation& replaced = names_.replaced();
    const StepData& made = written_.back();
    const StepData result = names_.result();
    if (replaced.to == scattered) {
        if (!names_.is_padded() && ends(scattered)) return;
        add(names_.copy(result.address,
                        ends(scattered) ? made.address : names_.block_in(made, Id::rank),
                        names_.given()));
        return;
    }
    if (!names_.is_padded()) return;
    const Expression numbers = names_.has_rows()                          ? Id::recvcounts
                               : replaced.shape == Shape::gathered_blocks ? Id::counts
                                                                          : names_.numbers();
    const Expression offsets = names_.has_rows() ? Id::rdispls : result.offsets;
    add_on(replaced.to,
           for_each_rank(names_.copy(names_.behind(result.address, item(offsets, Id::k)),
                                     names_.block_in(made, Id::k), item(numbers, Id::k))));
}

Statement Writer::call_on_rest() const {
    const MpiOperation& replaced = names_.replaced();
    const auto last = [&](const StepData& data) {
        return names_.behind(data.address, Id::count - Id::rest);
    };
    return call(std::string(replaced.name), in_order(replaced, {.sent = last(names_.input()),
                                                                .received = last(names_.result()),
                                                                .number = Id::rest}));
}

}  // namespace

PastedCode code_of_steps(const PastedSteps& steps, const MpiOperation& replaced) {
    Writer writer(replaced, steps);
    return writer.write() ? writer.code() : PastedCode{};
}

}  // namespace mpiaudit
