// SPDX-License-Identifier: BSD-3-Clause
// Does the judge find what is there, and only that? An operation that wastes a known share of its
// time against the same operation that wastes nothing, measured and judged as in an audit, again
// and again with fresh random orders. The waste is a share of the time that the very call took, so
// that the noise of the operation stays in proportion.
//
// Usage: mpirun -n 2 planted [--ratios ...] [--repetitions N]; rank 0 prints a line per operation
// and ratio, with Clopper-Pearson intervals of the rates.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "judge/verdict.h"
#include "measure/open_checks.h"
#include "mpi/environment.h"
#include "random/random_bits.h"
#include "timing/rounds.h"

namespace {

using namespace mpiaudit;
using judge::Verdict;

struct Options {
    std::vector<double> ratios = {1.00, 1.02, 1.10, 1.50};
    std::vector<int> bytes = {4, 1024, 65536};
    int repetitions = 100;
    int max_rounds = 400;
    double time_per_problem_s = 0.1;
    int checks = 200;
    std::uint64_t seed = 0;
    bool csv = false;
};

/// What the readings of the clock that plant a slow-down add to the operation; measured.
struct Overhead {
    double total_s;    ///< that the harness sees beyond what the planted operation counts itself
    double reading_s;  ///< of the clock
};

struct Operation {
    std::string name;
    Call call;
};

/// What one repetition ended with; on rank 0.
struct Outcome {
    Verdict verdict;
    int rounds;
    double ratio;  ///< median of the measured ones
};

constexpr double waiting_s = 10e-6;
constexpr int warm_up_rounds = 10;
constexpr int soon = 200;  // rounds

Call waiting(Clock clock) {
    return [clock] {
        const double start = clock.now();
        while (clock.now() - start < waiting_s) {
        }
    };
}

Call allreduce(int bytes) {
    const auto count = static_cast<std::size_t>(bytes) / sizeof(int);
    return [send = std::vector<int>(count, 1), receive = std::vector<int>(count, 0)]() mutable {
        MPI_Allreduce(send.data(), receive.data(), static_cast<int>(send.size()), MPI_INT, MPI_SUM,
                      MPI_COMM_WORLD);
    };
}

/// Lasts `ratio` times as long as with ratio 1, as the harness sees it: the overhead is stretched
/// with the operation, and the last reading of the clock comes half a reading late on average.
Call planted(const Call& operation, double ratio, Clock clock, Overhead overhead) {
    return [&operation, ratio, clock, overhead] {
        const double start = clock.now();
        operation();
        const double elapsed_s = clock.now() - start;
        if (ratio == 1.0) return;
        const double end_s =
            elapsed_s * ratio + overhead.total_s * (ratio - 1.0) - overhead.reading_s / 2;
        while (clock.now() - start < end_s) {
        }
    };
}

/// Medians over calls with nothing in them.
Overhead overhead_of_planting(Clock clock) {
    const Call nothing = [] {};
    const Call call = planted(nothing, 1.0, clock, {});
    std::vector<double> totals_s(10000), readings_s(totals_s.size());
    for (std::size_t i = 0; i < totals_s.size(); ++i) {
        const double start = clock.now();
        const double after_reading = clock.now();
        call();
        readings_s[i] = after_reading - start;
        // The call itself counts the time between its two readings.
        totals_s[i] = (clock.now() - after_reading) - readings_s[i];
    }
    return {std::max(0.0, judge::median_interval(totals_s).median),
            judge::median_interval(readings_s).median};
}

/// One audit of "planted is no slower than plain".
Outcome audit(const Operation& operation, double ratio, const Options& options, Overhead overhead,
              std::uint64_t seed) {
    const Clock clock = find_clock("mpi").value();
    const std::array calls = {planted(operation.call, ratio, clock, overhead),
                              planted(operation.call, 1.0, clock, overhead)};
    const std::array active = {0, 1};
    Rounds rounds(calls, MPI_COMM_WORLD, clock, find_synchronisation("barrier").value(), seed);
    Pace pace(options.max_rounds, options.time_per_problem_s,
              std::numeric_limits<double>::infinity());
    const double warm_up_s = MPI_Wtime();
    rounds.warm_up(active, warm_up_rounds);
    pace.expect_round((MPI_Wtime() - warm_up_s) / warm_up_rounds);
    judge::Rule rule;
    rule.checks = options.checks;
    judge::EvidenceProcess evidence(rule, mix_bits(seed));
    std::vector<double> ratios;
    const auto next_batch = [&] {
        const bool is_open =
            evidence.verdict() == Verdict::undecided && evidence.has_prospects(pace.last());
        int next = is_open ? pace.next_batch(evidence.earliest_decision()) : 0;
        MPI_Bcast(&next, 1, MPI_INT, 0, MPI_COMM_WORLD);
        return next;
    };
    for (int next = next_batch(); next > 0; next = next_batch()) {
        const double start_s = MPI_Wtime();
        const Batch batch = rounds.run(active, next);
        pace.add(next, MPI_Wtime() - start_s);
        for (std::size_t i = 0; i < batch.samples_s.size(); i += active.size()) {
            std::array<double, 2> sample_s{};
            for (std::size_t k = i; k < i + active.size(); ++k)
                sample_s[static_cast<std::size_t>(batch.order[k])] = batch.samples_s[k];
            evidence.add(sample_s[0], sample_s[1]);
            ratios.push_back(sample_s[0] / sample_s[1]);
        }
    }
    if (ratios.empty()) return {};
    return {evidence.verdict(), evidence.decided_at(), judge::median_interval(ratios).median};
}

std::string rate(const std::vector<Outcome>& outcomes, Verdict verdict) {
    using Binomial = boost::math::binomial_distribution<>;
    constexpr double one_side = 0.025;
    const auto trials = static_cast<double>(outcomes.size());
    const auto hits = static_cast<double>(std::ranges::count(outcomes, verdict, &Outcome::verdict));
    return fmt::format("{:5.1f} [{:5.1f}, {:5.1f}]", 100 * hits / trials,
                       100 * Binomial::find_lower_bound_on_p(trials, hits, one_side),
                       100 * Binomial::find_upper_bound_on_p(trials, hits, one_side));
}

std::ptrdiff_t soon_violated(const std::vector<Outcome>& outcomes) {
    return std::ranges::count_if(outcomes, [](const Outcome& outcome) {
        return outcome.verdict == Verdict::violated && outcome.rounds <= soon;
    });
}

/// Of the measured ratios, and of the rounds of those that were decided, if any were.
struct Medians {
    double ratio;
    std::optional<double> rounds;
};

Medians medians(const std::vector<Outcome>& outcomes) {
    std::vector<double> rounds, ratios;
    for (const Outcome& outcome : outcomes) {
        ratios.push_back(outcome.ratio);
        if (outcome.verdict != Verdict::undecided) rounds.push_back(outcome.rounds);
    }
    Medians found{judge::median_interval(ratios).median, std::nullopt};
    if (!rounds.empty()) found.rounds = judge::median_interval(rounds).median;
    return found;
}

void print_line(const Operation& operation, double ratio, const std::vector<Outcome>& outcomes) {
    const auto [median_ratio, rounds] = medians(outcomes);
    fmt::print(
        "{:<22} {:>7.2f} {:>8.3f}   {}   {:5.1f}   {}   {}   {:>6}\n", operation.name, ratio,
        median_ratio, rate(outcomes, Verdict::violated),
        100.0 * static_cast<double>(soon_violated(outcomes)) / static_cast<double>(outcomes.size()),
        rate(outcomes, Verdict::holds), rate(outcomes, Verdict::undecided),
        rounds ? fmt::format("{:.0f}", *rounds) : "-");
}

void print_counts(const Operation& operation, double ratio, const std::vector<Outcome>& outcomes) {
    const auto [median_ratio, rounds] = medians(outcomes);
    const auto count = [&](Verdict verdict) {
        return std::ranges::count(outcomes, verdict, &Outcome::verdict);
    };
    fmt::print("{},{},{:.4f},{},{},{},{},{:.0f}\n", operation.name, ratio, median_ratio,
               count(Verdict::violated), soon_violated(outcomes), count(Verdict::holds),
               outcomes.size(), rounds.value_or(0.0));
}

/// All ratios in turn, repetition by repetition, so that a change of the machine hits all alike.
void run(const Operation& operation, const Options& options, Overhead overhead, int rank) {
    std::vector<std::vector<Outcome>> outcomes(options.ratios.size());
    for (int repetition = 0; repetition < options.repetitions; ++repetition) {
        for (std::size_t i = 0; i < options.ratios.size(); ++i) {
            const std::uint64_t seed = mix_bits(mix_bits(options.seed, hash_bits(operation.name)),
                                                outcomes[i].size() * options.ratios.size() + i);
            outcomes[i].push_back(audit(operation, options.ratios[i], options, overhead, seed));
        }
    }
    for (std::size_t i = 0; rank == 0 && i < outcomes.size(); ++i)
        (options.csv ? print_counts : print_line)(operation, options.ratios[i], outcomes[i]);
}

Options parse_options(int argc, char** argv) {
    Options options;
    CLI::App app{"Verdicts on known slow-downs"};
    app.add_option("--ratios", options.ratios, "How many times as long the left side takes")
        ->delimiter(',')
        ->check(CLI::Range(1.0, 100.0))
        ->capture_default_str();
    app.add_option("--bytes", options.bytes, "Sizes of MPI_Allreduce")
        ->delimiter(',')
        ->check(CLI::Range(4, 1 << 30))
        ->capture_default_str();
    app.add_option("--repetitions", options.repetitions, "Audits of each operation and ratio")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--time-per-problem", options.time_per_problem_s,
                   "Seconds for rounds beyond --max-rounds");
    app.add_option("--max-rounds", options.max_rounds, "Rounds of an audit")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--checks", options.checks, "Checks over which alpha = 0.05 is divided")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_flag("--csv", options.csv, "Print counts instead of rates, for programs");
    app.add_option("--seed", options.seed, "Seed of the orders (default: drawn and printed)");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::exit(app.exit(error));
    }
    if (app.count("--seed") == 0) options.seed = std::random_device{}();
    return options;
}

}  // namespace

int main(int argc, char** argv) {
    Options options = parse_options(argc, argv);
    const Environment environment(argc, argv);
    const Overhead overhead = overhead_of_planting(find_clock("mpi").value());
    MPI_Bcast(&options.seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (environment.rank() == 0 && options.csv)
        fmt::print("operation,planted,measured,violated,soon_violated,holds,repetitions,rounds\n");
    if (environment.rank() == 0 && !options.csv) {
        fmt::print(
            "{} ranks, {} repetitions, {} checks, at most {} rounds (soon: {}), tolerance 5 %, "
            "seed {}\n",
            environment.ranks(), options.repetitions, options.checks, options.max_rounds, soon,
            options.seed);
        fmt::print("{:<22} {:>7} {:>8}   {:<20}   {:<5}   {:<20}   {:<20}   {:>6}\n", "operation",
                   "planted", "measured", "% violated", "soon", "% holds", "% undecided", "rounds");
    }
    run({"waiting 10 us", waiting(find_clock("mpi").value())}, options, overhead,
        environment.rank());
    for (const int bytes : options.bytes)
        run({fmt::format("MPI_Allreduce {} B", bytes), allreduce(bytes)}, options, overhead,
            environment.rank());
}
