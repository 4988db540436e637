// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "calls/properties.h"

/// Which calls are tried, and which of several calls that fail is the simplest. Pure functions.
namespace mpiaudit::calls {

/// Pairs of values of two properties, without rare values. The form counts as one property:
/// operation, start and MPI_IN_PLACE together.
class PairCoverage {
  public:
    /// Finds the pairs that occur in a valid call. \param setting what this launch offers
    /// \param operations indices of the operations that are tried
    PairCoverage(const Setting& setting, const std::vector<std::uint8_t>& operations);

    /// Number of pairs that some valid call has.
    std::size_t valid() const { return valid_; }
    /// Number of valid pairs that the calls given to add() have had.
    std::size_t covered() const { return covered_; }
    void add(const ChosenCall& call);
    /// Returns a valid call that has many pairs not covered yet, drawn with these random bits. Once
    /// all pairs are covered, calls have pairs that no call of their form has had, or are random.
    ChosenCall next(std::uint64_t random);

  private:
    std::size_t index(std::size_t one, std::uint16_t value, std::size_t other,
                      std::uint16_t other_value) const;
    template <class Visit>
    void for_each_pair(const ChosenCall& call, Visit visit) const;
    /// Returns how many pairs of the call no call has had.
    std::size_t new_pairs(const ChosenCall& call) const;
    /// Returns how many pairs of the call no call of the same form has had.
    std::size_t new_pairs_of_form(const ChosenCall& call) const;
    std::size_t index_of_form(const ChosenCall& call, std::size_t pair) const;
    /// Notes the pairs of a valid call as valid.
    void mark(const ChosenCall& call);
    /// \param is_representative whether pairs without the form are looked for as well
    void mark_pairs_of_form(ChosenCall form, bool is_representative);
    void mark_pairs_with(const ChosenCall& with_one, std::size_t factor,
                         std::vector<bool> is_fixed);
    /// Returns a valid call in which properties have changed so that `gain` is larger.
    ChosenCall with_more(std::size_t (PairCoverage::*gain)(const ChosenCall&) const,
                         ChosenCall call, std::uint64_t random) const;

    Setting setting_;
    std::vector<std::uint8_t> operations_;
    std::vector<std::size_t> offsets_;  ///< number of values of all factors before this one
    std::size_t value_count_ = 0;
    std::vector<bool> is_valid_, is_covered_;  ///< by index()
    std::vector<bool> is_covered_in_form_;     ///< by index_of_form()
    std::vector<ChosenCall> witnesses_;        ///< valid calls that together have all valid pairs
    std::size_t valid_ = 0, covered_ = 0;
};

/// Returns a random valid call: each property takes its simplest value with probability one half.
ChosenCall random_call(const Setting& setting, const std::vector<std::uint8_t>& operations,
                       std::uint64_t random);

/// Returns the simplest call that `fails` still, with values of `failing` and simpler ones. Tries
/// few values of `failing` first: a call that hangs costs much more than a call that passes. Then
/// properties return to simpler values, one by one, until no property can. Each candidate is valid
/// in this setting. `fails` must be deterministic.
ChosenCall shrink(ChosenCall failing, const Setting& setting,
                  const std::function<bool(const ChosenCall&)>& fails);

/// Returns a similar valid call that lacks a condition of the fault; nullopt if there is none.
std::optional<ChosenCall> without_conditions_of(const ChosenCall& call, const ChosenCall& simplest,
                                                const Setting& setting, std::uint64_t random);

/// Whether a call has the operation and all conditions of the simplest call of a fault. A property
/// whose value differs between `simplest` and `origin`, the call that was shrunk, fails with
/// several values: any value but the simplest one of the property counts.
bool has_conditions_of(const ChosenCall& call, const ChosenCall& simplest,
                       const ChosenCall& origin);

}  // namespace mpiaudit::calls
