// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/watchdog.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <new>
#include <span>
#include <thread>
#include <utility>

#include "collectives/bcast/bcast.h"
#include "collectives/patterns/node_communicators.h"
#include "messages/agreement.h"
#include "messages/interruption.h"
#include "messages/messages.h"
#include "messages/owned.h"
#include "messages/under_test.h"
#include "mpi/incident.h"

namespace mpiaudit {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr double least_hang_s = 60.0;
constexpr double expectations = 100.0;
constexpr double longest_sleep_s = 1.0, shortest_sleep_s = 0.01;
constexpr double report_s = 2.0;  ///< for the report of rank 0
constexpr double still_s = 0.2;   ///< after a signal: a launcher grants no more than a second

using Name = std::array<char, 64>;

Name drawn_name() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    Name name{};
    fmt::format_to_n(name.data(), name.size() - 1, "/mpiaudit-{}-{}-{}", getpid(), now.tv_sec,
                     now.tv_nsec);
    return name;
}

/// Null where it cannot be had. The first rank of the node makes it, before the others look for it.
void* map_shared(const Name& name, std::size_t bytes, bool makes_it) {
    const int flags = makes_it ? O_CREAT | O_EXCL | O_RDWR : O_RDWR;
    const int file = shm_open(name.data(), flags, S_IRUSR | S_IWUSR);
    if (file < 0) return nullptr;
    void* memory = MAP_FAILED;
    // Memory that is promised but not there would end the process when it is touched.
    if (!makes_it || posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0)
        memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return memory == MAP_FAILED ? nullptr : memory;
}

std::string ranks_in_words(const std::vector<int>& ranks) {
    constexpr std::size_t shown = 16;
    if (ranks.size() <= shown) return fmt::format("{}", fmt::join(ranks, ", "));
    return fmt::format("{} ... ({} ranks)", fmt::join(ranks.begin(), ranks.begin() + shown, ", "),
                       ranks.size());
}

}  // namespace

// Members of Watchdog::Thread may not be of types without a name elsewhere.

/// Where one rank is.
struct alignas(128) RankState {
    under_test::State at;
    std::atomic<int> rank{-1};
};

/// The states of all ranks of this node in memory that they share: what a rank that hangs is at can
/// be seen without it, and without the library. A rank that cannot share has its own alone.
class NodeStates {
  public:
    struct alignas(128) Header {
        /// The place of the one that speaks for the node when something hangs; -1 before.
        std::atomic<int> speaker{-1};
        std::atomic<bool> is_over{false};
        /// When all ranks of the node end, in nanoseconds of the steady clock; 0 before rank 0 says
        /// it.
        std::atomic<std::int64_t> end_ns{0};
    };

    /// From now on this rank is seen. Collective.
    explicit NodeStates(MPI_Comm comm) {
        const OwnedComm node = ranks_of_processor(comm);
        int place = 0, rank = 0;
        MPI_Comm_rank(node.get(), &place);
        MPI_Comm_rank(comm, &rank);
        share(node.get(), place);
        new (&own()) RankState;
        own().rank = rank;
        under_test::state = &own().at;
    }
    ~NodeStates() {
        under_test::state = &under_test::own_state;
        munmap(memory_, bytes(count_));
    }
    NodeStates(const NodeStates&) = delete;
    NodeStates& operator=(const NodeStates&) = delete;

    Header& header() { return *static_cast<Header*>(memory_); }
    std::span<RankState> ranks() { return {reinterpret_cast<RankState*>(&header() + 1), count_}; }
    RankState& own() { return ranks()[own_]; }

  private:
    static std::size_t bytes(std::size_t ranks) {
        return sizeof(Header) + ranks * sizeof(RankState);
    }

    void share(MPI_Comm node, int place) {
        const auto ranks = static_cast<std::size_t>(messages::size_of(node));
        Name name = drawn_name();
        if (place == 0) memory_ = map_shared(name, bytes(ranks), true);
        binomial_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, node);
        if (place != 0) memory_ = map_shared(name, bytes(ranks), false);
        if (memory_ != nullptr && place == 0) new (memory_) Header;
        const bool is_shared = largest_of_ranks(memory_ == nullptr ? 1 : 0, node) == 0;
        if (place == 0) shm_unlink(name.data());
        if (is_shared) {
            count_ = ranks;
            own_ = static_cast<std::size_t>(place);
            return;
        }
        if (memory_ != nullptr) munmap(memory_, bytes(ranks));
        memory_ =
            mmap(nullptr, bytes(1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        new (memory_) Header;
    }

    void* memory_ = nullptr;
    std::size_t count_ = 1, own_ = 0;
};

namespace {

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
        if (!inside.empty()) text += fmt::format(" in the call: rank {}", ranks_in_words(inside));
        if (!not_arrived.empty())
            text += fmt::format("; not arrived: rank {}", ranks_in_words(not_arrived));
        if (!left.empty()) text += fmt::format("; has left: rank {}", ranks_in_words(left));
        return text;
    }
};

}  // namespace

/// What a thread waits for that sleeps: a signal, or that it is to end.
class Bell {
  public:
    Bell() {
        if (pipe2(files_.data(), O_CLOEXEC | O_NONBLOCK) != 0) files_.fill(-1);
        interruption::tell(files_[1]);
    }
    ~Bell() {
        interruption::tell(-1);
        for (const int file : files_) {
            if (file >= 0) close(file);
        }
    }
    Bell(const Bell&) = delete;
    Bell& operator=(const Bell&) = delete;

    void ring() const { [[maybe_unused]] const ssize_t written = write(files_[1], "", 1); }
    /// Whether it has rung within that time.
    bool is_heard(double seconds) const {
        pollfd waited{files_[0], POLLIN, 0};
        if (poll(&waited, 1, static_cast<int>(seconds * 1e3)) <= 0) return false;
        std::array<char, 16> bytes{};
        return read(files_[0], bytes.data(), bytes.size()) > 0;
    }

  private:
    std::array<int, 2> files_{};
};

/// How far a rank is: as long as it stays the same, nothing moves.
struct Place {
    std::uint32_t calls = 0, exchanges = 0;
    std::int32_t stage = under_test::elsewhere;

    Place() = default;
    explicit Place(const under_test::State& at)
        : calls{at.calls}, exchanges{at.exchanges}, stage{at.stage} {}
    bool operator==(const Place&) const = default;
};

/// What looks, beside the thread that made it.
class Watchdog::Thread {
  public:
    Thread(std::optional<double> hang_after_s, int exit_code, MPI_Comm comm)
        : hang_after_s_{hang_after_s},
          exit_code_{exit_code},
          states_{comm},
          sees_all_{std::ssize(states_.ranks()) == messages::size_of(comm)} {
        // Signals are for the thread that calls MPI.
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        thread_ = std::thread([this] { look(); });
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    void set_report(std::function<std::string()> report) {
        const std::lock_guard lock(mutex_);
        report_ = std::move(report);
    }
    ~Thread() {
        is_destroyed_ = true;
        bell_.ring();
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
        Place last;
        for (;;) {
            double slept_s = sleep_s();
            if (bell_.is_heard(slept_s)) {
                if (is_destroyed_) return;
                heed_signal();
                slept_s = 0.0;
            }
            if (is_destroyed_) return;
            if (states_.header().speaker >= 0) bear_witness();
            const Place at(states_.own().at);
            // Time in which this process itself was stopped does not count: it is slept through.
            const bool is_stuck = at == last && at.stage != under_test::elsewhere;
            stuck_s = is_stuck ? stuck_s + slept_s : 0.0;
            if (at != last) is_reported_ = false;
            last = at;
            if (stuck_s >= limit_s() / 2) report();
            int nobody = -1;
            if (stuck_s >= limit_s() &&
                states_.header().speaker.compare_exchange_strong(nobody, states_.own().rank))
                speak(stuck_s);
        }
    }

    /// The thread that calls MPI ends well by itself, where it gets out of a call and the others'
    /// messages arrive.
    void heed_signal() {
        const Place before(states_.own().at);
        if (bell_.is_heard(still_s) && is_destroyed_) return;
        if (Place(states_.own().at) != before) return;
        report();
        incident::write_error(std::exchange(words_, ""));
    }

    void report() {
        const std::lock_guard lock(mutex_);
        if (!report_ || std::exchange(is_reported_, true)) return;
        words_ = report_();
    }

    /// The first that ends makes the launcher end the others, whose exit code it may then give for
    /// its own: so all of the node end at the same moment, which rank 0 sets when its report is
    /// written. Where it is not of this node they give it the time.
    [[noreturn]] void end() {
        report();
        incident::write_error(words_);
        const auto now_s = [] {
            return Seconds(std::chrono::steady_clock::now().time_since_epoch()).count();
        };
        std::atomic<std::int64_t>& end_ns = states_.header().end_ns;
        if (states_.own().rank == 0)
            end_ns = static_cast<std::int64_t>(1e9 * (now_s() + 3 * shortest_sleep_s));
        const double limit_s = now_s() + 2 * sleep_s() + report_s;
        while (now_s() < (end_ns == 0 ? limit_s : 1e-9 * static_cast<double>(end_ns)))
            std::this_thread::sleep_for(Seconds(shortest_sleep_s / 10));
        _exit(exit_code_);
    }

    /// Another rank of the node has found that something hangs.
    [[noreturn]] void bear_witness() {
        while (!states_.header().is_over) std::this_thread::sleep_for(Seconds(shortest_sleep_s));
        end();
    }

    [[noreturn]] void speak(double stuck_s) {
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
        if (!scene.is_between_calls) {
            if (!sees_all_)
                text +=
                    "  or a host or its link is gone: --resume tries this once more, and leaves it "
                    "out when it hangs again\n";
            incident::note(states_.own().rank, scene.operation, what,
                           sees_all_ ? incident::clear : incident::unclear);
        }
        if (!incident::remedy().empty()) text += fmt::format("{}\n", incident::remedy());
        std::fflush(stdout);
        incident::write_error(text);
        states_.header().is_over = true;
        end();
    }

    std::optional<double> hang_after_s_;
    std::function<std::string()> report_;
    std::string words_;         ///< of the last report, until they are said
    bool is_reported_ = false;  ///< since something has moved
    int exit_code_;
    NodeStates states_;
    bool sees_all_;  ///< all ranks are of this node
    std::mutex mutex_;
    Bell bell_;
    std::atomic<bool> is_destroyed_ = false;
    std::thread thread_;
};

Watchdog::Watchdog(std::optional<double> hang_after_s, int exit_code, MPI_Comm comm)
    : thread_{std::make_unique<Thread>(hang_after_s, exit_code, comm)} {}

Watchdog::~Watchdog() = default;

void Watchdog::set_report(std::function<std::string()> report) {
    thread_->set_report(std::move(report));
}

}  // namespace mpiaudit
