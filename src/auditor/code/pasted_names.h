// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "code/step_names.h"
#include "operations/operations.h"

namespace mpiaudit {

/// The names that a block of pasted C uses beside the arguments of the replaced operation. Each
/// name has one meaning:
///
///     count, counts, displs, sendcounts ...   arguments of the replaced operation only
///     own, all     elements of the block of this rank, and of all blocks (own(), all())
///     numbers, offsets   elements of the block of each rank, and where each begins without gaps
///     largest      elements of the largest block;  extent  bytes from one element to the next
class PastedNames : public StepNames {
  public:
    /// \param has_equal_blocks whether a call of the way has blocks of equal size
    PastedNames(const MpiOperation& replaced, bool has_equal_blocks, bool is_padded);

    const MpiOperation& replaced() const { return replaced_; }
    bool is_padded() const { return is_padded_; }
    bool has_rows() const override { return replaced_.takes("sdispls"); }
    /// The blocks of the replaced operation are cut from a vector.
    bool cuts_vector() const { return replaced_.shape == Shape::vector; }
    /// The last elements of a vector that cannot be cut into equal blocks: `rest`.
    bool leaves_rest() const { return cuts_vector() && has_equal_blocks_; }

    Expression own() override;
    /// The elements of the block of this rank without padding.
    Expression given() const;
    Expression all() override;
    /// The same number, of which only memory has the size.
    Expression room_for_all();
    Expression numbers() override;
    Expression offsets() override;
    Expression numbers_at_root() override;
    Lists lists_of(const MpiOperation& operation, const StepEnds& ends) override;
    Lists types_of(Lists lists) override;

    /// The data of the replaced call.
    StepData input() const;
    StepData result() const;
    Expression as_bytes(const Expression& address) const override;
    /// The block of this rank, or of rank k, in the data of all ranks.
    Expression block_in(const StepData& data, const Expression& rank) override;
    Expression memory(const Expression& elements) override { return memory(elements, false); }
    Expression memory(const Expression& elements, bool is_zero);
    Block copy(const Expression& to, const Expression& from, const Expression& elements) override;
    Block communicator_without_first() override;
    Block without_communicator() override;

    void need(const std::string& what) override;
    void define(c_text::Name name, Block code) override;
    const std::vector<std::string>& needs() const { return needs_; }
    /// Returns the block with all definitions that the code needs, and without the memory.
    Block block(Block code) const;

  private:
    void define_all();
    void define_blocks();
    /// `counts` and `displs` of these operations are arguments of the root alone.
    bool has_lists_at_root() const;

    const MpiOperation& replaced_;
    bool has_equal_blocks_, is_padded_;
    std::vector<std::pair<c_text::Name, Block>> definitions_;  ///< in their order
    std::vector<std::string> needs_;
    std::vector<c_text::Name> memories_;
};

}  // namespace mpiaudit
