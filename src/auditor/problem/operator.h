// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "messages/owned.h"
#include "problem/element.h"
#include "random/random_bits.h"

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
    /// Throws as the constructor does, but needs no MPI. Functions of a user's have the names
    /// by_function and kept_order.
    static InC in_c(std::string_view name);

    const std::string& name() const { return name_; }
    MPI_Op op() const { return op_; }
    /// The same reduction in another form; for one that has its function from a user already, only
    /// `plain`.
    MPI_Op op(OperatorForm form) const;
    bool is_predefined() const { return !own_; }
    bool is_commutative() const { return kind_ != Kind::affine; }
    /// right := left op right on elements of a basic type, by our own arithmetic: no function of
    /// the MPI library takes part. Does nothing for a type that is_defined_for() refuses.
    void reduce_here(const void* left, void* right, int count, const Element& element) const;
    /// True when a contribution of zeros changes nothing.
    bool has_zero_identity() const { return kind_ != Kind::affine; }
    /// MPI defines predefined operators for some basic types only; our own two know some as well.
    bool is_defined_for(const Element& element) const;
    /// Whether results round, so that they depend on the order of the operands.
    bool rounds(const Element& element) const;

    /// Of each of the two numbers of an affine map, modulo 2^15.
    static constexpr std::uint32_t half_mask = 0x7fffU;

    class Values;
    /// What `rank` contributes to each element.
    Values contributions(const Element& element, int rank) const;
    /// The reductions of the contributions of ranks 0 ... last.
    Values reductions(const Element& element, int last) const;

  private:
    enum class Kind { sum, max, bor, affine };
    /// The part of a contribution or result that depends on the ranks only.
    struct Factor {
        std::uint64_t a, b;
    };
    struct Named;
    static std::span<const Named> all();
    static const Named& named(std::string_view name);
    MPI_User_function* own_function() const;
    /// The function of a user's.
    OwnedOp of_user(bool commutes) const;
    Factor factor(int rank) const;
    Factor combine(Factor left, Factor right) const;

    std::string name_;
    Kind kind_{};
    MPI_Op op_{};
    OwnedOp own_;
    mutable OwnedOp user_function_, order_kept_;  ///< made when first asked for
    mutable std::vector<Factor> prefixes_;        ///< [r]: of ranks 0 ... r, as far as asked for
};

/// A value for Element::store of each key. Here, because millions of them are verified.
class Operator::Values {
  public:
    /// `key`: identity of the element, any number.
    std::uint64_t operator()(std::uint64_t key) const {
        replace({&key, 1});
        return key;
    }
    /// Puts the values in the place of their keys.
    void replace(std::span<std::uint64_t> keys) const {
        for (std::uint64_t& key : keys) key = value(key);
    }

  private:
    friend class Operator;
    std::uint64_t value(std::uint64_t key) const {
        // 2.1e5 (the sum of 6400 factors) times 1000 fits an int, times 8 a float's significand.
        const std::uint64_t bits = mix_bits(key);
        const std::uint64_t base = 1 + (is_wide_ ? bits % 1000 : wraps_ ? bits % 65536 : bits % 8);
        switch (kind_) {
            case Kind::sum:
            case Kind::max:
                return base * factor_.a;
            // A byte has room for the bits of three ranks only.
            case Kind::bor:
                return is_wide_ ? (base << 16) | factor_.a : (base << 3) | (factor_.a & 7);
            // b is linear in the contributions' b, whatever the a: scaling all of them scales it.
            case Kind::affine:
                return (factor_.a << 16) | ((factor_.b * base) & half_mask);
        }
        return 0;
    }
    Values(Kind kind, Factor factor, const Element& element)
        : kind_{kind},
          factor_{factor},
          is_wide_{element.value_bits() > 24},
          wraps_{kind == Kind::sum && element.value_bits() <= 16} {}

    Kind kind_;
    Factor factor_;
    bool is_wide_;
    bool wraps_;  ///< sums of short unsigned integers
};

}  // namespace mpiaudit
