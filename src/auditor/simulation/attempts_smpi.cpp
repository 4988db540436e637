// SPDX-License-Identifier: BSD-3-Clause
// Declared in simulation/simulation.h.
#include <fmt/format.h>
#include <mpi.h>
#include <poll.h>
#include <smpi/smpi.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xbt/config.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include "simulation/simulation.h"

namespace mpiaudit::simulation {

namespace {

/// Messages longer than this many bytes carry no data.
std::size_t most_bytes_carried = 0;

void copy_short_message(smx_activity_t message, void* data, std::size_t bytes) {
    if (bytes > most_bytes_carried) return;
    // The public headers do not define the derived type of SimGrid's argument.
    smpi_comm_copy_buffer_callback(reinterpret_cast<simgrid::kernel::activity::CommImpl*>(message),
                                   data, bytes);
}

/// Reserved addresses; unwritten pages take no memory.
struct Stretch {
    explicit Stretch(std::size_t size)
        : data{mmap(nullptr, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)},
          bytes{size} {
        if (data == MAP_FAILED) throw std::bad_alloc();
    }
    ~Stretch() { munmap(data, bytes); }
    Stretch(const Stretch&) = delete;
    Stretch& operator=(const Stretch&) = delete;
    void* data;
    std::size_t bytes;
};

}  // namespace

std::shared_ptr<std::byte> shared_stretch(std::size_t bytes) {
    static std::weak_ptr<Stretch> known;
    std::shared_ptr<Stretch> stretch = known.lock();
    if (!stretch || stretch->bytes < bytes) {
        // Operations without data share an address, too, and mmap refuses an empty stretch.
        stretch = std::make_shared<Stretch>(std::max<std::size_t>(bytes, 1));
        known = stretch;
    }
    return {stretch, static_cast<std::byte*>(stretch->data)};
}

void leave_data_out() {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    // Enough for the control messages of algorithms about p ranks (optimal_Gatherv has the
    // longest), and for messages that SMPI copies before sending, since SMPI frees the copy on
    // delivery.
    constexpr std::size_t bookkeeping_bytes = 32;
    most_bytes_carried =
        std::max(bookkeeping_bytes * static_cast<std::size_t>(ranks),
                 static_cast<std::size_t>(sg_cfg_get_int("smpi/send-is-detached-thresh")));
    smpi_comm_set_copy_data_callback(&copy_short_message);
}

void carry_data() {
    most_bytes_carried = std::numeric_limits<std::size_t>::max();
}

namespace {

/// Core seconds of an attempt without a budget, far more than any verification that ends.
constexpr double most_seconds_per_attempt = 300;
/// Core seconds of an attempt.
struct Limits {
    double audited_s = most_seconds_per_attempt;
    double compared_s = most_seconds_per_attempt;
};
Limits limits;

/// Abandoned attempts by name, with the reason.
std::map<std::string, Fault> given_up;

/// A forked copy of the process that makes the attempts from `first` on. All ranks share it.
struct Copy {
    int channel = -1;  ///< this process's end of the pipe
    bool is_this_process = false;
    std::vector<Outcome> outcomes;  ///< outcomes of finished attempts
    Outcome last;                   ///< why a copy ended before its last attempt
};
Copy copy;
int ranks_inside = 0;

/// The core seconds of the attempts from `first` on.
class LimitsFrom {
  public:
    LimitsFrom(std::size_t first, const std::vector<bool>& are_audited)
        : first_{first}, are_audited_{are_audited} {}
    double of(std::size_t attempt) const {
        const std::size_t i = first_ + attempt;
        const bool is_audited = i >= are_audited_.size() || are_audited_[i];
        return is_audited ? limits.audited_s : limits.compared_s;
    }

  private:
    std::size_t first_;
    const std::vector<bool>& are_audited_;
};

/// Sends one line for each outcome: the name of the kind of fault, a tab, and the words; "=" for
/// success, "late" for no time.
void send_outcome(const Outcome& outcome) {
    std::string line = outcome.is_late ? "late" : "=";
    if (const auto& fault = outcome.fault)
        line = fmt::format("{}\t{}", fault_names[fault->kind], fault->text);
    for (char& c : line) c = c == '\n' ? ' ' : c;
    line += '\n';
    if (write(copy.channel, line.data(), line.size()) < 0) std::_Exit(EXIT_FAILURE);
}

Outcome read_outcome(const std::string& line) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) return {.is_late = line == "late"};
    const auto kind = fault_names.find(line.substr(0, tab));
    return {Fault{kind.value_or(FaultKind::wrong_value), line.substr(tab + 1)}};
}

/// Returns the core seconds that another process has used.
double processor_s(pid_t process) {
    clockid_t clock = 0;
    timespec used{};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

/// Reads outcomes from the copy until it ends. Returns false if an attempt takes too long: in core
/// time, since other processes may keep the cores busy, or by the clock if the copy sleeps.
bool read_outcomes(pid_t child, int channel, const LimitsFrom& most_s) {
    std::string line;
    auto last = std::chrono::steady_clock::now();
    double last_s = 0.0;  // the copy may have run since the fork
    for (;;) {
        pollfd waiting{channel, POLLIN, 0};
        const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - last;
        const double limit_s = most_s.of(copy.outcomes.size());
        if (processor_s(child) - last_s > limit_s || waited.count() > 10 * most_seconds_per_attempt)
            return false;
        if (poll(&waiting, 1, 1000) <= 0) continue;
        char c = 0;
        const ssize_t count = read(channel, &c, 1);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return true;
        if (c != '\n') {
            line += c;
            continue;
        }
        copy.outcomes.push_back(read_outcome(line));
        line.clear();
        last = std::chrono::steady_clock::now();
        last_s = processor_s(child);
    }
}

/// Returns the rest of the line behind `mark`; empty if no line has this mark.
std::string behind(const std::string& said, std::string_view mark) {
    const std::size_t found = said.find(mark);
    if (found == std::string::npos) return "";
    const std::size_t begin = found + mark.size();
    return said.substr(begin, said.find('\n', begin) - begin);
}

/// Returns the reason why a copy ended within an attempt.
Fault cause_of_end(int status, const std::string& said) {
    constexpr std::size_t most_characters = 120;
    if (said.find("Deadlock") != std::string::npos) return {FaultKind::hangs, "deadlock"};
    // abort_audit() prints "RANK, while ACTIVITY: ERROR". SMPI's algorithms throw an exception if
    // they do not fit the number of ranks.
    const std::string ending = behind(said, "mpiaudit: rank ");
    if (const std::size_t colon = ending.find(": "); colon != std::string::npos)
        return {FaultKind::crashes, ending.substr(colon + 2, most_characters)};
    const std::string cause = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "ends early";
    for (const std::string_view mark : {"what():", "Not yet implemented", "MPI_ERR"}) {
        if (said.find(mark) == std::string::npos) continue;
        return {FaultKind::crashes,
                cause + ": " + (std::string(mark) + behind(said, mark)).substr(0, most_characters)};
    }
    return {FaultKind::crashes, cause};
}

std::string text_of(int file) {
    std::string text(static_cast<std::size_t>(lseek(file, 0, SEEK_END)), '\0');
    const ssize_t count = pread(file, text.data(), text.size(), 0);
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return text;
}

/// Reads the copy's outcomes, kills it if it takes too long, and keeps the reason of its end.
void watch(pid_t child, int channel, int said, const LimitsFrom& most_s) {
    const bool in_time = read_outcomes(child, channel, most_s);
    if (!in_time) kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    if (in_time)
        copy.last = {cause_of_end(status, text_of(said))};
    else
        copy.last = {Fault{FaultKind::hangs, fmt::format("takes more than {:.3g} core seconds",
                                                         most_s.of(copy.outcomes.size()))},
                     true};
}

/// Forks the copy. Runs on the first rank only; the other ranks then exist in both processes.
void make_copy(const LimitsFrom& most_s) {
    int ends[2] = {};
    const int said = memfd_create("said", 0);
    if (said < 0 || pipe(ends) != 0)
        throw std::runtime_error("no pipe to a copy of the simulation");
    std::fflush(nullptr);
    copy = {};
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("no memory for a copy of the simulation");
    copy.is_this_process = child == 0;
    copy.channel = ends[copy.is_this_process ? 1 : 0];
    close(ends[copy.is_this_process ? 0 : 1]);
    if (copy.is_this_process) {
        carry_data();
        dup2(said, STDOUT_FILENO);
        dup2(said, STDERR_FILENO);
    } else {
        watch(child, copy.channel, said, most_s);
        close(copy.channel);
    }
    close(said);
}

[[noreturn]] void make_attempts(std::size_t first, const std::vector<std::string>& names, int rank,
                                const Attempt& attempt) {
    for (std::size_t i = first; i < names.size(); ++i) {
        const auto known = given_up.find(names[i]);
        const Outcome outcome =
            known != given_up.end() ? Outcome{known->second} : attempt(static_cast<int>(i));
        wait_together();
        if (rank == 0) send_outcome(outcome);
    }
    wait_together();
    std::_Exit(EXIT_SUCCESS);
}

}  // namespace

void limit_attempts(std::optional<double> processor_s, double budget_s) {
    constexpr double share_of_audited = 0.2, share_of_compared = 0.01;
    // A short budget is too short for one call, and a call has to end before one can say so.
    constexpr double least_of_audited_s = 30, least_of_compared_s = 3;
    const auto limit = [&](double least_s, double share) {
        return processor_s.value_or(
            std::min(most_seconds_per_attempt, std::max(least_s, share * budget_s)));
    };
    limits = {limit(least_of_audited_s, share_of_audited),
              limit(least_of_compared_s, share_of_compared)};
}

std::vector<Outcome> attempt_each(const std::vector<std::string>& names, const Attempt& attempt,
                                  const std::vector<bool>& are_audited) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<Outcome> outcomes;
    while (outcomes.size() < names.size()) {
        if (const auto known = given_up.find(names[outcomes.size()]); known != given_up.end()) {
            outcomes.push_back({known->second, true});
            continue;
        }
        wait_together();
        if (ranks_inside++ == 0) make_copy({outcomes.size(), are_audited});
        if (ranks_inside == ranks) ranks_inside = 0;
        if (copy.is_this_process) make_attempts(outcomes.size(), names, rank, attempt);
        for (Outcome& each : copy.outcomes) {
            // The copy has passed on the reason and made no attempt.
            each.is_too_slow = given_up.contains(names[outcomes.size()]);
            outcomes.push_back(std::move(each));
        }
        if (outcomes.size() == names.size()) break;
        if (copy.last.is_too_slow)
            given_up[names[outcomes.size()]] = {FaultKind::hangs,
                                                copy.last.fault->text + " on an earlier problem"};
        outcomes.push_back(copy.last);
    }
    return outcomes;
}

}  // namespace mpiaudit::simulation
