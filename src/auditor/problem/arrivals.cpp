// SPDX-License-Identifier: BSD-3-Clause
#include "problem/arrivals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "problem/formula.h"
#include "random/random_bits.h"
#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

// Formulas of the arrival patterns of two papers: Faraj, Patarasuk, Yuan, A Study of Process
// Arrival Patterns for MPI Collective Operations, 2008; Proficz, Improving All-reduce Collective
// Operations for Imbalanced Process Arrival Patterns, 2018.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> named_patterns{{
    {"together", "0"},
    {"sorted", "t * i / p"},
    {"reversed", "t * (p - 1 - i) / p"},
    {"one-late", "i == p - 1 ? t : 0"},
    {"random", "t * u"},
    {"host-late", "host == hosts - 1 ? t : 0"},
}};

constexpr const char* option_name = "arrivals";
constexpr double microsecond = 1e-6;
constexpr double longest_us = 1e6;  ///< longest delay of a rank, in microseconds

/// Returns a number in [0, 1) that depends on the arguments alone.
double uniform(std::uint64_t seed, int round, int rank) {
    const std::uint64_t bits = mix_bits(mix_bits(seed, static_cast<std::uint64_t>(round)),
                                        static_cast<std::uint64_t>(rank));
    return std::ldexp(static_cast<double>(bits >> 11), -53);
}

struct RankPlace {
    int rank, ranks, root, host, hosts;
};

/// Evaluates the formula of an arrival pattern on one rank.
class Delay {
  public:
    Delay(const std::string& formula, const RankPlace& place, double own_us)
        : formula_(option_name, formula,
                   {{"t", own_us},
                    {"host", static_cast<double>(place.host)},
                    {"hosts", static_cast<double>(place.hosts)}}),
          variables_{.i = static_cast<double>(place.rank),
                     .p = static_cast<double>(place.ranks),
                     .root = static_cast<double>(place.root)} {}

    double microseconds(double u) {
        variables_.u = u;
        return formula_.evaluate(variables_);
    }

  private:
    Formula formula_;
    FormulaVariables variables_;
};

}  // namespace

Arrivals Arrivals::read(const std::string& text) {
    constexpr int ranks = 8;
    const auto* const named =
        std::ranges::find(named_patterns, text, [](const auto& each) { return each.first; });
    if (named == named_patterns.end()) {
        const auto names = names_of(named_patterns, [](const auto& each) { return each.first; });
        if (!nearest_name(text, names).empty())
            throw std::invalid_argument(unknown_name("pattern", text, names) + ", or a formula");
    }
    const std::string formula(named != named_patterns.end() ? named->second : text);
    for (int rank = 0; rank < ranks; ++rank) {
        Delay delay(formula, {rank, ranks, ranks / 2, rank, ranks}, 1.0);
        for (const double u : {0.0, 0.999}) {
            const double late_us = delay.microseconds(u);
            if (std::isfinite(late_us) && late_us >= 0.0) continue;
            throw make_invalid_argument(
                "'{}': rank {} of {} would come {} us after the start; delays are "
                "finite and not negative",
                text, rank, ranks, late_us);
        }
    }
    return {formula, named == named_patterns.begin()};
}

std::vector<double> arrival_delays(const ArrivalPattern& pattern, int rank, int root, double own_s,
                                   std::uint64_t seed, int first_round, int rounds) {
    const auto& hosts = pattern.host_of_rank;
    Delay delay(pattern.formula,
                {rank, static_cast<int>(hosts.size()), root, hosts[static_cast<std::size_t>(rank)],
                 pattern.hosts},
                own_s / microsecond);
    std::vector<double> delays_s;
    for (int k = 0; k < rounds; ++k) {
        const double late_us = delay.microseconds(uniform(seed, first_round + k, rank));
        const bool is_sound = std::isfinite(late_us);
        delays_s.push_back(is_sound ? std::clamp(late_us, 0.0, longest_us) * microsecond : 0.0);
    }
    return delays_s;
}

}  // namespace mpiaudit
