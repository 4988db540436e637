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
    std::map<std::string, long> conditions;

    Fault() {
        const char* text = std::getenv("MPIAUDIT_FAULT");
        std::istringstream words(text == nullptr ? "" : text);
        words >> operation >> kind;
        for (std::string word; words >> word;) {
            const auto equals = word.find('=');
            conditions[word.substr(0, equals)] = std::stol(word.substr(equals + 1));
        }
    }
    long condition(const char* name, long otherwise) const {
        const auto found = conditions.find(name);
        return found == conditions.end() ? otherwise : found->second;
    }
    bool counts_calls() const {
        return conditions.contains("from") || conditions.contains("every") ||
               conditions.contains("only");
    }
    /// \param number of the call among the calls of the operation, from 1
    bool hits(long rank, long bytes, long number) const {
        return condition("rank", rank) == rank && number >= condition("from", 1) &&
               number % condition("every", 1) == 0 && condition("only", number) == number &&
               bytes >= condition("min", 0) && bytes <= condition("max", bytes);
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

/// Keeps the processor busy, as a slow algorithm would.
int work_slowly(const std::function<int()>& work) {
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
    const auto* data = static_cast<const Byte*>(call.output.data);
    std::vector<Byte> before;
    if (data != nullptr) before.assign(data, data + call.output.number);
    const int code = call.work();
    spoil(kind, call.output, before);
    if (kind == "send" && call.sent != nullptr && call.sent != MPI_IN_PLACE)
        invert(const_cast<void*>(call.sent), 0);
    return kind == "code" ? MPI_ERR_OTHER : code;
}

std::map<MPI_Request, Collective>& initialised() {
    static std::map<MPI_Request, Collective> all;
    return all;
}

}  // namespace

int with_fault(const Collective& call) {
    static std::map<std::string, long> numbers;
    if (fault().operation != call.operation) return call.work();
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    // A process that calls something alone is not ahead of the others by that.
    int processes = 0;
    PMPI_Comm_size(call.comm, &processes);
    const bool counts = processes > 1;
    if (!counts && fault().counts_calls()) return call.work();
    const long number = counts ? ++numbers[call.operation] : 1;
    const auto bytes = static_cast<long>(call.output.number);
    return fault().hits(rank, bytes, number) ? carry_out(call) : call.work();
}

void remember(MPI_Request request, Collective call) {
    // A request that was freed may have had this handle.
    initialised().erase(request);
    if (fault().operation == call.operation) initialised()[request] = std::move(call);
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
