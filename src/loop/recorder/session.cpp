// SPDX-License-Identifier: BSD-3-Clause
#include "recorder/session.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "files/files.h"
#include "recorder/merged.h"
#include "recorder/recorded.h"
#include "recording/written.h"
#include "text/console.h"
#include "text/exit_code.h"

namespace mpiaudit::recorder {
namespace {

constexpr std::size_t default_most_problems = 20'000;

Session& make_session() {
    const std::string most = variable(application::problems_variable);
    const long wanted = std::strtol(most.c_str(), nullptr, 10);
    auto& made =
        *new Session(wanted > 0 ? static_cast<std::size_t>(wanted) : default_most_problems);
    made.is_synchronised = variable(application::synchronise_variable) == "1";
    const std::string output = variable(application::output_variable);
    std::error_code failure;
    made.output = std::filesystem::absolute(output.empty() ? "problems.json" : output, failure);
    made.program = std::filesystem::read_symlink("/proc/self/exe", failure).filename();
    return made;
}

/// Prints a message about the recording.
void complain(const std::string& what) {
    remark("record: {}", what);
}

/// Writes the file. \returns false after a failure, which changes the exit code of the process
bool write(const std::string& path, const application::Recording& recording) {
    try {
        replace_file(path, problems_file(recording));
        return true;
    } catch (const std::exception& error) {
        complain(error.what());
        session.has_failed = true;
        return false;
    }
}

/// Returns the name of the file to write. `mpiaudit record` has removed earlier recordings, so an
/// existing file is from another program of the same run; then the name gets a number.
std::string place_of_recording() {
    const std::filesystem::path output = session.output;
    if (variable(application::process_variable).empty()) return output;
    std::filesystem::path place = output;
    std::error_code failure;
    for (int number = 2; std::filesystem::exists(place, failure); ++number)
        place = output.parent_path() / (output.stem().string() + "-" + std::to_string(number) +
                                        output.extension().string());
    return place;
}

std::string in_words(const application::Recording& recording, const std::string& place) {
    std::string text = std::to_string(recording.problems.size()) + " problems in " + place;
    if (place != session.output)
        text += ", since " + session.output + " belongs to another program of this run";
    if (recording.lost.calls > 0)
        text += "; " + std::to_string(recording.lost.calls) +
                " calls of ranks are LOST, as there was no room for their problems (--problems)";
    return text;
}

/// Returns why the process must not be recorded: another recorded program started it, and both
/// would write the same file. Empty if the process is to be recorded.
std::string why_not_recorded() {
    const std::string recording = variable(application::recording_variable);
    if (!recording.empty() && recording != std::to_string(getpid()))
        return "was started by a program that is recorded";
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_get_parent(&parent);
    return parent == MPI_COMM_NULL ? "" : "was started by MPI_Comm_spawn";
}

constexpr std::size_t largest_message = 1U << 30;  // bytes

/// Sends a text of any length on a communicator that no other code uses.
void send(const std::string& text, int to, MPI_Comm comm) {
    const auto bytes = static_cast<std::int64_t>(text.size());
    PMPI_Send(&bytes, 1, MPI_INT64_T, to, 0, comm);
    for (std::size_t at = 0; at < text.size(); at += largest_message)
        PMPI_Send(text.data() + at, static_cast<int>(std::min(largest_message, text.size() - at)),
                  MPI_BYTE, to, 0, comm);
}

std::string receive(int from, MPI_Comm comm) {
    std::int64_t bytes = 0;
    PMPI_Recv(&bytes, 1, MPI_INT64_T, from, 0, comm, MPI_STATUS_IGNORE);
    std::string text(static_cast<std::size_t>(bytes), '\0');
    for (std::size_t at = 0; at < text.size(); at += largest_message)
        PMPI_Recv(text.data() + at, static_cast<int>(std::min(largest_message, text.size() - at)),
                  MPI_BYTE, from, 0, comm, MPI_STATUS_IGNORE);
    return text;
}

/// Merges the recordings of all ranks along a binomial tree: every rank sends at most once.
/// \returns whether this is rank 0, which has the result
bool merge_ranks(Merged& merged, MPI_Comm comm) {
    for (int distance = 1; distance < session.ranks; distance *= 2) {
        if ((session.rank & distance) != 0) {
            send(packed(merged), session.rank - distance, comm);
            return false;
        }
        if (session.rank + distance < session.ranks)
            merge(merged, unpacked(receive(session.rank + distance, comm)));
    }
    return true;
}

const char* name_of_thread_level(int level) {
    return level == MPI_THREAD_SINGLE       ? "single"
           : level == MPI_THREAD_FUNNELED   ? "funneled"
           : level == MPI_THREAD_SERIALIZED ? "serialized"
                                            : "multiple";
}

/// If this process was started to be recorded and no call of MPI was seen, says why there is no
/// file.
void say_when_nothing_was_seen() {
    if (variable(application::process_variable) != std::to_string(getpid())) return;
    if (application::launched_rank() != 0) return;
    std::error_code failure;
    if (std::filesystem::exists(session.output, failure)) return;
    complain(
        "no call of MPI was seen, and nothing is written. Is MPI linked statically, or opened with "
        "dlopen and RTLD_LOCAL? Only a program that is linked to the shared library can be "
        "recorded");
}

/// Behaviour of MPI_Abort: writes the recording of this rank first.
template <class Next>
int write_part_before(const Next& next) {
    if (depth == 0) write_part("MPI_Abort");
    return next();
}

/// Behaviour of MPI_Pcontrol: level 0 pauses recording, other levels resume it.
auto pause_at_level_0(int level) {
    return [level](const auto& next) {
        if (depth == 0) session.is_paused = level == 0;
        return next();
    };
}

__attribute__((constructor)) void at_load() {
    end_in_foreign_program("record");
    end_where_calls_are_hidden("record");
}

__attribute__((destructor)) void at_exit() {
    // A forked process has nothing to write.
    if (session.phase == Phase::on && session.process == getpid())
        write_part("exit without MPI_Finalize");
    if (session.phase == Phase::before) say_when_nothing_was_seen();
    if (!session.has_failed || (session.process != 0 && session.process != getpid())) return;
    // The exit code says that there is no recording, whatever the application's own code is.
    std::fflush(nullptr);
    std::_Exit(exit_output);
}

bool has_any_part(const std::filesystem::path& output) {
    std::error_code failure;
    const std::string start = output.filename().string() + ".rank-";
    for (const auto& entry : std::filesystem::directory_iterator(output.parent_path(), failure))
        if (entry.path().filename().string().starts_with(start)) return true;
    return false;
}

}  // namespace

Session& session = make_session();

std::int64_t delay_ns() {
    // The file has the time in which the thread ran, and the time in which it waited for a core.
    std::ifstream file("/proc/thread-self/schedstat");
    std::int64_t ran = 0, delayed = 0;
    return file >> ran >> delayed ? delayed : 0;
}

void start(bool is_start_known) {
    const Inside inside;
    if (session.phase != Phase::before) return;
    int level = MPI_THREAD_SINGLE, length = 0;
    PMPI_Query_thread(&level);
    PMPI_Comm_rank(MPI_COMM_WORLD, &session.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &session.ranks);
    if (const std::string why = why_not_recorded(); !why.empty()) {
        session.phase = Phase::off;
        if (session.rank == 0) complain(session.program + " " + why + ", and is not recorded");
        return;
    }
    setenv(application::recording_variable, std::to_string(getpid()).c_str(), 1);
    char host[MPI_MAX_PROCESSOR_NAME] = "";
    PMPI_Get_processor_name(host, &length);
    session.host = host;
    session.library = library_in_use();
    session.threads = name_of_thread_level(level);
    session.is_threaded = level == MPI_THREAD_MULTIPLE;
    session.is_start_known = is_start_known;
    prepare_predefined();
    call_on_end_at_finalize();
    session.process = getpid();
    session.start_ticks = ticks();
    session.start_ns = monotonic_ns();
    session.start_delay_ns = delay_ns();
    session.phase = Phase::on;
}

bool start_late() {
    int is_started = 0, is_ended = 0;
    PMPI_Initialized(&is_started);
    PMPI_Finalized(&is_ended);
    if (is_started == 0 || is_ended != 0) return false;
    start(false);
    return session.phase == Phase::on;
}

/// Merges the recordings of all ranks; rank 0 writes the file.
void finish() {
    const Inside inside;
    if (session.phase != Phase::on) return;
    // Ranks that have not called MPI would be missing from collective calls.
    if (!session.is_start_known) return write_part("MPI_Init was not seen");
    session.phase = Phase::off;
    Merged merged = own_records();
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (merge_ranks(merged, comm)) {
        const application::Recording recording = recording_of(merged);
        const std::string place = place_of_recording();
        if (write(place, recording)) complain(in_words(recording, place));
    }
    PMPI_Comm_free(&comm);
}

void write_part(const char* reason) {
    if (session.phase != Phase::on) return;
    session.phase = Phase::off;
    application::Recording recording = recording_of(own_records());
    recording.part = application::Part{session.rank, reason};
    const std::string place = session.output + ".rank-" + std::to_string(session.rank);
    // If all ranks end in this way, only the first one prints the message.
    const bool is_first = !has_any_part(session.output);
    if (write(place, recording) && is_first)
        complain(std::string(reason) + ": " + session.output +
                 " was not written; each rank has written its own calls, as in " + place);
}

}  // namespace mpiaudit::recorder

void mpiaudit::interposition::on_start() {
    recorder::start(true);
}

void mpiaudit::interposition::on_end() {
    recorder::finish();
}

using mpiaudit::recorder::pause_at_level_0;
using mpiaudit::recorder::write_part_before;

MPIAUDIT_INTERPOSED(MPI_Abort, (MPI_Comm comm, int code), (comm, code), write_part_before)
// Other tools define the arguments after the level; MPI libraries ignore them.
MPIAUDIT_INTERPOSED(MPI_Pcontrol, (const int level, ...), (level), pause_at_level_0(level))
