// SPDX-License-Identifier: BSD-3-Clause

#include <mpi.h>

#include "collectives/bcast/bcast.h"
#include "messages/messages.h"
#include "mpi/texts.h"
#include "text/exit_code.h"

namespace mpiaudit {
namespace {

/// What the first character of the broadcast says about the rest.
constexpr char made = '=', wrong_use = '?', failure = '!';

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
    const int rank = messages::rank_in(MPI_COMM_WORLD);
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
    binomial_Bcast(data, static_cast<int>(bytes), MPI_BYTE, 0, MPI_COMM_WORLD);
}

}  // namespace mpiaudit
