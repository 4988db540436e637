// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/watchdog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <limits>
#include <mutex>
#include <span>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "collectives/patterns/node_communicators.h"
#include "messages/interruption.h"
#include "messages/messages.h"
#include "messages/owned.h"
#include "messages/under_test.h"
#include "mpi/incident.h"
#include "mpi/shared_memory.h"
#include "mpi/thread_activity.h"
#include "text/console.h"

namespace mpiaudit {
namespace {

using DurationInS = std::chrono::duration<double>;

/// A call hangs after hang_factor times its expected duration, and not before least_hang_s.
constexpr double least_hang_s = 60.0;
constexpr double hang_factor = 100.0;
/// Bounds of the time between two looks.
constexpr double longest_sleep_s = 1.0, shortest_sleep_s = 0.01;
/// Seconds that ranks of other nodes wait for rank 0's report.
constexpr double report_timeout_s = 2.0;
/// Seconds to wait after a signal: many launchers kill after about a second. mpirun of Open MPI 4.1
/// may kill at once, which leaves no time for a report.
constexpr double signal_grace_s = 0.2;

/// Returns "; has left: rank 1, 2", or "" for no ranks.
std::string ranks_in_words(const char* where, const std::vector<int>& ranks) {
    constexpr std::size_t shown = 16;
    if (ranks.empty()) return "";
    const std::span<const int> first(ranks.data(), std::min(shown, ranks.size()));
    return fmt::format("{}: rank {}", where, fmt::join(first, ", ")) +
           (ranks.size() > shown ? fmt::format(" ... ({} ranks)", ranks.size()) : "");
}

/// Returns the progress of a rank: while the value does not change, the rank does not move.
auto progress_of(const under_test::State& at) {
    return std::tuple(at.calls.load(), at.exchanges.load(), at.stage.load());
}

}  // namespace

// Types of members of Watchdog::Thread cannot be in an unnamed namespace.

struct alignas(128) RankState {
    under_test::State at;
    std::atomic<int> rank{0};
    /// Seconds since the begin in which the rank used a processor or slept. The time in which the
    /// rank waited for a processor or was stopped is not in this number.
    std::atomic<double> active_s{0};
    std::atomic<bool> has_left{false};  ///< the rank counts no seconds any more
};

/// The states of all ranks of this node in shared memory, so that the state of a hanging rank can
/// be read without its help. A rank that cannot share memory has only its own state.
class NodeStates {
  public:
    struct alignas(128) Header {
        /// 1 + the rank that reports a hang for the node; 0 before a hang.
        std::atomic<int> reporter{0};
        std::atomic<bool> is_over{false};
        /// Time at which all ranks of the node exit, in seconds of the steady clock; 0 until rank 0
        /// sets it.
        std::atomic<double> end_s{0};
        std::atomic<int> code{0};  ///< with which the ranks exit; 0: with that of the Watchdog
    };
    /// Of the Watchdog that was made last and lives; null if none lives.
    static inline std::atomic<Header*> living = nullptr;

    /// Makes this rank's state visible to the node. Collective.
    explicit NodeStates(MPI_Comm comm) : NodeStates(ranks_of_processor(comm), comm) {}
    ~NodeStates() {
        own().has_left = true;
        under_test::state = before_;
        living = outer_;
    }
    NodeStates(const NodeStates&) = delete;
    NodeStates& operator=(const NodeStates&) = delete;

    Header& header() { return *static_cast<Header*>(memory_.get()); }
    std::span<RankState> ranks() { return {reinterpret_cast<RankState*>(&header() + 1), count_}; }
    RankState& own() { return ranks()[own_]; }

  private:
    NodeStates(const OwnedComm& node, MPI_Comm comm)
        : count_{static_cast<std::size_t>(messages::size_of(node.get()))},
          memory_{node.get(), sizeof(Header) + count_ * sizeof(RankState)} {
        if (memory_.is_shared())
            own_ = static_cast<std::size_t>(messages::rank_in(node.get()));
        else
            count_ = 1;
        own().rank = messages::rank_in(comm);
        // The shared memory holds zeros.
        own().at.is_measured = before_->is_measured.load();
        under_test::state = &own().at;
        living = &header();
    }

    std::size_t count_, own_ = 0;
    SharedMemory memory_;
    Header* outer_ = living;
    under_test::State* before_ = under_test::state;  ///< of another Watchdog, or own_state
};

namespace {

/// Sorts the node's ranks relative to the rank with the fewest completed calls (preferring a rank
/// inside a call): inside that call, not yet arrived, already left.
struct NodeSnapshot {
    int operation = 0;
    bool is_between_calls = false;  ///< no rank is in a call
    std::vector<int> inside, not_arrived, left;

    explicit NodeSnapshot(std::span<RankState> ranks) {
        is_between_calls = std::ranges::all_of(ranks, [](const RankState& rank) {
            const int stage = rank.at.stage.load();
            return !rank.at.is_measured || stage == under_test::in_harness ||
                   stage == under_test::elsewhere;
        });
        const auto is_in_call = [](const RankState& rank) {
            const int stage = rank.at.stage.load();
            return stage == under_test::inside || stage == under_test::synchronising;
        };
        const auto is_outside = [](const RankState& rank) { return !rank.at.is_measured; };
        // Prefers a rank that is in a call.
        const auto order = [&](const RankState& rank) {
            return std::tuple(is_outside(rank), !is_in_call(rank), rank.at.calls.load());
        };
        const under_test::State& last = std::ranges::min_element(ranks, {}, order)->at;
        operation = last.stage == under_test::synchronising ? under_test::barrier_of_harness
                                                            : last.operation.load();
        for (const RankState& rank : ranks) {
            if (is_outside(rank)) continue;
            if (rank.at.calls < last.calls)
                not_arrived.push_back(rank.rank);
            else if (rank.at.calls == last.calls && is_in_call(rank))
                inside.push_back(rank.rank);
            else
                left.push_back(rank.rank);
        }
    }

    std::string in_words(double seconds) const {
        return fmt::format(
            "hangs: after {:.3g} s{}{}{}", seconds, ranks_in_words(" in the call", inside),
            ranks_in_words("; not arrived", not_arrived), ranks_in_words("; has left", left));
    }
};

}  // namespace

class Watchdog::Thread {
  public:
    Thread(std::optional<double> hang_after_s, int exit_code, MPI_Comm comm)
        : hang_after_s_{hang_after_s},
          exit_code_{exit_code},
          states_{comm},
          is_single_node_{std::ssize(states_.ranks()) == messages::size_of(comm)} {
        int thread_level = MPI_THREAD_SINGLE;
        MPI_Query_thread(&thread_level);
        if (thread_level < MPI_THREAD_FUNNELED) {
            if (states_.own().rank == 0)
                remark(
                    "warning: the MPI library allows a single thread (MPI_THREAD_SINGLE), so "
                    "hangs are not detected");
            return;
        }
        // Signals go to the thread that calls MPI.
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        thread_ = std::thread([this] {
            pthread_setname_np(pthread_self(), watchdog_thread_name);
            watch();
        });
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    void set_report(std::function<std::string()> report) {
        const std::lock_guard lock(mutex_);
        report_ = std::move(report);
    }
    ~Thread() {
        is_destroyed_ = true;
        interruption::wake();
        if (thread_.joinable()) thread_.join();
    }

  private:
    double limit_s() const {
        return hang_after_s_ ? *hang_after_s_
                             : std::max(least_hang_s, hang_factor * incident::Facts().expected_s());
    }
    double sleep_s() const { return std::clamp(limit_s() / 20, shortest_sleep_s, longest_sleep_s); }

    /// Returns the active seconds of each rank of the node; infinity for a rank that has left.
    std::vector<double> active_seconds() {
        std::vector<double> all;
        for (const RankState& rank : states_.ranks())
            all.push_back(rank.has_left ? std::numeric_limits<double>::infinity()
                                        : rank.active_s.load());
        return all;
    }

    /// Returns the seconds in which every rank of the node has been active since `begin`. A rank
    /// that had no processor, or was stopped, may end its call as soon as it goes on.
    double all_active_since(const std::vector<double>& begin) {
        const std::vector<double> now = active_seconds();
        double least_s = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < now.size(); ++i)
            if (std::isfinite(now[i])) least_s = std::min(least_s, now[i] - begin[i]);
        return std::isfinite(least_s) ? least_s : 0.0;
    }

    /// The loop of the thread: tests progress at intervals of sleep_s().
    void watch() {
        std::vector<double> begin = active_seconds();
        auto last = progress_of({});
        for (;;) {
            double slept_s = sleep_s();
            if (interruption::is_woken_within(slept_s)) {
                if (is_destroyed_) return;
                report_if_stuck_after_signal();
                slept_s = 0.0;
            }
            if (is_destroyed_) return;
            if (states_.header().reporter != 0) wait_and_exit();
            const auto at = progress_of(states_.own().at);
            // Uses the requested sleeping time, so that time in which the process was stopped does
            // not count.
            std::atomic<double>& active_s = states_.own().active_s;
            active_s = active_s + activity_.active_of(slept_s);
            const bool is_stuck = at == last && states_.own().at.is_measured &&
                                  states_.own().at.stage != under_test::elsewhere;
            if (!is_stuck) begin = active_seconds();
            if (at != last) is_reported_ = false;
            last = at;
            const double stuck_s = all_active_since(begin);
            if (stuck_s >= limit_s() / 2) report();
            int nobody = 0;
            if (stuck_s >= limit_s() &&
                states_.header().reporter.compare_exchange_strong(nobody, 1 + states_.own().rank))
                report_hang_and_exit(stuck_s);
        }
    }

    /// Waits signal_grace_s after a signal. If the MPI thread makes progress, it will stop by
    /// itself: does nothing. Else prints this rank's report. Does not end the process.
    void report_if_stuck_after_signal() {
        const auto before = progress_of(states_.own().at);
        if (interruption::is_woken_within(signal_grace_s) && is_destroyed_) return;
        if (progress_of(states_.own().at) != before) return;
        report();
        incident::write_error(std::exchange(report_text_, ""));
    }

    /// Makes this rank's report, once per hang.
    void report() {
        const std::lock_guard lock(mutex_);
        if (!report_ || std::exchange(is_reported_, true)) return;
        report_text_ = report_();
    }

    /// Exits together with the other ranks. Launchers kill all ranks when the first one exits, and
    /// may return the exit code of another one. So the node's ranks exit at one time, when each has
    /// looked; rank 0 sets the time after writing its report. Ranks on other nodes wait
    /// report_timeout_s.
    [[noreturn]] void exit_with_node() {
        report();
        incident::write_error(report_text_);
        const auto now_s = [] {
            return DurationInS(std::chrono::steady_clock::now().time_since_epoch()).count();
        };
        std::atomic<double>& end_s = states_.header().end_s;
        if (states_.own().rank == 0) end_s = now_s() + sleep_s() + 3 * shortest_sleep_s;
        const double limit_s = now_s() + 2 * sleep_s() + report_timeout_s;
        while (now_s() < (end_s == 0 ? limit_s : end_s.load()))
            std::this_thread::sleep_for(DurationInS(shortest_sleep_s / 10));
        const int code = states_.header().code;
        _exit(code != 0 ? code : exit_code_);
    }

    /// Waits until the rank that found the hang has reported it, then exits.
    [[noreturn]] void wait_and_exit() {
        while (!states_.header().is_over)
            std::this_thread::sleep_for(DurationInS(shortest_sleep_s));
        exit_with_node();
    }

    /// Reports the hang for the node, then exits.
    [[noreturn]] void report_hang_and_exit(double stuck_s) {
        const NodeSnapshot snapshot(states_.ranks());
        const std::string what = snapshot.in_words(stuck_s);
        const incident::Facts facts;
        std::string text;
        if (snapshot.is_between_calls) {
            text = fmt::format(
                "mpiaudit: no message between the ranks for {:.3g} s, on {}, between the calls: a "
                "host or its link may be gone\n",
                stuck_s, facts.problem_name());
        } else {
            text = fmt::format("mpiaudit: {} on {} {}\n{}",
                               facts.operation_name(snapshot.operation), facts.problem_name(), what,
                               is_single_node_
                                   ? ""
                                   : "  or a host or its link is gone: --resume tries this once "
                                     "more, and leaves it out when it hangs again\n");
            incident::note(states_.own().rank, snapshot.operation, FaultKind::hangs, what,
                           is_single_node_ ? incident::clear : incident::unclear);
        }
        if (!facts.remedy().empty()) text += fmt::format("{}\n", facts.remedy());
        std::fflush(stdout);
        incident::write_error(text);
        states_.header().is_over = true;
        exit_with_node();
    }

    std::optional<double> hang_after_s_;
    std::function<std::string()> report_;
    std::string report_text_;   ///< the last report, until it is printed
    bool is_reported_ = false;  ///< the report was made since the last progress
    int exit_code_;
    NodeStates states_;
    ThreadActivity activity_;  ///< of the thread that calls MPI
    bool is_single_node_;      ///< all ranks are on this node
    std::mutex mutex_;
    std::atomic<bool> is_destroyed_ = false;
    std::thread thread_;
};

Watchdog::Watchdog(std::optional<double> hang_after_s, int exit_code, MPI_Comm comm)
    : thread_{std::make_unique<Thread>(hang_after_s, exit_code, comm)} {}

Watchdog::~Watchdog() = default;

void Watchdog::end_node(int code) {
    NodeStates::Header* const header = NodeStates::living;
    if (header == nullptr) return;
    header->code = code;
    header->reporter = 1;
    header->is_over = true;
    timespec most{static_cast<time_t>(2 * report_timeout_s + 2 * longest_sleep_s), 0};
    while (nanosleep(&most, &most) != 0) {
    }
}

void Watchdog::set_report(std::function<std::string()> report) {
    thread_->set_report(std::move(report));
}

}  // namespace mpiaudit
