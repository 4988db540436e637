// SPDX-License-Identifier: BSD-3-Clause
#include "fault.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

namespace faults {
namespace {

struct Fault {
    std::string operation, kind;
    std::map<std::string, long> numbers;
    std::vector<std::string> conditions;

    Fault() {
        const char* text = std::getenv("MPIAUDIT_FAULT");
        std::istringstream words(text == nullptr ? "" : text);
        words >> operation >> kind;
        for (std::string word; words >> word;) {
            const auto equals = word.find('=');
            if (equals != std::string::npos &&
                word.find_first_not_of("0123456789", equals + 1) == std::string::npos)
                numbers[word.substr(0, equals)] = std::stol(word.substr(equals + 1));
            else
                conditions.push_back(word);
        }
    }
    bool concerns(const Collective& call) const {
        return operation == call.operation || operation == std::string(call.family) + "*";
    }
    long condition(const char* name, long otherwise) const {
        const auto found = numbers.find(name);
        return found == numbers.end() ? otherwise : found->second;
    }
    bool counts_calls() const {
        return numbers.contains("from") || numbers.contains("every") || numbers.contains("only");
    }
    /// \param number of the call among the calls of the operation, from 1
    /// \param idle_s seconds since the previous call
    bool hits(long rank, long bytes, long number, double idle_s) const {
        return idle_s >= 1e-3 * static_cast<double>(condition("after", 0)) &&
               condition("rank", rank) == rank && number >= condition("from", 1) &&
               number % condition("every", 1) == 0 && condition("only", number) == number &&
               bytes >= condition("min", 0) && bytes <= condition("max", bytes);
    }
    bool meets_conditions(const Collective& call) const {
        return std::ranges::all_of(conditions,
                                   [&](const std::string& each) { return meets(each, call); });
    }
};

const Fault& fault() {
    static const Fault the_fault;
    return the_fault;
}

using Byte = unsigned char;
constexpr std::size_t word_bytes = 4;

void invert(void* data, std::ptrdiff_t at) {
    auto* byte = static_cast<Byte*>(data) + at;
    *byte = static_cast<Byte>(~*byte);
}

/// Inverts the last bit of each double from 2^53 on. Sums that do not round are smaller.
void round(Byte* data, std::size_t bytes) {
    constexpr double first_rounded = 0x1p53;
    for (std::size_t at = 0; at + sizeof(double) <= bytes; at += sizeof(double)) {
        double number = 0.0;
        std::memcpy(&number, data + at, sizeof number);
        if (number >= first_rounded) data[at] ^= 1U;
    }
}

/// What is done to the output once it is there; `before` are its bytes from before the call.
void spoil(const std::string& kind, const Bytes& output, const std::vector<Byte>& before) {
    auto* const data = static_cast<Byte*>(output.data);
    const std::size_t n = output.number;
    if (data == nullptr || n == 0) return;
    const auto end = static_cast<std::ptrdiff_t>(n);
    const std::size_t word = std::min(n, word_bytes);
    if (kind == "flip") invert(data, 0);
    if (kind == "middle") invert(data, end / 2);
    if (kind == "last") invert(data, end - 1);
    if (kind == "plus") ++data[0];
    if (kind == "zero") std::memset(data, 0, n);
    if (kind == "swap") std::swap_ranges(data, data + word, data + (n - word));
    if (kind == "shift") std::rotate(data, data + 1, data + n);
    if (kind == "stale") std::copy(before.begin(), before.end(), data);
    if (kind == "truncate")
        std::copy(before.end() - static_cast<std::ptrdiff_t>(word), before.end(),
                  data + (n - word));
    if (kind == "round") round(data, n);
    if (kind == "before") invert(data, -1);
    if (kind == "behind") invert(data, end);
}

/// The time of MPI_Wtime with clock=1, in seconds.
double clock_s = 0.0;
constexpr double reading_s = 1e-7;

bool has_own_clock() {
    return fault().condition("clock", 0) != 0;
}

/// Keeps the processor busy, as a slow algorithm would.
int work_slowly(const std::function<int()>& work) {
    if (has_own_clock()) {
        clock_s += 1e-6 * static_cast<double>(fault().condition("us", 0));
        return work();
    }
    const double start_s = PMPI_Wtime();
    const int code = work();
    const double end_s = PMPI_Wtime();
    const double more_s =
        (end_s - start_s) * 0.01 * static_cast<double>(fault().condition("percent", 0)) +
        1e-6 * static_cast<double>(fault().condition("us", 0));
    while (PMPI_Wtime() < end_s + more_s) {
    }
    return code;
}

[[noreturn]] void hang() {
    for (;;) usleep(100'000);
}

constexpr int exit_code = 9;

void die(const std::string& kind) {
    const std::map<std::string, int> signals = {
        {"segv", SIGSEGV}, {"abort", SIGABRT}, {"bus", SIGBUS}, {"kill", SIGKILL}};
    if (kind == "exit") std::exit(exit_code);
    const auto found = signals.find(kind);
    if (found != signals.end()) raise(found->second);
}

/// Tells the test that the fault has hit: some faults wait for a call that never comes.
void leave_a_mark() {
    // Once: a call that is to be slow by a factor has to be fast besides.
    static bool is_left = false;
    if (std::exchange(is_left, true)) return;
    const char* file = std::getenv("MPIAUDIT_FAULT_MARK");
    if (file != nullptr) close(open(file, O_CREAT | O_WRONLY, 0600));
}

int carry_out(const Collective& call) {
    leave_a_mark();
    const std::string& kind = fault().kind;
    die(kind);
    if (kind == "hang") hang();
    if (kind == "noop") return MPI_SUCCESS;
    if (kind == "slow") return work_slowly(call.work);
    if (kind == "refuse") return MPI_ERR_OTHER;
    if (kind == "handler") {
        PMPI_Comm_call_errhandler(call.comm, MPI_ERR_OTHER);
        return MPI_ERR_OTHER;
    }
    const Bytes output = call.received.first_bytes();
    const auto* data = static_cast<const Byte*>(output.data);
    std::vector<Byte> before;
    if (data != nullptr) before.assign(data, data + output.number);
    const int code = call.work();
    spoil(kind, output, before);
    const Bytes sent = call.sent.first_bytes();
    if (kind == "send" && sent.number > 0) invert(sent.data, 0);
    for (const Side* const side : {&call.sent, &call.received})
        if (kind == "counts" && side->counts != nullptr) ++const_cast<int*>(side->counts)[0];
    return kind == "code" ? MPI_ERR_OTHER : code;
}

std::map<MPI_Request, Collective>& initialised() {
    static std::map<MPI_Request, Collective> all;
    return all;
}

/// The end of the last blocking call, in seconds; 0 before the first one.
double last_end_s = 0.0;

/// Whether the fault hits the call, which counts as one of its operation.
bool is_hit(const Collective& call) {
    static std::map<std::string_view, long> numbers;
    if (!fault().concerns(call)) return false;
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    // A process that calls something alone is not ahead of the others by that.
    int processes = 0;
    PMPI_Comm_size(call.comm, &processes);
    const bool counts = processes > 1;
    if (!counts && fault().counts_calls()) return false;
    const long number = counts ? ++numbers[call.operation] : 1;
    const auto bytes = static_cast<long>(call.received.first_bytes().number);
    const double idle_s = PMPI_Wtime() - last_end_s;
    return fault().hits(rank, bytes, number, idle_s) && fault().meets_conditions(call);
}

}  // namespace

long Side::largest_count() const {
    long largest = 0;
    for (int k = 0; k < blocks; ++k) largest = std::max(largest, count_of(k));
    return largest;
}

Bytes Side::first_bytes() const {
    if (data == MPI_IN_PLACE) return {};
    for (int k = 0; k < blocks; ++k) {
        const long number = counts == nullptr ? count * blocks : counts[k];
        if (number == 0) continue;
        MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
        PMPI_Type_get_extent(type_of(k), &lower, &extent);
        PMPI_Type_get_true_extent(type_of(k), &true_lower, &true_extent);
        const MPI_Aint unit = types == nullptr ? extent : 1;
        const MPI_Aint at = displacements == nullptr ? 0 : displacements[k] * unit;
        return {static_cast<Byte*>(data) + at + true_lower,
                static_cast<std::size_t>((number - 1) * extent + true_extent)};
    }
    return {};
}

int with_fault(const Collective& call) {
    const int code = is_hit(call) ? carry_out(call) : call.work();
    last_end_s = PMPI_Wtime();
    return code;
}

int start_nonblocking(Collective call, const Start& start, MPI_Request* request) {
    if (is_hit(call)) {
        *request = MPI_REQUEST_NULL;
        // The whole work is done at the start, so that its result can be spoilt.
        call.work = [=] {
            const int code = start(request);
            return code == MPI_SUCCESS ? PMPI_Wait(request, MPI_STATUS_IGNORE) : code;
        };
        return carry_out(call);
    }
    const int code = start(request);
    if (code == MPI_SUCCESS) open_requests()[*request] = {call.comm, false};
    return code;
}

int initialise(Collective call, const Start& initialise, MPI_Request* request) {
    const int code = initialise(request);
    if (code != MPI_SUCCESS) return code;
    // A request that was freed may have had this handle.
    initialised().erase(*request);
    if (fault().concerns(call)) initialised()[*request] = std::move(call);
    return code;
}

std::map<MPI_Request, OpenRequest>& open_requests() {
    static std::map<MPI_Request, OpenRequest> all;
    return all;
}

int start(MPI_Request* request) {
    const auto found = initialised().find(*request);
    if (found == initialised().end()) return PMPI_Start(request);
    // The whole work is done at the start, so that its result can be spoilt.
    Collective call = found->second;
    call.work = [request] {
        MPI_Request started = *request;
        const int code = PMPI_Start(&started);
        return code == MPI_SUCCESS ? PMPI_Wait(&started, MPI_STATUS_IGNORE) : code;
    };
    return with_fault(call);
}

}  // namespace faults

extern "C" double MPI_Wtime() {
    if (!faults::has_own_clock()) return PMPI_Wtime();
    return faults::clock_s += faults::reading_s;
}
