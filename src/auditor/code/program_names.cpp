// SPDX-License-Identifier: BSD-3-Clause
#include "code/program_names.h"

#include <iterator>

#include "text/plain.h"

namespace mpiaudit {

using namespace c_text;

Expression ProgramNames::all() {
    return is_padded_ ? Id::p * Id::largest : Id::total;
}

Lists ProgramNames::lists_of(const MpiOperation& operation, const StepEnds&) {
    if (operation.takes("sdispls"))
        return {Id::sendcounts, Id::sdispls, Id::recvcounts, Id::rdispls};
    return {Id::counts, Id::displs, Id::counts, Id::displs};
}

Expression ProgramNames::block_in(const StepData& data, const Expression& rank) {
    return behind(data.address, item(Id::displs, rank));
}

Expression ProgramNames::next_memory() {
    constexpr Id all_memory[] = {Id::tmp, Id::tmp2, Id::tmp3};
    lacks_memory_ = lacks_memory_ || memories_ == std::ssize(all_memory);
    return all_memory[lacks_memory_ ? 0 : memories_++];
}

Expression ProgramNames::memory(const Expression&) {
    needs_room_for_all_ = true;
    return next_memory();
}

Block ProgramNames::copy(const Expression& to, const Expression& from, const Expression& elements) {
    return {call("memcpy", {to, from, in_bytes(elements)})};
}

void ProgramNames::define(Id name, Block code) {
    // All programs have requests for all parts and ranks.
    if (name == Id::requests ||
        find_in(definitions_, name, &std::pair<Id, Block>::first) != nullptr)
        return;
    definitions_.emplace_back(name, std::move(code));
}

}  // namespace mpiaudit
