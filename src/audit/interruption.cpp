// SPDX-License-Identifier: BSD-3-Clause
#include "audit/interruption.h"

#include <csignal>

#include "messages/agreement.h"

namespace mpiaudit {
namespace {

volatile std::sig_atomic_t received = 0;

void remember(int signal) {
    received = signal;
}

void handle(int signal, void (*handler)(int), int flags) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

}  // namespace

Interruption::Interruption() {
    // The launcher and the job script may both pass the warning on, so it may come twice.
    handle(SIGUSR1, remember, SA_RESTART);
    handle(SIGTERM, remember, SA_RESTART | static_cast<int>(SA_RESETHAND));
}

Interruption::~Interruption() {
    handle(SIGUSR1, SIG_DFL, 0);
    handle(SIGTERM, SIG_DFL, 0);
}

int Interruption::requested(MPI_Comm comm) {
    return largest_of_ranks(static_cast<int>(received), comm);
}

}  // namespace mpiaudit
