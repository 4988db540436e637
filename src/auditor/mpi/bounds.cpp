// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/incident.h"

#include <ucontext.h>
#include <unistd.h>

#include <csignal>

#include "guard/guarded_memory.h"
#include "mpi/environment.h"

namespace mpiaudit {
namespace {

// What the signal handler knows.
int own_rank = 0, code_of_wrong_result = 3;
struct sigaction before_segv {
}, before_bus{};

/// Whether the access that failed was a write, where the processor tells.
const char* access_in_words([[maybe_unused]] const void* context) {
#if defined(__x86_64__) && defined(REG_ERR)
    constexpr long write_bit = 2;
    const auto* state = static_cast<const ucontext_t*>(context);
    return (state->uc_mcontext.gregs[REG_ERR] & write_bit) != 0 ? "wrote " : "read ";
#else
    return "read or wrote ";
#endif
}

void handle(int signal, siginfo_t* info, void* context) {
    if (const char* place = protected_place(info->si_addr)) {
        std::array<char, 4096> buffer{};
        incident::write_error(
            incident::text_in(buffer, "mpiaudit: WRONG, rank {}, while {}: {}{}\n", own_rank,
                              current_activity_text(), access_in_words(context), place));
        _exit(code_of_wrong_result);
    }
    const struct sigaction& before = signal == SIGBUS ? before_bus : before_segv;
    if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != nullptr)
        before.sa_sigaction(signal, info, context);
    else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
        before.sa_handler(signal);
    else
        sigaction(signal, &before, nullptr);  // the access fails again, and ends the process
}

}  // namespace

void incident::watch_bounds(int rank, int exit_code) {
    own_rank = rank;
    code_of_wrong_result = exit_code;
    struct sigaction action {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &before_segv);
    sigaction(SIGBUS, &action, &before_bus);
}

}  // namespace mpiaudit
