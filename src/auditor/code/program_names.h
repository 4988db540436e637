// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <vector>

#include "code/step_names.h"

namespace mpiaudit {

/// The names of a program (program.inc), which has buffers of bytes and the lists of all blocks.
/// Definitions are not part of the calls, whose time is measured.
class ProgramNames : public StepNames {
    using Id = c_text::Name;

  public:
    /// \param is_padded all blocks are as long as the largest
    void set_padded(bool is_padded) { is_padded_ = is_padded; }

    Expression own() override { return is_padded_ ? Id::largest : Id::count; }
    Expression all() override;
    Expression numbers() override { return Id::counts; }
    Expression offsets() override { return Id::displs; }
    Expression numbers_at_root() override { return Id::counts; }
    bool has_rows() const override { return true; }
    Lists lists_of(const MpiOperation& operation, const StepEnds&) override;
    Lists types_of(Lists lists) override { return lists; }
    Expression as_bytes(const Expression& address) const override { return address; }
    Expression block_in(const StepData& data, const Expression& rank) override;
    Expression memory(const Expression& elements) override;
    Block copy(const Expression& to, const Expression& from, const Expression& elements) override;
    Block communicator_without_first() override { return {}; }
    Block without_communicator() override { return {}; }
    void need(const std::string&) override {}
    void define(c_text::Name name, Block code) override;

    /// Returns the next temporary buffer, which has room for the blocks of all ranks.
    Expression next_memory();
    /// Whether the calls need more temporary buffers than a program has.
    bool lacks_memory() const { return lacks_memory_; }

    const std::vector<std::pair<Id, Block>>& definitions() const { return definitions_; }
    bool needs_room_for_all() const { return needs_room_for_all_; }

  private:
    bool is_padded_ = false, needs_room_for_all_ = false, lacks_memory_ = false;
    int memories_ = 0;
    std::vector<std::pair<Id, Block>> definitions_;
};

}  // namespace mpiaudit
