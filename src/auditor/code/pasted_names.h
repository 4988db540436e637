// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "operations/operations.h"

namespace mpiaudit {

/// Data of all ranks, or of this rank, in memory.
struct PastedData {
    std::string address;  ///< C of the first element
    std::string offsets;  ///< C of the list that says where the block of each rank begins
};

/// The names that a block of pasted C uses beside the arguments of the replaced operation. Each
/// name has one meaning:
///
///     count, counts, displs, sendcounts ...   arguments of the replaced operation only
///     own, all     elements of the block of this rank, and of all blocks (own(), all())
///     numbers, offsets   elements of the block of each rank, and where each begins without gaps
///     largest      elements of the largest block;  extent  bytes from one element to the next
///
/// All C texts of numbers are products, so that `extent * NUMBER` counts bytes in MPI_Aint.
class PastedNames {
  public:
    /// \param has_equal_blocks whether a call of the way has blocks of equal size
    PastedNames(const MpiOperation& replaced, bool has_equal_blocks, bool is_padded);

    const MpiOperation& replaced() const { return replaced_; }
    bool is_padded() const { return is_padded_; }
    /// The replaced operation has lists of the blocks that a rank sends and receives.
    bool has_rows() const { return replaced_.takes("sdispls"); }
    /// The blocks of the replaced operation are cut from a vector.
    bool cuts_vector() const { return replaced_.shape == Shape::vector; }
    /// The last elements of a vector that cannot be cut into equal blocks: `rest`.
    bool leaves_rest() const { return cuts_vector() && has_equal_blocks_; }

    // Numbers of elements.
    std::string own();
    /// The elements of the block of this rank without padding.
    std::string given() const;
    /// The elements of all blocks, as one vector.
    std::string all();
    /// The same number, of which only memory has the size.
    std::string room_for_all();
    /// The list of the elements of each block, on every rank.
    std::string numbers();
    std::string offsets();

    /// The data of the replaced call.
    PastedData input() const;
    PastedData result() const;
    /// The address as one of bytes.
    static std::string as_bytes(const std::string& address);
    /// The address `elements` behind an address.
    std::string behind(const std::string& address, const std::string& elements) const;
    /// The block of this rank, or of rank k, in the data of all ranks.
    std::string block_in(const PastedData& data, const std::string& rank);
    /// Returns the name of new memory for this number of elements.
    std::string memory(const std::string& elements, bool is_zero = false);
    /// Returns C that copies elements within a rank, and leaves the gaps between them alone.
    std::string copy(const std::string& to, const std::string& from, const std::string& elements);

    void need(const std::string& what);
    /// Adds C that defines a name: the code comes before all code that uses the name.
    void define(std::string_view name, std::string text);
    const std::vector<std::string>& needs() const { return needs_; }
    /// Returns the block with all definitions that the code needs, and without the memory.
    std::string block(const std::string& code) const;

  private:
    void define_all();
    void define_blocks();
    /// `counts` and `displs` of these operations are arguments of the root alone.
    bool has_lists_at_root() const;

    const MpiOperation& replaced_;
    bool has_equal_blocks_, is_padded_;
    std::vector<std::pair<std::string, std::string>> definitions_;  ///< by name, in their order
    std::vector<std::string> needs_, memories_;
};

}  // namespace mpiaudit
