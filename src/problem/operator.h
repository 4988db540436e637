// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/owned.h"
#include "problem/element.h"

namespace mpiaudit {

/// Ways to give the same reduction to a library that knows less about it.
enum class OperatorForm {
    plain,          ///< as it is named
    user_function,  ///< a function of the user's that does the same and commutes
    order_kept,     ///< the same function, registered as one that may not commute
};

/// A reduction operator, with contributions for which the result is known without communication: it
/// depends on the ranks that took part, and on their order where the operator does not commute.
/// Lives between MPI_Init and MPI_Finalize.
class Operator {
  public:
    /// Throws std::invalid_argument with the valid names when `name` is not one of names().
    explicit Operator(std::string_view name);

    static std::vector<std::string> names();

    const std::string& name() const { return name_; }
    MPI_Op op() const { return op_; }
    /// The same reduction in another form; for one that has its function from a user already, only
    /// `plain`.
    MPI_Op op(OperatorForm form) const;
    bool is_predefined() const { return !own_; }
    bool is_commutative() const { return kind_ != Kind::affine; }
    /// True when a contribution of zeros changes nothing.
    bool has_zero_identity() const { return kind_ != Kind::affine; }
    /// MPI defines predefined operators for some basic types only; our own two know some as well.
    bool is_defined_for(const Element& element) const;

    /// What `rank` contributes to an element, as a value for Element::store. `key`: identity of the
    /// element, any number.
    std::uint64_t contribution(const Element& element, int rank, std::uint64_t key) const;
    /// The reduction of the contributions of ranks 0 ... last.
    std::uint64_t reduction(const Element& element, int last, std::uint64_t key) const;

  private:
    enum class Kind { sum, max, bor, affine };
    /// The part of a contribution or result that depends on the ranks only.
    struct Factor {
        std::uint64_t a, b;
    };
    Factor factor(int rank) const;
    Factor combine(Factor left, Factor right) const;
    std::uint64_t value(const Element& element, Factor factor, std::uint64_t key) const;

    std::string name_;
    Kind kind_{};
    MPI_Op op_{};
    OwnedOp own_;
    mutable OwnedOp user_function_, order_kept_;  ///< made when first asked for
    mutable std::vector<Factor> prefixes_;        ///< [r]: of ranks 0 ... r, as far as asked for
};

}  // namespace mpiaudit
