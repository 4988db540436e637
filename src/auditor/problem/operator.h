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
#include "types/basic_types.h"

namespace mpiaudit {

/// Forms of one reduction, which tell the MPI library more or less about the operator.
enum class OperatorForm {
    plain,          ///< the operator as it is named
    user_function,  ///< a user-defined function with the same result, registered as commutative
    order_kept,     ///< a user-defined function with the same result, registered as non-commutative
};

/// A reduction operator, with contributions whose result is known without communication: the result
/// depends on the contributing ranks and, for a non-commutative operator, on their order. May exist
/// only between MPI_Init and MPI_Finalize.
class Operator {
  public:
    /// Throws std::invalid_argument with the valid names when `name` is not one of names().
    explicit Operator(std::string_view name);

    static std::vector<std::string> names();
    /// Returns the C text of an operator. Throws as the constructor does; needs no MPI.
    /// User-defined operators have the handles by_function (commutative) and kept_order.
    static InC in_c(std::string_view name);

    const std::string& name() const { return name_; }
    MPI_Op op() const { return op_; }
    /// Returns the operator in another form. A user-defined operator has only the form `plain`, and
    /// returns it for every form.
    MPI_Op op(OperatorForm form) const;
    bool is_predefined() const { return !own_; }
    bool is_commutative() const { return kind_ != Kind::user_ordered; }
    /// Computes right := left op right on elements of a basic type without the MPI library. Does
    /// nothing for a type that is_defined_for() rejects.
    void reduce_here(const void* left, void* right, int count, const Element& element) const;
    /// Returns whether a contribution of zeros changes nothing.
    bool has_zero_identity() const;
    /// Returns whether the operator can reduce elements of this type.
    bool is_defined_for(const Element& element) const;
    /// Returns whether results are rounded, and so depend on the order of the operands.
    bool rounds(const Element& element) const;

    /// Returns whether results are sums modulo a power of two.
    bool wraps_around(const Element& element) const;

    /// Mask of 15 bits for each of the two numbers of an affine map.
    static constexpr std::uint32_t half_mask = 0x7fffU;

    class Values;
    /// Returns the contribution of `rank` to each element.
    Values contributions(const Element& element, int rank) const;
    /// Returns the reduction of the contributions of ranks 0 ... last.
    Values reductions(const Element& element, int last) const;

  private:
    /// The result that the operator computes; `user_ordered` composes affine maps.
    using Kind = types::Arithmetic;
    /// The part of a contribution or result that depends on the ranks, not on the element.
    struct Factor {
        std::uint64_t a, b;
    };
    struct Named;
    static std::span<const Named> all();
    static const Named& named(std::string_view name);
    MPI_User_function* own_function() const;
    /// Returns the row of the predefined operator with the same result; null if there is none.
    const types::OperatorRow* row() const;
    /// Creates a user-defined operator with the same result.
    OwnedOp make_user_op(bool commutes) const;
    Factor factor(int rank) const;
    Factor combine(Factor left, Factor right) const;

    std::string name_;
    Kind kind_{};
    MPI_Op op_{};
    OwnedOp own_;
    mutable OwnedOp user_function_, order_kept_;  ///< created by op() when first used
    mutable std::vector<Factor> prefixes_;        ///< [r]: reduction over ranks 0 ... r
};

/// Computes the value of an element from its key, for Element::store. In this header because
/// millions of values are verified.
class Operator::Values {
  public:
    /// Returns the value of an element. \param key any number that identifies the element
    std::uint64_t operator()(std::uint64_t key) const {
        replace({&key, 1});
        return key;
    }
    /// Replaces each key by its value.
    void replace(std::span<std::uint64_t> keys) const {
        for (std::uint64_t& key : keys) key = value(key);
    }

  private:
    friend class Operator;
    /// How the value of an element follows from its key.
    enum class Form {
        product,  ///< a number of the element, times the factor of the ranks
        bits,     ///< bits of the element above bits of the ranks
        shifted,  ///< bits of the ranks, in a place that depends on the element
        affine,   ///< an affine map
        pair,     ///< a product, and the index of the rank that has it
        marked    ///< from the number of ranks that are marked for the element
    };
    std::uint64_t value(std::uint64_t key) const {
        const std::uint64_t random = mix_bits(key);
        switch (form_) {
            case Form::product:
                return (1 + random % numbers_) * factor_.a;
            // A byte has room for the bits of only three ranks.
            case Form::bits:
                return is_wide_ ? ((1 + random % numbers_) << 16) | factor_.a
                                : ((1 + random % 8) << 3) | (factor_.a & 7);
            case Form::shifted:
                return is_wide_ ? factor_.a << random % 8 : factor_.a & 0x7f;
            // The b of a result is linear in the b of the contributions: scaling all contributions
            // scales the result.
            case Form::affine:
                return (factor_.a << 16) | ((factor_.b * (1 + random % numbers_)) & half_mask);
            case Form::pair:
                return (1 + random % numbers_) * factor_.a | factor_.b << 32;
            case Form::marked:
                return of_marked(random % marks);
        }
        return 0;
    }
    /// Every eighth rank is marked for an element.
    static constexpr std::uint64_t marks = 8;
    std::uint64_t of_marked(std::uint64_t mark) const;
    Values(Kind kind, Factor factor, const Element& element, bool is_result);

    Kind kind_;
    Form form_;
    Factor factor_;  ///< `marked`: b is the rank, or the last rank of a result
    bool is_wide_, is_result_;
    std::uint64_t numbers_;  ///< elements have numbers from 1 to this one
};

}  // namespace mpiaudit
