// SPDX-License-Identifier: BSD-3-Clause
// Operations as programs call them: many in a row, on a new communicator, from new memory, with
// computation meanwhile. What stands in brackets behind the operation's name says which.
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#include "catalogue/bind.h"
#include "catalogue/operation_arrows.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using under_test::look_at;

constexpr int calls_in_a_row = 8, pieces_of_computation = 16;

Step in_a_row(Step step, MPI_Comm comm, bool with_barriers) {
    step.call = [=, call = std::move(step.call)] {
        for (int i = 0; i < calls_in_a_row; ++i) {
            if (with_barriers && i > 0) look_at(MPI_Barrier(comm));
            call();
        }
    };
    return step;
}

/// Both sides make a communicator and prepare the call on it or beside it.
Step on_communicator(const Instance& instance, const Place& from, Layout to, Step step,
                     const Prepare& prepare, bool is_on_it) {
    step.call = [=] {
        MPI_Comm made = MPI_COMM_NULL;
        look_at(MPI_Comm_dup(instance.comm, &made));
        Instance there = instance;
        if (is_on_it) there.comm = made;
        prepare(there, from, to).call();
        look_at(MPI_Comm_free(&made));
    };
    return step;
}

void copy_blocks(const Place& from, const Place& to) {
    for (std::size_t k = 0; k < from.counts.size(); ++k) {
        const std::size_t bytes = static_cast<std::size_t>(from.counts[k]) * from.extent;
        if (bytes > 0) std::memcpy(to.block(k), from.block(k), bytes);
    }
}

/// A program that allocates in every call gets another address now and then, and a library that
/// knows memory by its address has not seen it.
class NewMemory {
  public:
    std::byte* operator()(std::size_t bytes) {
        auto& next = kept_[turn_++ % kept_.size()];
        auto made = std::make_unique_for_overwrite<std::byte[]>(bytes + 1);
        next = std::move(made);
        return next.get();
    }

  private:
    std::array<std::unique_ptr<std::byte[]>, 8> kept_;
    std::size_t turn_ = 0;
};

/// Both sides allocate, and copy what is sent and received; one call uses the new memory, the other
/// what it always has.
Step with_buffers(const Instance& instance, const Place& from, Layout to, Step step,
                  const Prepare& prepare, bool are_used) {
    const Place result = step.result;
    const bool stays = result.data != nullptr && result.data == from.data;
    const auto memory = std::make_shared<NewMemory>();
    step.call = [=, usual = std::move(step.call)] {
        Place sent = from, received = result;
        if (from.data != nullptr) sent.data = (*memory)(from.bytes_to_end());
        if (result.data != nullptr)
            received.data = stays ? sent.data : (*memory)(result.bytes_to_end());
        copy_blocks(from, sent);
        Instance there = instance;
        there.destination = &received;
        const Step other = prepare(there, sent, to);
        if (are_used)
            other.call();
        else
            usual();
        if (are_used)
            copy_blocks(received, result);
        else
            copy_blocks(result, received);
    };
    return step;
}

/// A chain of operations that no compiler shortens. It goes on where the last one ended: a
/// processor runs short chains that do not depend on each other side by side, and pieces with
/// MPI_Test between them would seem to be faster than the whole.
void compute(long steps) {
    static volatile double result = 1.0;
    double value = result;
    for (long i = 0; i < steps; ++i) value = value * 0.999999 + 1e-9;
    result = value;
}

/// For about as long as a call takes, in a network of today.
long steps_of(const Problem& problem) {
    constexpr long least = 1000, bytes_of_a_step = 8;
    return least + static_cast<long>(problem.total()) *
                       static_cast<long>(problem.element->data_bytes()) / bytes_of_a_step;
}

thread_local long steps_before_wait = 0;

Step with_computation(const Problem& problem, Step step, bool blocks, bool tests) {
    step.call = [=, steps = steps_of(problem), call = std::move(step.call)] {
        if (blocks) {
            call();
            compute(steps);
            return;
        }
        steps_before_wait = steps;
        before_wait = tests ? +[](MPI_Request* request) {
            for (int i = 0; i < pieces_of_computation; ++i) {
                compute(steps_before_wait / pieces_of_computation);
                int is_done = 0;
                look_at(MPI_Test(request, &is_done, MPI_STATUS_IGNORE));
            }
        } : +[](MPI_Request*) { compute(steps_before_wait); };
        call();
        before_wait = nullptr;
    };
    return step;
}

Step call_in_a_way(const Instance& given, const Place& from, Layout to) {
    const Variant& way = *given.called_as;
    Instance instance = given;
    instance.called_as = nullptr;
    const Prepare prepare =
        way.blocks ? prepare_blocking(way.operation) : prepare_nonblocking(way.operation);
    Step step = prepare(instance, from, to);
    switch (way.around) {
        case Around::nothing:
            break;
        case Around::row:
        case Around::row_with_barriers:
            return in_a_row(std::move(step), instance.comm,
                            way.around == Around::row_with_barriers);
        case Around::new_communicator:
        case Around::beside_new_communicator:
            return on_communicator(instance, from, to, std::move(step), prepare,
                                   way.around == Around::new_communicator);
        case Around::new_buffers:
        case Around::beside_new_buffers:
            return with_buffers(instance, from, to, std::move(step), prepare,
                                way.around == Around::new_buffers);
        case Around::computation:
        case Around::computation_with_tests:
            return with_computation(instance.problem(), std::move(step), way.blocks,
                                    way.around == Around::computation_with_tests);
    }
    return step;
}

struct WayToCall {
    std::string_view name;
    Around around;
    bool blocks;
    std::string_view summary;
};
constexpr WayToCall ways_to_call[] = {
    {"in a row", Around::row, true, "8 calls, one after the other"},
    {"in a row with barriers", Around::row_with_barriers, true,
     "8 calls, and a barrier between two of them"},
    {"new communicator", Around::new_communicator, true,
     "the only call on a communicator that is made for it"},
    {"beside a new communicator", Around::beside_new_communicator, true,
     "the call on a known communicator, and another one is made"},
    {"new buffers", Around::new_buffers, true,
     "in memory that is allocated for the call, with copies from and to the usual buffers"},
    {"beside new buffers", Around::beside_new_buffers, true,
     "in the usual buffers, with the same copies from and to memory that is allocated"},
    {"computing", Around::computation, true, "the call, then a computation"},
    {"computing", Around::computation, false, "a computation between start and MPI_Wait"},
    {"computing and testing", Around::computation_with_tests, false,
     "the same computation in 16 pieces, with MPI_Test behind each"},
};

}  // namespace

std::vector<Arrow> call_arrows() {
    static const std::deque<Variant> variants = [] {
        std::deque<Variant> all;
        for (const MpiOperation& each : mpi_operations) {
            if (each.shape == Shape::nothing || each.is_among_neighbours()) continue;
            for (const WayToCall& way : ways_to_call)
                all.push_back({.name = way.name,
                               .operation = each.name,
                               .around = way.around,
                               .blocks = way.blocks});
        }
        return all;
    }();
    std::vector<Arrow> arrows;
    std::size_t next = 0;
    for (const Variant& each : variants) {
        const WayToCall& way = ways_to_call[next++ % std::size(ways_to_call)];
        const std::string name =
            way.blocks ? std::string(each.operation) : nonblocking_name(each.operation);
        arrows.push_back(arrow_between_ends_of(each.operation,
                                               fmt::format("{}[{}]", name, way.name),
                                               way.blocks ? Kind::variant : Kind::nonblocking,
                                               std::string(way.summary), call_in_a_way));
        arrows.back().called_as = &each;
    }
    return arrows;
}

}  // namespace mpiaudit
