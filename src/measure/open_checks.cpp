// SPDX-License-Identifier: BSD-3-Clause
#include "measure/open_checks.h"

#include <algorithm>
#include <set>

namespace mpiaudit {
bool OpenChecks::is_open(const Check& check) const {
    if (!stops_early_) return true;
    return check.process.verdict() == judge::Verdict::undecided && !check.is_given_up;
}

void OpenChecks::give_up_hopeless(int last) {
    for (Check& check : checks_) {
        if (stops_early_ && is_open(check)) check.is_given_up = !check.process.has_prospects(last);
    }
}

void OpenChecks::withdraw(std::size_t contestant) {
    std::erase_if(checks_, [&](const Check& check) {
        return check.left == contestant || check.right == contestant;
    });
}

void OpenChecks::add_round(std::span<const double> samples_s) {
    for (Check& check : checks_) {
        if (is_open(check)) check.process.add(samples_s[check.left], samples_s[check.right]);
    }
}

bool OpenChecks::is_decided() const {
    return std::ranges::none_of(checks_, [this](const Check& check) { return is_open(check); });
}

std::vector<int> OpenChecks::needed() const {
    std::set<int> contestants;
    for (const Check& check : checks_) {
        if (!is_open(check)) continue;
        contestants.insert(static_cast<int>(check.left));
        contestants.insert(static_cast<int>(check.right));
    }
    return {contestants.begin(), contestants.end()};
}

}  // namespace mpiaudit
