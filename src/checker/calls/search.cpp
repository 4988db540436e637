// SPDX-License-Identifier: BSD-3-Clause
#include "calls/search.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "calls/basic_types.h"
#include "random/random_bits.h"

namespace mpiaudit::calls {
namespace {

std::uint8_t value_count(std::size_t property) {
    return static_cast<std::uint8_t>(properties()[property].values.size());
}

bool is_rare(std::size_t property, std::uint8_t value) {
    return properties()[property].values[value].is_rare;
}

bool is_valid(const ChosenCall& call, const Setting& setting) {
    return obstacle(call, setting) == nullptr;
}

/// Returns the properties in a random order.
std::array<std::size_t, property_count> shuffled(std::uint64_t random) {
    std::array<std::size_t, property_count> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = property_count - 1; i > 0; --i) {
        random = mix_bits(random);
        std::swap(order[i], order[random % (i + 1)]);
    }
    return order;
}

/// Values of a property that can make a call valid whose other values are given.
struct HelpfulValues {
    Property property;
    std::vector<std::uint8_t> values;
};

template <class... Values>
std::vector<std::uint8_t> indices(Values... values) {
    return {static_cast<std::uint8_t>(values)...};
}

std::vector<std::uint8_t> all_values(Property property) {
    std::vector<std::uint8_t> all(value_count(static_cast<std::size_t>(property)));
    std::iota(all.begin(), all.end(), std::uint8_t{0});
    return all;
}

/// Returns one basic type of each class and sign.
std::vector<std::uint8_t> representative_types() {
    std::vector<std::uint8_t> chosen;
    std::set<std::pair<TypeClass, bool>> known;
    const auto types = basic_types();
    for (std::size_t i = 0; i < types.size(); ++i)
        if (known.emplace(types[i].type_class, types[i].is_unsigned()).second)
            chosen.push_back(static_cast<std::uint8_t>(i));
    return chosen;
}

const std::vector<HelpfulValues>& helpful_values() {
    static const std::vector<HelpfulValues> all{
        {Property::communicator, all_values(Property::communicator)},
        {Property::counts, indices(Counts::none, Counts::some_empty)},
        {Property::start, indices(CallStart::nonblocking)},
        {Property::sent_type, indices(TypeShape::plain, TypeShape::structure)},
        {Property::received_type, indices(TypeShape::plain, TypeShape::structure)},
        {Property::basic, representative_types()},
        {Property::op, all_values(Property::op)}};
    return all;
}

/// Changes one property that is not fixed so that the call becomes valid, of those from `first` on
/// in helpful_values(). Returns whether the call is valid then.
bool change_one(ChosenCall& call, const Setting& setting, const std::vector<bool>& is_fixed,
                std::size_t first = 0) {
    const auto& helpful = helpful_values();
    for (std::size_t one = first; one < helpful.size(); ++one) {
        const Property property = helpful[one].property;
        if (is_fixed[static_cast<std::size_t>(property)]) continue;
        const std::uint8_t before = call[property];
        for (const std::uint8_t value : helpful[one].values) {
            call[property] = value;
            if (is_valid(call, setting)) return true;
        }
        call[property] = before;
    }
    return false;
}

/// Changes at most two properties that are not fixed so that the call becomes valid. Returns
/// whether the call is valid then.
bool make_valid(ChosenCall& call, const Setting& setting, const std::vector<bool>& is_fixed) {
    if (is_valid(call, setting) || change_one(call, setting, is_fixed)) return true;
    const auto& helpful = helpful_values();
    for (std::size_t one = 0; one < helpful.size(); ++one) {
        const Property property = helpful[one].property;
        if (is_fixed[static_cast<std::size_t>(property)]) continue;
        const std::uint8_t before = call[property];
        for (const std::uint8_t value : helpful[one].values) {
            call[property] = value;
            if (change_one(call, setting, is_fixed, one + 1)) return true;
        }
        call[property] = before;
    }
    return false;
}

/// Returns one operation of those for which the same combinations are valid.
std::set<std::uint8_t> representative_operations(const std::vector<std::uint8_t>& operations) {
    std::set<std::uint8_t> chosen;
    std::set<std::vector<bool>> known;
    for (const std::uint8_t index : operations) {
        const MpiOperation& each = mpi_operations[index];
        const std::vector<bool> traits{each.has_root(),
                                       each.is_reduction(),
                                       each.is_irregular(),
                                       each.takes("sendtypes"),
                                       each.takes("displs") || each.takes("sdispls"),
                                       each.is_among_neighbours(),
                                       each.in_place == InPlace::nowhere,
                                       each.in_place == InPlace::everywhere,
                                       each.arguments.empty(),
                                       each.collective == "scan"};
        if (known.insert(traits).second) chosen.insert(index);
    }
    return chosen;
}

// The factors of a covering array: the form (operation, start and MPI_IN_PLACE together, since each
// form is code of its own in a library), then every other property.

constexpr auto start_property = static_cast<std::size_t>(Property::start),
               in_place_property = static_cast<std::size_t>(Property::in_place);
constexpr std::size_t factor_count = property_count - 2;
constexpr std::size_t starts = static_cast<std::size_t>(CallStart::large_count) + 1;
constexpr std::size_t form_count = operation_count * starts * 2;
using Factors = std::array<std::uint16_t, factor_count>;

/// Returns the property of a factor behind the first one.
std::size_t property_of(std::size_t factor) {
    static const std::vector<std::size_t> all = [] {
        std::vector<std::size_t> made{0};
        for (std::size_t property = 1; property < property_count; ++property)
            if (property != start_property && property != in_place_property)
                made.push_back(property);
        return made;
    }();
    return all[factor];
}

Factors factors_of(const ChosenCall& call) {
    Factors values{};
    const std::size_t form = (call.values[0] * starts + call.values[start_property]) * 2 +
                             call.values[in_place_property];
    values[0] = static_cast<std::uint16_t>(form);
    for (std::size_t factor = 1; factor < factor_count; ++factor)
        values[factor] = call.values[property_of(factor)];
    return values;
}

/// Returns the valid call of an operation that has the simplest values.
ChosenCall simplest_call(std::uint8_t operation, const Setting& setting) {
    ChosenCall call;
    call[Property::operation] = operation;
    std::vector<bool> is_fixed(property_count);
    is_fixed[0] = true;
    make_valid(call, setting, is_fixed);
    return call;
}

/// Calls f with each subset of `size` elements of `of`, until f returns true. Returns whether f
/// has.
bool any_subset(const std::vector<std::size_t>& of, std::size_t size,
                const std::function<bool(const std::vector<std::size_t>&)>& f,
                std::vector<std::size_t> chosen = {}, std::size_t next = 0) {
    if (chosen.size() == size) return f(chosen);
    for (; next < of.size(); ++next) {
        chosen.push_back(of[next]);
        if (any_subset(of, size, f, chosen, next + 1)) return true;
        chosen.pop_back();
    }
    return false;
}

/// Returns a call that fails with at most `most_values_kept` values of `failing`, else `failing`.
ChosenCall with_fewest_values(const ChosenCall& failing, const Setting& setting,
                              const std::function<bool(const ChosenCall&)>& fails) {
    constexpr std::size_t most_values_kept = 3;
    constexpr int most_tries = 300;
    const ChosenCall base = simplest_call(failing[Property::operation], setting);
    std::vector<std::size_t> differing;
    for (std::size_t property = 1; property < property_count; ++property)
        if (failing.values[property] != base.values[property]) differing.push_back(property);
    ChosenCall found = failing;
    int tries = 0;
    const auto is_enough = [&](const std::vector<std::size_t>& kept) {
        ChosenCall candidate = base;
        for (const std::size_t property : kept)
            candidate.values[property] = failing.values[property];
        if (candidate == failing || ++tries > most_tries) return true;
        if (!is_valid(candidate, setting) || !fails(candidate)) return false;
        found = candidate;
        return true;
    };
    for (std::size_t size = 0; size <= most_values_kept; ++size)
        if (any_subset(differing, size, is_enough)) break;
    return found;
}

/// One of so many random calls that would have a rare value has the value.
constexpr std::uint64_t rareness = 500;

}  // namespace

PairCoverage::PairCoverage(const Setting& setting, const std::vector<std::uint8_t>& operations)
    : setting_{setting}, operations_{operations} {
    offsets_.push_back(0);
    value_count_ = form_count;
    for (std::size_t factor = 1; factor < factor_count; ++factor) {
        offsets_.push_back(value_count_);
        value_count_ += value_count(property_of(factor));
    }
    is_valid_.resize(value_count_ * value_count_);
    is_covered_.resize(is_valid_.size());
    is_covered_in_form_.resize(form_count * is_valid_.size());
    const std::set<std::uint8_t> representatives = representative_operations(operations_);
    for (const std::uint8_t operation : operations_)
        for (std::uint8_t start = 0; start < value_count(start_property); ++start)
            for (std::uint8_t in_place = 0; in_place < value_count(in_place_property); ++in_place) {
                ChosenCall form;
                form[Property::operation] = operation;
                form[Property::start] = start;
                form[Property::in_place] = in_place;
                mark_pairs_of_form(form, representatives.contains(operation));
            }
}

void PairCoverage::mark_pairs_of_form(ChosenCall form, bool is_representative) {
    std::vector<bool> is_fixed(property_count);
    for (const Property property : {Property::operation, Property::start, Property::in_place})
        is_fixed[static_cast<std::size_t>(property)] = true;
    if (!make_valid(form, setting_, is_fixed)) return;
    mark(form);
    for (std::size_t factor = 1; factor < factor_count; ++factor) {
        const std::size_t one = property_of(factor);
        is_fixed[one] = true;
        for (std::uint8_t a = 0; a < value_count(one); ++a) {
            ChosenCall with_one = form;
            with_one.values[one] = a;
            if (is_rare(one, a) || !make_valid(with_one, setting_, is_fixed)) continue;
            mark(with_one);
            if (is_representative) mark_pairs_with(with_one, factor, is_fixed);
        }
        is_fixed[one] = false;
    }
}

void PairCoverage::mark_pairs_with(const ChosenCall& with_one, std::size_t factor,
                                   std::vector<bool> is_fixed) {
    const Factors values = factors_of(with_one);
    for (std::size_t other = factor + 1; other < factor_count; ++other) {
        const std::size_t property = property_of(other);
        is_fixed[property] = true;
        for (std::uint8_t b = 0; b < value_count(property); ++b) {
            if (is_rare(property, b) || is_valid_[index(factor, values[factor], other, b)])
                continue;
            ChosenCall with_both = with_one;
            with_both.values[property] = b;
            if (make_valid(with_both, setting_, is_fixed)) mark(with_both);
        }
        is_fixed[property] = false;
    }
}

std::size_t PairCoverage::index(std::size_t one, std::uint16_t value, std::size_t other,
                                std::uint16_t other_value) const {
    return (offsets_[one] + value) * value_count_ + offsets_[other] + other_value;
}

template <class Visit>
void PairCoverage::for_each_pair(const ChosenCall& call, Visit visit) const {
    const Factors values = factors_of(call);
    for (std::size_t one = 0; one < factor_count; ++one)
        for (std::size_t other = one + 1; other < factor_count; ++other)
            visit(index(one, values[one], other, values[other]));
}

void PairCoverage::mark(const ChosenCall& call) {
    bool is_new = false;
    for_each_pair(call, [&](std::size_t pair) {
        if (is_valid_[pair]) return;
        is_valid_[pair] = is_new = true;
        ++valid_;
    });
    if (is_new) witnesses_.push_back(call);
}

void PairCoverage::add(const ChosenCall& call) {
    for_each_pair(call, [&](std::size_t pair) {
        is_covered_in_form_[index_of_form(call, pair)] = true;
        // Pairs with rare values do not count.
        if (!is_valid_[pair] || is_covered_[pair]) return;
        is_covered_[pair] = true;
        ++covered_;
    });
}

std::size_t PairCoverage::new_pairs(const ChosenCall& call) const {
    std::size_t count = 0;
    for_each_pair(call, [&](std::size_t pair) { count += is_valid_[pair] && !is_covered_[pair]; });
    return count;
}

std::size_t PairCoverage::index_of_form(const ChosenCall& call, std::size_t pair) const {
    return factors_of(call)[0] * is_valid_.size() + pair;
}

std::size_t PairCoverage::new_pairs_of_form(const ChosenCall& call) const {
    std::size_t count = 0;
    for_each_pair(call, [&](std::size_t pair) {
        count += is_valid_[pair] && !is_covered_in_form_[index_of_form(call, pair)];
    });
    return count;
}

ChosenCall PairCoverage::with_more(std::size_t (PairCoverage::*gain)(const ChosenCall&) const,
                                   ChosenCall call, std::uint64_t random) const {
    for (const std::size_t property : shuffled(random)) {
        const ChosenCall start = call;
        std::size_t most = (this->*gain)(start);
        for (std::uint8_t value = 0; value < value_count(property); ++value) {
            ChosenCall candidate = start;
            candidate.values[property] = value;
            if (property == 0 && std::ranges::find(operations_, value) == operations_.end())
                continue;
            const std::size_t gained = (this->*gain)(candidate);
            if (gained <= most || !is_valid(candidate, setting_)) continue;
            call = candidate;
            most = gained;
        }
    }
    return call;
}

ChosenCall PairCoverage::next(std::uint64_t random) {
    while (!witnesses_.empty()) {
        ChosenCall& witness = witnesses_[random % witnesses_.size()];
        if (new_pairs(witness) > 0) return with_more(&PairCoverage::new_pairs, witness, random);
        witness = witnesses_.back();
        witnesses_.pop_back();
    }
    const ChosenCall call = random_call(setting_, operations_, random);
    return mix_bits(random) & 1 ? call : with_more(&PairCoverage::new_pairs_of_form, call, random);
}

ChosenCall random_call(const Setting& setting, const std::vector<std::uint8_t>& operations,
                       std::uint64_t random) {
    ChosenCall call;
    call[Property::operation] = operations[random % operations.size()];
    std::vector<bool> is_fixed(property_count);
    is_fixed[0] = true;
    make_valid(call, setting, is_fixed);
    for (const std::size_t property : shuffled(random)) {
        random = mix_bits(random);
        if (property == 0 || random & 1) continue;
        ChosenCall with = call;
        with.values[property] = static_cast<std::uint8_t>((random >> 1) % value_count(property));
        if (is_rare(property, with.values[property]) && (random >> 32) % rareness != 0) continue;
        is_fixed[property] = true;
        if (is_valid(with, setting) || change_one(with, setting, is_fixed))
            call = with;
        else
            is_fixed[property] = false;
    }
    return call;
}

ChosenCall shrink(ChosenCall failing, const Setting& setting,
                  const std::function<bool(const ChosenCall&)>& fails) {
    failing = with_fewest_values(failing, setting, fails);
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (std::size_t property = property_count; property-- > 1;) {
            for (std::uint8_t value = 0; value < failing.values[property]; ++value) {
                ChosenCall candidate = failing;
                candidate.values[property] = value;
                if (!is_valid(candidate, setting) || !fails(candidate)) continue;
                failing = candidate;
                has_changed = true;
                break;
            }
        }
    }
    return failing;
}

std::optional<ChosenCall> without_conditions_of(const ChosenCall& call, const ChosenCall& simplest,
                                                const Setting& setting, std::uint64_t random) {
    const ChosenCall base = simplest_call(call[Property::operation], setting);
    for (const std::size_t property : shuffled(random)) {
        if (property == 0 || simplest.values[property] == base.values[property]) continue;
        ChosenCall without = call;
        without.values[property] = base.values[property];
        if (is_valid(without, setting)) return without;
    }
    return std::nullopt;
}

bool has_conditions_of(const ChosenCall& call, const ChosenCall& simplest,
                       const ChosenCall& origin) {
    for (std::size_t property = 0; property < property_count; ++property) {
        const std::uint8_t value = call.values[property], of_simplest = simplest.values[property];
        if (property > 0 && of_simplest == 0) continue;
        if (value == of_simplest) continue;
        // Two values other than the simplest one fail: every such value is suspected.
        const bool is_general = property > 0 && origin.values[property] != of_simplest;
        if (!is_general || value == 0) return false;
    }
    return true;
}

}  // namespace mpiaudit::calls
