// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/incident.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "messages/under_test.h"
#include "mpi/environment.h"

namespace mpiaudit {

/// The facts that a report on the end of the process needs.
struct incident::EndReport {
    TestedOperations tested = {.problem = "a problem", .names = {}};
    std::string folder, remedy;  ///< as given to note_incidents_in()
};

namespace {

// Replaced as a whole, so that a signal handler never sees a half-written value.
std::unique_ptr<const incident::EndReport> owned = std::make_unique<const incident::EndReport>();
std::atomic<const incident::EndReport*> known = owned.get();
// Handlers and the watchdog's thread cannot lock, so replaced values live until nobody reads. A
// reader that begins after the new value is stored reads the new value.
std::atomic<int> readers = 0;
std::vector<std::unique_ptr<const incident::EndReport>> replaced;

/// Makes these facts the current ones.
void publish(incident::EndReport next_known) {
    auto next = std::make_unique<const incident::EndReport>(std::move(next_known));
    known.store(next.get());
    replaced.push_back(std::exchange(owned, std::move(next)));
    if (readers.load() == 0) replaced.clear();
}

void write_at_signal(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(file, text.data(), text.size());
        if (written <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

struct Crash {
    int signal;
    std::string_view name;
    struct sigaction before {};
};
std::array crashes = {Crash{SIGSEGV, "SIGSEGV"}, Crash{SIGBUS, "SIGBUS"}, Crash{SIGFPE, "SIGFPE"},
                      Crash{SIGILL, "SIGILL"}, Crash{SIGABRT, "SIGABRT"}};
int crash_rank = 0;
std::atomic<int> code_after_crash = 0;  ///< 0: the signal ends the process
std::array<std::byte, 64 * 1024> crash_stack;

constexpr std::string_view by_exit = "exit";

/// Notes and prints the end of the process, for which the operation under test is to blame, or the
/// preceding one. \param how "SIGSEGV"
void report_end(std::string_view how) {
    std::array<char, 4096> buffer{};
    const bool is_tested = under_test::is_inside();
    const int operation = under_test::state->operation.load();
    const bool is_noted = under_test::state->calls.load() > 0;
    // A crash between calls is unclear: the last call may have damaged the memory, or not.
    if (is_noted)
        incident::note(crash_rank, operation, FaultKind::crashes,
                       incident::text_in(buffer, "crashes: {} on rank {}{}", how, crash_rank,
                                         is_tested ? "" : " after it"),
                       is_tested ? incident::clear : incident::unclear);
    const incident::Facts facts;
    const std::string_view remedy = is_noted ? facts.remedy() : "";
    const char* const end_of_remedy = remedy.empty() ? "" : "\n";
    if (is_tested) {
        // glibc finds damage of its heap late, and others read what an earlier call has
        // overwritten.
        const char* const suspicion =
            how == by_exit ? ""
                           : ": the call crashes, or memory was damaged by this or an earlier call";
        incident::write_error(incident::text_in(buffer, "mpiaudit: rank {}: {} in {} on {}{}\n{}{}",
                                                crash_rank, how, facts.operation_name(operation),
                                                facts.problem_name(), suspicion, remedy,
                                                end_of_remedy));
        return;
    }
    // Only the main thread may read its own activity.
    const bool is_main_thread = gettid() == getpid();
    incident::write_error(
        incident::text_in(buffer, "mpiaudit: rank {}: {} while {}\n{}{}", crash_rank, how,
                          is_main_thread ? current_activity_text() : "another thread was running",
                          remedy, end_of_remedy));
}

void end_after_crash() {
    const int code = code_after_crash;
    if (code == 0) return;
    Watchdog::end_node(code);
    _exit(code);
}

void handle_crash(int signal) {
    const auto* crash = std::ranges::find(crashes, signal, &Crash::signal);
    report_end(crash->name);
    end_after_crash();
    // Calls the former handler, such as the library's, which prints its own text and ends the
    // process.
    sigaction(signal, &crash->before, nullptr);
    raise(signal);
}

}  // namespace

void name_tested(TestedOperations operations) {
    publish({std::move(operations), owned->folder, owned->remedy});
}

void note_incidents_in(const std::string& folder, const std::string& remedy) {
    publish({owned->tested, folder, remedy});
}

namespace incident {

Facts::Facts() {
    ++readers;
    known_ = known.load();
}

Facts::~Facts() {
    --readers;
}

std::string_view Facts::operation_name(int operation) const {
    const std::vector<std::string>& names = known_->tested.names;
    if (operation == under_test::barrier_of_harness) return under_test::name_of_barrier;
    if (operation < 0 || operation >= std::ssize(names)) return "an operation";
    return names[static_cast<std::size_t>(operation)];
}

std::string_view Facts::problem_name() const {
    return known_->tested.problem;
}

double Facts::expected_s() const {
    return known_->tested.expected_s;
}

std::string_view Facts::remedy() const {
    return known_->remedy;
}

std::string_view Facts::folder() const {
    return known_->folder;
}

void note(int rank, int operation, FaultKind kind, std::string_view what,
          std::string_view clearness) {
    const Facts facts;
    if (facts.folder().empty()) return;
    std::array<char, 4096> buffer{};
    const char* const path = text_in(buffer, "{}/incident-{}", facts.folder(), rank).data();
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (file < 0) return;
    std::array<char, 4096> text{};
    write_at_signal(file,
                    text_in(text, "{}\n{}\n{}\n{}\n{}\n", facts.problem_name(),
                            facts.operation_name(operation), what, clearness, fault_names[kind]));
    fsync(file);
    close(file);
}

void write_error(std::string_view text) {
    write_at_signal(STDERR_FILENO, text);
}

void end_crashes_with(int code) {
    code_after_crash = code;
}

void name_crashes(int rank) {
    crash_rank = rank;
    // Libraries also end the process by exit().
    std::atexit([] {
        if (!under_test::is_inside()) return;
        report_end(by_exit);
        end_after_crash();
    });
    stack_t stack{};
    stack.ss_sp = crash_stack.data();
    stack.ss_size = crash_stack.size();
    sigaltstack(&stack, nullptr);
    for (Crash& crash : crashes) {
        struct sigaction action {};
        action.sa_handler = handle_crash;
        action.sa_flags = SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        sigaction(crash.signal, &action, &crash.before);
    }
}

}  // namespace incident
}  // namespace mpiaudit
