// SPDX-License-Identifier: BSD-3-Clause
// support_by_trial() and send_if_trial() of device_support.h.
#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "device_trial/device_support.h"
#include "messages/messages.h"
#include "process/child_process.h"
#include "text/exit_code.h"
#include "timing/clock.h"

namespace mpiaudit {
namespace {

/// The variable that tells a process to make the trial: the descriptor of the pipe that gets marks.
constexpr const char* variable_of_trial = "MPIAUDIT_DEVICE_TRIAL";
/// What a trial writes: before its first message, and after its last message.
enum Mark : char { sending = 's', arrived = 'a', wrong = 'w' };

/// A longer trial hangs; seconds. A driver may need ten seconds to begin.
constexpr double trial_limit_s = 60;
constexpr double look_interval_s = 0.02;  ///< between two looks at the trial

/// A short message, and one that libraries send in another way; bytes.
constexpr std::array<int, 2> message_bytes = {8, 1 << 18};

/// Beginnings of variables by which launchers tell a process that it is a rank of a job.
constexpr std::array<std::string_view, 20> of_launchers = {"OMPI_APP_CTX",
                                                           "OMPI_COMM_WORLD_",
                                                           "OMPI_COMMAND",
                                                           "OMPI_FILE_LOCATION",
                                                           "OMPI_FIRST_RANKS",
                                                           "OMPI_MCA_ess",
                                                           "OMPI_MCA_orte_",
                                                           "OMPI_MCA_pmix",
                                                           "OMPI_NUM_APP_CTX",
                                                           "OMPI_UNIVERSE_SIZE",
                                                           "PMIX_",
                                                           "PMI_",
                                                           "PRTE_",
                                                           "HYDI_",
                                                           "MPI_LOCAL",
                                                           "MV2_COMM_WORLD_",
                                                           "MPIRUN_",
                                                           "SLURM_",
                                                           "PALS_",
                                                           "FLUX_"};

/// Returns the environment of this process for an MPI job of its own, with one more variable.
std::vector<std::string> environment_of_job(const std::string& added) {
    std::vector<std::string> variables = {added};
    for (char** each = environ; *each != nullptr; ++each) {
        const std::string_view variable(*each);
        const bool is_of_launcher = std::ranges::any_of(
            of_launchers, [&](std::string_view begin) { return variable.starts_with(begin); });
        if (!is_of_launcher) variables.emplace_back(variable);
    }
    return variables;
}

/// The end of a program.
struct End {
    std::optional<int> status;  ///< as waitpid() has it; nothing if the program took too long
    int signal = 0;             ///< that this process received meanwhile
};

/// Waits for the program, and kills it if it takes too long or if this process is asked to end.
End end_of(pid_t program, const HeldSignals& signals) {
    End end;
    int status = 0;
    const double start_s = wall_time_s();
    while (waitpid(program, &status, WNOHANG) == 0) {
        const int signal = signals.wait(look_interval_s);
        if (signal != SIGCHLD && signal != 0) end.signal = signal;
        if (end.signal == 0 && wall_time_s() - start_s < trial_limit_s) continue;
        kill(-program, SIGKILL);
        waitpid(program, &status, 0);
        return end;
    }
    end.status = status;
    return end;
}

/// Says how a trial has ended that had begun to send.
std::string failure(const std::string& marks, const End& end) {
    if (marks.find(wrong) != std::string::npos) return "arrives with wrong contents";
    if (!end.status) return fmt::format("does not arrive within {:.0f} s", trial_limit_s);
    if (WIFSIGNALED(*end.status))
        return fmt::format("ends the job by signal {} ({})", WTERMSIG(*end.status),
                           strsignal(WTERMSIG(*end.status)));
    return "ends the job with an error";
}

/// Sends a message from memory of one kind to memory of another kind. Returns whether the message
/// has arrived unchanged.
bool message_arrives(int bytes, MemoryKinds kinds) {
    const auto size = static_cast<std::size_t>(bytes);
    std::vector<unsigned char> given(size), found(size);
    for (std::size_t i = 0; i < size; ++i) given[i] = static_cast<unsigned char>(i * i + 1);
    const auto sent = device::allocate(kinds.sent, size);
    const auto received = device::allocate(kinds.received, size);
    messages::copy(sent.get(), given.data(), size);
    MPI_Sendrecv(sent.get(), bytes, MPI_BYTE, 0, 0, received.get(), bytes, MPI_BYTE, 0, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    messages::copy(found.data(), received.get(), size);
    return given == found;
}

}  // namespace

KnownSupport support_by_trial(MemoryKinds kinds) {
    std::array<int, 2> pipe_ends{};
    if (pipe(pipe_ends.data()) != 0) return {};
    const auto [read_end, write_end] = pipe_ends;
    // A daemon of the library may outlive the job, and keeps the other end open.
    fcntl(read_end, F_SETFL, O_NONBLOCK);
    fcntl(read_end, F_SETFD, FD_CLOEXEC);
    const std::vector<std::string> environment =
        environment_of_job(fmt::format("{}={}", variable_of_trial, write_end));
    const std::vector<std::string> words = {
        std::filesystem::read_symlink("/proc/self/exe").string(), "verify", "--memory-kind",
        kinds.text()};
    End end;
    {
        const HeldSignals signals;
        end = end_of(
            start_program("--memory-kind", words, {"/dev/null", "/dev/null"}, signals, environment),
            signals);
        if (end.signal != 0) raise(end.signal);
    }
    close(write_end);
    std::array<char, 8> marks{};
    const ssize_t length = read(read_end, marks.data(), marks.size());
    close(read_end);
    const std::string text(marks.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    if (end.signal != 0 || text.find(sending) == std::string::npos) return {};
    if (text.find(arrived) != std::string::npos) return {Support::yes, "a trial message arrives"};
    return {Support::no,
            fmt::format("a trial message between such buffers, in a job of one rank, {}",
                        failure(text, end))};
}

void send_if_trial(MemoryKinds kinds) {
    const char* const descriptor = std::getenv(variable_of_trial);
    if (descriptor == nullptr || kinds.are_host()) return;
    const int file = std::atoi(descriptor);
    const auto mark = [file](Mark each) {
        const char letter = each;
        if (write(file, &letter, 1) != 1) std::_Exit(exit_internal);
    };
    if (device::use(kinds.of_device(), 0)) std::_Exit(exit_internal);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    mark(sending);
    const bool all_arrive = std::ranges::all_of(
        message_bytes, [&](int bytes) { return message_arrives(bytes, kinds); });
    mark(all_arrive ? arrived : wrong);
    std::_Exit(exit_done);
}

}  // namespace mpiaudit
