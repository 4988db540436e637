// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

#include "mpi/watchdog.h"

/// What a rank says when its process is about to end, from a signal handler or from a thread beside
/// one that hangs: nothing here allocates, locks or calls MPI.
namespace mpiaudit::incident {

/// Text of limited length that is put together without allocating.
class Text {
  public:
    Text& operator<<(std::string_view part) {
        const std::size_t length = std::min(part.size(), buffer_.size() - size_);
        std::copy_n(part.begin(), length, buffer_.begin() + static_cast<std::ptrdiff_t>(size_));
        size_ += length;
        return *this;
    }
    Text& operator<<(int number) {
        if (number < 0) *this << "-";
        std::array<char, 12> digits{};
        std::size_t first = digits.size();
        long left = std::abs(long{number});
        do {
            digits[--first] = static_cast<char>('0' + left % 10);
            left /= 10;
        } while (left > 0);
        return *this << std::string_view(digits.data() + first, digits.size() - first);
    }
    std::string_view view() const { return {buffer_.data(), size_}; }
    const char* c_str() {
        buffer_[std::min(size_, buffer_.size() - 1)] = '\0';
        return buffer_.data();
    }

  private:
    std::array<char, 4096> buffer_{};
    std::size_t size_ = 0;
};

/// The operation of a number in under_test::State, and the problem; empty when nothing is known.
std::string_view operation_name(int operation);
std::string_view problem_name();
double expected_s();
std::string_view remedy();

/// What is in the last line of a note of which the loss of a host may be the cause, or not.
inline constexpr std::string_view clear = "clear", unclear = "unclear";

/// Notes in a file of this rank that the operation `what`. \param what in words: "hangs: ..."
void note(int rank, int operation, std::string_view what, std::string_view clearness);
void write_error(std::string_view text);

/// From now on a signal that a crash brings says which operation was under test on this rank.
void name_crashes(int rank);

}  // namespace mpiaudit::incident
