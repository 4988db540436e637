// SPDX-License-Identifier: BSD-3-Clause
#include "measure/tail_rounds.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "judge/statistics.h"
#include "judge/tails.h"
#include "messages/agreement.h"
#include "messages/under_test.h"
#include "mpi/texts.h"
#include "random/random_bits.h"
#include "record/tails.h"
#include "timing/clock.h"

namespace mpiaudit {
namespace {

/// Rounds with a pause of all operations; then those go on of which a call was long.
constexpr int first_rounds_with_pause = 3;
constexpr int most_rounds_with_pause = 30;
/// Share of the time for rounds with a pause, and what the rounds without a pause leave.
constexpr double share_of_pauses = 0.4;
constexpr int rounds_of_warm_up = 5;
/// Seconds of a batch, so that a decision is negligible beside it.
constexpr double batch_s = 0.1;
constexpr int most_rounds_of_batch = 500;

/// A pair of contestants in the rounds, with its samples; on rank 0 except for the places.
struct Pair {
    std::size_t left = 0, right = 0;
    judge::UsualTimes usual;
    bool is_open = true;
    std::vector<double> left_s = {}, right_s = {};  ///< samples of the same rounds
};

/// Takes the tail rounds of one problem. All functions are collective.
class TailRounds {
  public:
    TailRounds(const PreparedProblem& problem, record::ProblemRecord& record)
        : problem_{problem},
          comm_{problem.protocol.comm},
          rounds_{rounds_of(problem, problem.protocol.order_seed + rounds_for_tails)},
          record_{record},
          boundary_{std::log(problem.protocol.rule.checks / problem.protocol.rule.alpha)},
          end_s_{wall_time_s() + problem.planned.tail_s} {
        choose_pairs();
    }

    void run() {
        if (active_.empty()) return;
        rounds_.warm_up(active_, rounds_of_warm_up);
        run_without_pause();
        open_all();
        run_with_pause();
    }

  private:
    /// Chooses the pairs by the samples of the problem on rank 0.
    void choose_pairs() {
        std::vector<std::size_t> places;
        for (const record::TailPair& each : record::tail_pairs(record_, judge::rounds_of_usual)) {
            const auto& left = record_.contestants[each.left];
            if (!left.name.way().is_plain() || !problem_.prepared.can_run(each.left) ||
                !problem_.prepared.can_run(each.right))
                continue;
            pairs_.push_back({each.left,
                              each.right,
                              {judge::median(left.samples_s),
                               judge::median(record_.contestants[each.right].samples_s)}});
        }
        open_all();
    }

    void open_all() {
        for (Pair& each : pairs_) each.is_open = true;
        share_open();
    }

    /// Tells all ranks the open pairs.
    void share_open() {
        open_.clear();
        open_pairs_.clear();
        for (Pair& each : pairs_) {
            if (!each.is_open) continue;
            open_pairs_.push_back(&each);
            open_.insert(open_.end(), {static_cast<int>(each.left), static_cast<int>(each.right)});
        }
        const under_test::InHarness in_harness;
        open_ = from_rank_0(open_);
        const std::set<int> contestants(open_.begin(), open_.end());
        active_.assign(contestants.begin(), contestants.end());
    }

    /// Runs rounds of these contestants and adds the samples to the pairs, which rank 0 has.
    /// Returns false if a contestant failed.
    bool run_batch(std::span<const int> contestants, int rounds, std::span<Pair* const> pairs) {
        end_if_interrupted(comm_);
        const Batch batch = rounds_.run(contestants, rounds);
        std::vector<double> now_s(problem_.planned.contestants.size());
        for (std::size_t i = 0; i < batch.samples_s.size(); ++i) {
            now_s[static_cast<std::size_t>(batch.order[i])] = batch.samples_s[i];
            if ((i + 1) % batch.active != 0) continue;
            for (Pair* const each : pairs) {
                each->left_s.push_back(now_s[each->left]);
                each->right_s.push_back(now_s[each->right]);
            }
        }
        const int failed = decided_by_rank_0(batch.failed, comm_);
        if (failed >= 0) record_failure(rounds_, failed, problem_.prepared, comm_);
        return failed < 0;
    }

    /// Returns the long calls of a pair since the samples were cleared.
    judge::LongCalls long_calls_of(const Pair& pair) const {
        return judge::long_calls(pair.left_s, pair.right_s, pair.usual);
    }

    bool is_clear(const Pair& pair) const {
        const judge::LongCalls found = long_calls_of(pair);
        return judge::log_e_of_tail({&found, 1}) >= boundary_;
    }

    void clear() {
        for (Pair& each : pairs_) {
            each.left_s.clear();
            each.right_s.clear();
        }
    }

    void record(bool is_after_pause) {
        for (const Pair& each : pairs_)
            if (!each.left_s.empty())
                record_.tails.push_back(
                    {each.left, each.right, is_after_pause, long_calls_of(each)});
    }

    /// Runs a round of each open pair. Returns false if the time is over or a contestant failed.
    bool run_pairs() {
        for (std::size_t k = 0; 2 * k < open_.size(); ++k) {
            const auto of_rank_0 = std::span(open_pairs_).subspan(std::min(k, open_pairs_.size()));
            if (is_over(end_s_, comm_) || !run_batch(std::span(open_).subspan(2 * k, 2), 1,
                                                     of_rank_0.first(of_rank_0.empty() ? 0 : 1)))
                return false;
        }
        return true;
    }

    void run_with_pause() {
        clear();
        rounds_.pause_before_calls(pause_before_call_s);
        for (int round = 0; round < most_rounds_with_pause && !open_.empty(); ++round) {
            if (!run_pairs()) break;
            if (round + 1 < first_rounds_with_pause) continue;
            for (Pair& each : pairs_)
                each.is_open &= !long_calls_of(each).left_long_s.empty() && !is_clear(each);
            share_open();
        }
        rounds_.pause_before_calls(0.0);
        record(true);
    }

    void run_without_pause() {
        clear();
        const double until_s = end_s_ - share_of_pauses * problem_.planned.tail_s;
        int done = 0, next = 1;
        while (!active_.empty() && done < most_tail_rounds && !is_over(until_s, comm_)) {
            const double start_s = wall_time_s();
            if (!run_batch(active_, next, open_pairs_)) break;
            done += next;
            const double round_s = (wall_time_s() - start_s) / next;
            const int fitting = static_cast<int>(std::min(batch_s / round_s, 1e6));
            next = decided_by_rank_0(std::clamp(fitting, 1, most_rounds_of_batch), comm_);
            for (Pair& each : pairs_) each.is_open &= !is_clear(each);
            share_open();
        }
        record(false);
    }

    const PreparedProblem& problem_;
    MPI_Comm comm_;
    Rounds rounds_;
    record::ProblemRecord& record_;
    double boundary_, end_s_;
    std::vector<Pair> pairs_;        ///< on rank 0
    std::vector<int> open_;          ///< contestants of open pairs, pair by pair
    std::vector<int> active_;        ///< the same contestants, each once
    std::vector<Pair*> open_pairs_;  ///< on rank 0
};

}  // namespace

void measure_tails(const PreparedProblem& problem, record::ProblemRecord& record) {
    const ProtocolOptions& options = problem.protocol.options;
    if (problem.planned.tail_s > 0.0 && !options.sync->in_window && !options.in_a_row)
        TailRounds(problem, record).run();
}

}  // namespace mpiaudit
