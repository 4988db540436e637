// SPDX-License-Identifier: BSD-3-Clause
// Declared in mpi/incident.h.
#include "mpi/incident.h"

#include <ucontext.h>

#include <atomic>
#include <csignal>

#include "guard/guarded_memory.h"

namespace mpiaudit {
namespace {

struct sigaction before_segv {
}, before_bus{};

// Points to a static text, since the handler must not allocate.
std::atomic<const char*> first_broken_bound = nullptr;

const char* in_words([[maybe_unused]] const void* context, ProtectedPlace place) {
    const bool is_before = place == ProtectedPlace::before_buffer;
#if defined(__x86_64__) && defined(REG_ERR)
    constexpr long write_bit = 2;
    const auto* state = static_cast<const ucontext_t*>(context);
    if ((state->uc_mcontext.gregs[REG_ERR] & write_bit) != 0)
        return is_before ? "wrote before the start of a buffer"
                         : "wrote behind the end of a buffer";
    return is_before ? "read before the start of a buffer" : "read behind the end of a buffer";
#else
    return is_before ? "read or wrote before the start of a buffer"
                     : "read or wrote behind the end of a buffer";
#endif
}

/// Handles a fault. If the fault is in a protected page, notes the first such access and opens the
/// page, so that the call goes on. Other faults go to the handler that was there before.
void handle(int signal, siginfo_t* info, void* context) {
    const ProtectedPlace place = protected_place(info->si_addr);
    // Opening the pages makes the failed instruction succeed after the handler returns. Leaving the
    // call in its middle would make the library unusable.
    if (place != ProtectedPlace::none && open_protected_pages(info->si_addr)) {
        const char* none = nullptr;
        first_broken_bound.compare_exchange_strong(none, in_words(context, place));
        return;
    }
    const struct sigaction& before = signal == SIGBUS ? before_bus : before_segv;
    if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != nullptr)
        before.sa_sigaction(signal, info, context);
    else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
        before.sa_handler(signal);
    else
        sigaction(signal, &before, nullptr);  // the access fails again and ends the process
}

}  // namespace

void incident::watch_bounds() {
    struct sigaction action {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &before_segv);
    sigaction(SIGBUS, &action, &before_bus);
}

const char* incident::take_broken_bound() {
    return first_broken_bound.exchange(nullptr);
}

}  // namespace mpiaudit
