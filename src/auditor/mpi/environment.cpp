// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/environment.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "collectives/bcast/bcast.h"
#include "messages/kept_with.h"
#include "messages/messages.h"
#include "messages/under_test.h"
#include "mpi/part_of_launch.h"
#include "mpi/texts.h"
#include "random/random_bits.h"
#include "simulation/simulation.h"
#include "text/console.h"
#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// Bytes of an error text: MPICH 4.2.1 writes beyond MPI_MAX_ERROR_STRING after nested calls have
/// failed.
constexpr std::size_t room_for_error_text = 8192;

constexpr int internal_failure = 70;  // EX_SOFTWARE of sysexits.h

std::string& current_activity() {
    static std::string activity = "setting up";
    return activity;
}

/// The error handler: keeps errors of operations under test, aborts on others.
void report_and_abort(MPI_Comm*, int* code, ...) {
    // An error of an operation under test is a wrong result, which does not end the audit.
    if (under_test::is_inside())
        under_test::look_at(*code);
    else
        abort_audit(error_text(*code));
}

}  // namespace

std::string error_text(int code) {
    std::array<char, room_for_error_text> text{};
    int length = 0;
    if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS)
        return fmt::format("error code {}", code);
    const std::string whole(text.data(), static_cast<std::size_t>(length));
    return whole.substr(0, whole.find('\n'));
}

Environment::Environment(int& argc, char**& argv) {
    // The watchdog's thread calls no MPI function. The watchdog queries the level that MPI
    // provides.
    int thread_level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &thread_level);
    simulation::enter();
    MPI_Errhandler handler{};
    MPI_Comm_create_errhandler(report_and_abort, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Errhandler_free(&handler);
}

Environment::~Environment() {
    simulation::leave();
    forget_kept(MPI_COMM_WORLD);
    MPI_Finalize();
}

int Environment::rank() {
    return messages::rank_in(audited_ranks());
}

int Environment::ranks() {
    return messages::size_of(audited_ranks());
}

std::string Environment::library_version() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    std::string version(text.data(), static_cast<std::size_t>(length));
    while (!version.empty() && (version.back() == '\n' || version.back() == '\0'))
        version.pop_back();
    return simulation::library_name(plain(version));
}

std::string Environment::name_of_library() {
    return platform().is_deterministic ? "" : library_name(library_version());
}

std::optional<std::string> Environment::library_file() {
    Dl_info info{};
    // No preloaded layer replaces a function of the profiling interface.
    if (platform().is_deterministic ||
        dladdr(reinterpret_cast<const void*>(&PMPI_Get_library_version), &info) == 0 ||
        info.dli_fname == nullptr)
        return std::nullopt;
    std::error_code error;
    const auto file = std::filesystem::canonical(info.dli_fname, error);
    return error ? std::nullopt : std::optional(plain(file.string()));
}

std::optional<std::string> Environment::library_checksum() {
    const std::optional<std::string> name = library_file();
    if (!name) return std::nullopt;
    std::ifstream file(*name, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    if (!file) return std::nullopt;
    return fmt::format("{:016x}", hash_bits(bytes.view()));
}

std::string Environment::standard_version() {
    int major = 0, minor = 0;
    MPI_Get_version(&major, &minor);
    return fmt::format("{}.{}", major, minor);
}

Activity::Activity(std::string what) : outer_{std::exchange(current_activity(), std::move(what))} {}
Activity::~Activity() {
    current_activity() = std::move(outer_);
}

const char* current_activity_text() {
    return current_activity().c_str();
}

void abort_audit(const std::string& message) {
    int rank = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    remark("rank {}, while {}: {}", rank, current_activity(), message);
    simulation::end_all_ranks(internal_failure);
}

namespace {

/// The first character of the broadcast text: the rest is the text, a usage error or another error.
constexpr char made = '=', wrong_use = '?', failure = '!';

/// Returns make() or its error, with a first character for the kind.
std::string attempt(const std::function<std::string()>& make) {
    try {
        return made + make();
    } catch (const std::invalid_argument& error) {
        return std::string(1, wrong_use) + error.what();
    } catch (const std::exception& error) {
        return std::string(1, failure) + error.what();
    }
}

}  // namespace

std::string text_of_rank_0(const std::function<std::string()>& make) {
    const int rank = messages::rank_in(audited_ranks());
    std::string text = broadcast(rank == 0 ? attempt(make) : "");
    const char kind = text.front();
    text.erase(0, 1);
    if (kind == wrong_use) throw UsageError(text);
    if (kind == failure) throw FailureOfRank0(text);
    return text;
}

void on_rank_0(const std::function<void()>& act) {
    text_of_rank_0([&] {
        act();
        return std::string{};
    });
}

void broadcast_bytes(void* data, std::size_t bytes) {
    binomial_Bcast(data, static_cast<int>(bytes), MPI_BYTE, 0, audited_ranks());
}

}  // namespace mpiaudit
