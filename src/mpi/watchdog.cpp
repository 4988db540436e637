// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/watchdog.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <thread>

#include "mpi/incident.h"
#include "mpi/node_states.h"

namespace mpiaudit {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr double least_hang_s = 60.0;
constexpr double expectations = 100.0;
constexpr double longest_sleep_s = 1.0, shortest_sleep_s = 0.01;
constexpr double stack_s = 0.3;  ///< in which a rank that can shows its stack
constexpr double act_s = 2.0;    ///< for the last act of rank 0

// The stack of the thread that is stuck, which alone can look at it: in the handler of a signal.
constexpr int most_frames = 24;
std::array<void*, most_frames> frames;
std::atomic<int> frame_count{-1};

void take_stack(int) {
    frame_count.store(backtrace(frames.data(), most_frames));
}

void listen_for_stack() {
    backtrace(frames.data(), most_frames);  // loads what it needs now: later it must not allocate
    struct sigaction action {};
    action.sa_handler = take_stack;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGRTMIN + 3, &action, nullptr);
}

std::string name_of(void* address) {
    Dl_info about{};
    if (dladdr(address, &about) == 0) return "";
    if (about.dli_sname != nullptr) return about.dli_sname;
    const std::string file = about.dli_fname == nullptr ? "" : about.dli_fname;
    return file.substr(file.rfind('/') + 1);
}

/// "PMPI_Bcast < MPI_Bcast": the functions in which the thread is, the innermost first, down to
/// ours.
std::string stack_of(pthread_t thread) {
    frame_count.store(-1);
    if (pthread_kill(thread, SIGRTMIN + 3) != 0) return "";
    for (double waited_s = 0; frame_count.load() < 0 && waited_s < stack_s; waited_s += 0.01)
        std::this_thread::sleep_for(Seconds(0.01));
    std::vector<std::string> names;
    // The handler itself and what the system put around it come first.
    for (int i = 2; i < frame_count.load(); ++i) {
        std::string name = name_of(frames[static_cast<std::size_t>(i)]);
        if (name.empty() || (!names.empty() && names.back() == name)) continue;
        if (name.starts_with("_ZN8mpiaudit") || name.starts_with("mpiaudit")) break;
        names.push_back(std::move(name));
    }
    return fmt::format("{}", fmt::join(names, " < "));
}

std::string ranks_in_words(const std::vector<int>& ranks) {
    constexpr std::size_t shown = 16;
    if (ranks.size() <= shown) return fmt::format("{}", fmt::join(ranks, ", "));
    return fmt::format("{} ... ({} ranks)", fmt::join(ranks.begin(), ranks.begin() + shown, ", "),
                       ranks.size());
}

/// Who is where, seen from the operation that the last rank of the node is at.
struct Scene {
    int operation = 0;
    bool is_between_calls = false;  ///< all of them
    std::vector<int> inside, not_arrived, left;

    explicit Scene(std::span<RankState> ranks) {
        const RankState* last = nullptr;
        is_between_calls = std::ranges::all_of(ranks, [](const RankState& rank) {
            const int stage = rank.at.stage.load();
            return stage == under_test::steering || stage == under_test::elsewhere;
        });
        const auto is_in_call = [](const RankState& rank) {
            const int stage = rank.at.stage.load();
            return stage == under_test::inside || stage == under_test::synchronising;
        };
        for (const RankState& rank : ranks) {
            if (is_in_call(rank) && (last == nullptr || rank.at.calls < last->at.calls))
                last = &rank;
        }
        if (last == nullptr)
            last = &*std::ranges::min_element(
                ranks, {}, [](const RankState& rank) { return rank.at.calls.load(); });
        operation = last->at.stage == under_test::synchronising ? under_test::barrier_of_harness
                                                                : last->at.operation.load();
        for (const RankState& rank : ranks) {
            if (rank.at.calls < last->at.calls)
                not_arrived.push_back(rank.rank);
            else if (rank.at.calls == last->at.calls && is_in_call(rank))
                inside.push_back(rank.rank);
            else
                left.push_back(rank.rank);
        }
    }

    std::string what(double seconds) const {
        std::string text = fmt::format("hangs: after {:.3g} s", seconds);
        if (!inside.empty()) text += fmt::format(" in it: rank {}", ranks_in_words(inside));
        if (!not_arrived.empty())
            text += fmt::format("; not arrived: rank {}", ranks_in_words(not_arrived));
        if (!left.empty()) text += fmt::format("; has left: rank {}", ranks_in_words(left));
        return text;
    }
};

}  // namespace

/// What looks, beside the thread that made it.
class Watchdog::Thread {
  public:
    Thread(std::optional<double> hang_after_s, int exit_code, MPI_Comm comm)
        : hang_after_s_{hang_after_s},
          exit_code_{exit_code},
          states_{comm},
          watched_{pthread_self()} {
        listen_for_stack();
        // Signals are for the thread that calls MPI.
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        thread_ = std::thread([this] { look(); });
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    void set_last_act(std::function<void()> act) {
        const std::lock_guard lock(mutex_);
        last_act_ = std::move(act);
    }
    ~Thread() {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        wake_.notify_one();
        thread_.join();
    }

  private:
    double limit_s() const {
        return hang_after_s_ ? *hang_after_s_
                             : std::max(least_hang_s, expectations * incident::expected_s());
    }
    double sleep_s() const { return std::clamp(limit_s() / 20, shortest_sleep_s, longest_sleep_s); }

    void look() {
        double stuck_s = 0.0;
        std::uint32_t calls = 0;
        int stage = under_test::elsewhere;
        for (;;) {
            const double slept_s = sleep_s();
            {
                std::unique_lock lock(mutex_);
                if (wake_.wait_for(lock, Seconds(slept_s), [this] { return is_over_; })) return;
            }
            if (states_.speaker() >= 0) bear_witness();
            const under_test::State& at = states_.own().at;
            // Time in which this process itself was stopped does not count: it is slept through.
            const bool goes_on = at.calls != calls || at.stage != stage;
            stuck_s = goes_on || at.stage == under_test::elsewhere ? 0.0 : stuck_s + slept_s;
            calls = at.calls;
            stage = at.stage;
            int nobody = -1;
            if (stuck_s >= limit_s() &&
                states_.speaker().compare_exchange_strong(nobody, states_.own().rank))
                speak(stuck_s);
        }
    }

    void show_stack() {
        RankState& own = states_.own();
        const std::string text = stack_of(watched_);
        const std::size_t length = std::min(text.size(), own.stack.size() - 1);
        std::copy_n(text.begin(), length, own.stack.begin());
        own.stack[length] = '\0';
        own.has_stack = true;
    }

    [[noreturn]] void end() {
        std::function<void()> act;
        {
            const std::lock_guard lock(mutex_);
            act = last_act_;
        }
        if (act) act();
        // The first that ends makes the launcher end the others: rank 0, which may look later on
        // its node, has to be it.
        if (states_.own().rank != 0) std::this_thread::sleep_for(Seconds(2 * sleep_s() + act_s));
        _exit(exit_code_);
    }

    /// Another rank of the node has found that something hangs.
    [[noreturn]] void bear_witness() {
        show_stack();
        while (!states_.is_over()) std::this_thread::sleep_for(Seconds(shortest_sleep_s));
        end();
    }

    [[noreturn]] void speak(double stuck_s) {
        show_stack();
        // The others look every so often, and need a moment for their stacks.
        std::this_thread::sleep_for(Seconds(2 * sleep_s() + stack_s));
        const Scene scene(states_.ranks());
        const std::string what = scene.what(stuck_s);
        std::string text =
            scene.is_between_calls
                ? fmt::format(
                      "mpiaudit: no message between the ranks for {:.3g} s, on {}, between "
                      "the calls: a host or its link may be gone\n",
                      stuck_s, incident::problem_name())
                : fmt::format("mpiaudit: {} on {} {}\n", incident::operation_name(scene.operation),
                              incident::problem_name(), what);
        for (const RankState& rank : states_.ranks())
            text += fmt::format("  rank {}: {}\n", rank.rank.load(),
                                rank.has_stack && rank.stack[0] != '\0'
                                    ? rank.stack.data()
                                    : "gives no stack: it may be stopped");
        if (!incident::remedy().empty()) text += fmt::format("{}\n", incident::remedy());
        if (!scene.is_between_calls) incident::note(states_.own().rank, scene.operation, what);
        std::fflush(stdout);
        incident::write_error(text);
        states_.is_over() = true;
        end();
    }

    std::optional<double> hang_after_s_;
    std::function<void()> last_act_;
    int exit_code_;
    NodeStates states_;
    pthread_t watched_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool is_over_ = false;
    std::thread thread_;
};

Watchdog::Watchdog(std::optional<double> hang_after_s, int exit_code, MPI_Comm comm)
    : thread_{std::make_unique<Thread>(hang_after_s, exit_code, comm)} {}

Watchdog::~Watchdog() = default;

void Watchdog::set_last_act(std::function<void()> act) {
    thread_->set_last_act(std::move(act));
}

}  // namespace mpiaudit
