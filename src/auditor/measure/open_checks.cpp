// SPDX-License-Identifier: BSD-3-Clause
#include "measure/open_checks.h"

#include <algorithm>
#include <set>

namespace mpiaudit {
bool OpenChecks::is_open(const Check& check) const {
    if (!stops_early_) return true;
    return check.process.verdict() == judge::Verdict::undecided && !check.is_given_up;
}

bool OpenChecks::is_open_rival(const Check& rival) const {
    // Without a stopping rule all contestants of the checks have all rounds.
    return stops_early_ && is_open(rival);
}

bool OpenChecks::is_right(std::size_t left) const {
    return std::ranges::none_of(checks_, [&](const Check& check) {
        return check.left == left &&
               (check.process.verdict() == judge::Verdict::violated || is_open(check));
    });
}

void OpenChecks::give_up_hopeless(int last) {
    if (!stops_early_) return;
    for (Check& check : checks_) {
        if (is_open(check)) check.is_given_up = !check.process.has_prospects(last);
    }
    // Who has left does not come back: the rounds of two contestants are those that both have.
    for (Check& rival : rivals_) {
        if (is_open(rival))
            rival.is_given_up = is_right(rival.left) || !rival.process.has_prospects(last);
    }
}

void OpenChecks::withdraw(std::size_t contestant) {
    for (std::vector<Check>* list : {&checks_, &rivals_}) {
        std::erase_if(*list, [&](const Check& check) {
            return check.left == contestant || check.right == contestant;
        });
    }
}

void OpenChecks::add_round(std::span<const double> samples_s) {
    for (Check& check : checks_) {
        if (is_open(check)) check.process.add(samples_s[check.left], samples_s[check.right]);
    }
    for (Check& rival : rivals_) {
        if (is_open_rival(rival)) rival.process.add(samples_s[rival.left], samples_s[rival.right]);
    }
}

bool OpenChecks::is_decided() const {
    return std::ranges::none_of(checks_, [this](const Check& check) { return is_open(check); });
}

std::optional<int> OpenChecks::earliest_decision() const {
    std::optional<int> earliest;
    if (!stops_early_) return earliest;
    for (const std::vector<Check>* list : {&checks_, &rivals_}) {
        for (const Check& check : *list) {
            if (!is_open(check)) continue;
            const int own = check.process.earliest_decision();
            earliest = std::min(earliest.value_or(own), own);
        }
    }
    return earliest;
}

std::vector<int> OpenChecks::needed() const {
    std::set<int> contestants;
    for (const Check& check : checks_) {
        if (!is_open(check)) continue;
        contestants.insert(static_cast<int>(check.left));
        contestants.insert(static_cast<int>(check.right));
    }
    for (const Check& rival : rivals_) {
        if (!is_open_rival(rival)) continue;
        contestants.insert(static_cast<int>(rival.left));
        contestants.insert(static_cast<int>(rival.right));
    }
    return {contestants.begin(), contestants.end()};
}

}  // namespace mpiaudit
