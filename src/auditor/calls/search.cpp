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
struct Way {
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

const std::vector<Way>& ways() {
    static const std::vector<Way> all{{Property::communicator, all_values(Property::communicator)},
                                      {Property::counts, indices(Counts::none, Counts::some_empty)},
                                      {Property::start, indices(CallStart::nonblocking)},
                                      {Property::basic, representative_types()},
                                      {Property::op, all_values(Property::op)}};
    return all;
}

/// Changes at most two properties that are not fixed so that the call becomes valid. Returns
/// whether the call is valid then.
bool make_valid(ChosenCall& call, const Setting& setting, const std::vector<bool>& is_fixed) {
    if (is_valid(call, setting)) return true;
    const auto is_free = [&](const Way& way) {
        return !is_fixed[static_cast<std::size_t>(way.property)];
    };
    const ChosenCall start = call;
    for (std::size_t one = 0; one < ways().size(); ++one) {
        if (!is_free(ways()[one])) continue;
        for (const std::uint8_t a : ways()[one].values) {
            call = start;
            call[ways()[one].property] = a;
            if (is_valid(call, setting)) return true;
            for (std::size_t other = one + 1; other < ways().size(); ++other) {
                if (!is_free(ways()[other])) continue;
                for (const std::uint8_t b : ways()[other].values) {
                    call[ways()[other].property] = b;
                    if (is_valid(call, setting)) return true;
                }
                call[ways()[other].property] = start[ways()[other].property];
            }
        }
    }
    call = start;
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

}  // namespace

PairCoverage::PairCoverage(const Setting& setting, const std::vector<std::uint8_t>& operations)
    : setting_{setting}, operations_{operations} {
    for (std::size_t property = 0; property < property_count; ++property) {
        offsets_.push_back(value_count_);
        value_count_ += value_count(property);
    }
    is_valid_.resize(value_count_ * value_count_);
    is_covered_.resize(is_valid_.size());
    const std::set<std::uint8_t> representatives = representative_operations(operations_);
    for (const std::uint8_t operation : operations_) {
        ChosenCall simplest;
        simplest[Property::operation] = operation;
        std::vector<bool> is_fixed(property_count);
        is_fixed[0] = true;
        if (!make_valid(simplest, setting_, is_fixed)) continue;
        for (std::size_t one = 1; one < property_count; ++one) {
            for (std::uint8_t a = 0; a < value_count(one); ++a) {
                ChosenCall with_one = simplest;
                with_one.values[one] = a;
                is_fixed[one] = true;
                if (make_valid(with_one, setting_, is_fixed)) {
                    mark(with_one);
                    if (representatives.contains(operation))
                        mark_pairs_with(with_one, one, is_fixed);
                }
                is_fixed[one] = false;
            }
        }
    }
}

void PairCoverage::mark(const ChosenCall& call) {
    bool is_new = false;
    for (std::size_t one = 0; one < property_count; ++one)
        for (std::size_t other = one + 1; other < property_count; ++other) {
            const std::size_t at = index(one, call.values[one], other, call.values[other]);
            if (is_valid_[at]) continue;
            is_valid_[at] = is_new = true;
            ++valid_;
        }
    if (is_new) witnesses_.push_back(call);
}

void PairCoverage::mark_pairs_with(const ChosenCall& with_one, std::size_t one,
                                   std::vector<bool> is_fixed) {
    for (std::size_t other = one + 1; other < property_count; ++other) {
        is_fixed[other] = true;
        for (std::uint8_t b = 0; b < value_count(other); ++b) {
            if (is_valid_[index(one, with_one.values[one], other, b)]) continue;
            ChosenCall with_both = with_one;
            with_both.values[other] = b;
            if (make_valid(with_both, setting_, is_fixed)) mark(with_both);
        }
        is_fixed[other] = false;
    }
}

std::size_t PairCoverage::index(std::size_t one, std::uint8_t value, std::size_t other,
                                std::uint8_t other_value) const {
    return (offsets_[one] + value) * value_count_ + offsets_[other] + other_value;
}

void PairCoverage::add(const ChosenCall& call) {
    for (std::size_t one = 0; one < property_count; ++one)
        for (std::size_t other = one + 1; other < property_count; ++other) {
            const std::size_t at = index(one, call.values[one], other, call.values[other]);
            if (is_covered_[at]) continue;
            is_covered_[at] = true;
            if (!is_valid_[at]) {
                is_valid_[at] = true;
                ++valid_;
            }
            ++covered_;
        }
}

std::size_t PairCoverage::new_pairs(const ChosenCall& call) const {
    std::size_t count = 0;
    for (std::size_t one = 0; one < property_count; ++one)
        for (std::size_t other = one + 1; other < property_count; ++other)
            count += !is_covered_[index(one, call.values[one], other, call.values[other])];
    return count;
}

ChosenCall PairCoverage::with_more_pairs(ChosenCall call, std::uint64_t random) const {
    for (const std::size_t property : shuffled(random)) {
        const ChosenCall start = call;
        std::size_t most = new_pairs(start);
        for (std::uint8_t value = 0; value < value_count(property); ++value) {
            ChosenCall candidate = start;
            candidate.values[property] = value;
            if (property == 0 && std::ranges::find(operations_, value) == operations_.end())
                continue;
            const std::size_t gained = new_pairs(candidate);
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
        if (new_pairs(witness) > 0) return with_more_pairs(witness, random);
        witness = witnesses_.back();
        witnesses_.pop_back();
    }
    return random_call(setting_, operations_, random);
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
        if (is_valid(with, setting)) call = with;
    }
    return call;
}

ChosenCall shrink(ChosenCall failing, const Setting& setting,
                  const std::function<bool(const ChosenCall&)>& fails) {
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
