// SPDX-License-Identifier: BSD-3-Clause
// Defines call_arrows() of operation_arrows.h: operations as programs call them, many in a row, on
// a new communicator, from new memory, with computation meanwhile. The words in brackets behind the
// name of an operation say in which way.
#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "catalogue/bind.h"
#include "catalogue/moved.h"
#include "catalogue/operation_arrows.h"
#include "device/device.h"
#include "messages/messages.h"
#include "messages/under_test.h"

namespace mpiaudit {
namespace {

using under_test::look_at;

constexpr int calls_in_a_row = 8, pieces_of_computation = 16;

/// Surrounds a call with the work of a program, which a library may handle well or badly. \param
/// step the call alone \param prepare prepares another call
using Around = Step (*)(const Instance& instance, const Place& from, Layout to, Step step,
                        const Prepare& prepare);

template <bool with_barriers>
Step in_a_row(const Instance& instance, const Place&, Layout, Step step, const Prepare&) {
    step.call = [comm = instance.comm, call = std::move(step.call)] {
        for (int i = 0; i < calls_in_a_row; ++i) {
            if (with_barriers && i > 0) look_at(MPI_Barrier(comm));
            call();
        }
    };
    return step;
}

/// Both sides make a communicator, and prepare the call on the new communicator or beside it.
template <bool is_on_it>
Step on_communicator(const Instance& instance, const Place& from, Layout to, Step step,
                     const Prepare& prepare) {
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
        if (bytes > 0) messages::copy(to.block(k), from.block(k), bytes);
    }
}

/// Allocates memory as a program that allocates in every call does: at changing addresses, which a
/// library that caches addresses, or opens the memory of a device to other ranks, has not seen.
class NewMemory {
  public:
    /// Returns memory for the place, of the kind that the place has.
    std::byte* operator()(const Place& place) {
        auto& next = kept_[turn_++ % kept_.size()];
        auto made = device::allocate(device::kind_of(place.data), place.bytes_to_end() + 1);
        next = std::move(made);
        return next.get();
    }

  private:
    std::array<std::shared_ptr<std::byte>, 8> kept_;
    std::size_t turn_ = 0;
};

/// Both sides allocate, and copy the data that are sent and received. One side calls with the new
/// memory, the other side with the usual buffers.
template <bool are_used>
Step with_buffers(const Instance& instance, const Place& from, Layout to, Step step,
                  const Prepare& prepare) {
    const Place result = step.result;
    const bool stays = result.data != nullptr && result.data == from.data;
    const auto memory = std::make_shared<NewMemory>();
    step.call = [=, usual = std::move(step.call)] {
        Place sent = from, received = result;
        if (from.data != nullptr) sent.data = (*memory)(from);
        if (result.data != nullptr) received.data = stays ? sent.data : (*memory)(result);
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

/// Calls on other buffers, with copies from the usual buffers and back.
/// \tparam is_on_device in the device's own memory, else in the memory of the host
template <bool is_on_device>
Step elsewhere(const Instance& instance, const Place& from, Layout to, Step step,
               const Prepare& prepare) {
    const MemoryKind kind =
        is_on_device ? instance.problem().memory.own_of_device() : MemoryKind::host;
    return moved(kind, instance, from, to, std::move(step), prepare);
}

/// Computes a chain of operations that no compiler shortens. The chain continues from the last
/// result, because a processor runs short independent chains side by side: pieces with MPI_Test
/// between them would seem faster than the whole.
void compute(long steps) {
    static volatile double result = 1.0;
    double value = result;
    for (long i = 0; i < steps; ++i) value = value * 0.999999 + 1e-9;
    result = value;
}

/// Returns a number of steps that takes about as long as a call in a network of today.
long steps_of(const Problem& problem) {
    constexpr long least = 1000, bytes_of_a_step = 8;
    return least + static_cast<long>(problem.total()) *
                       static_cast<long>(problem.element->data_bytes()) / bytes_of_a_step;
}

thread_local long steps_before_wait = 0;

/// Prepares a call with a computation: behind a blocking call, else between start and completion,
/// and there in pieces with MPI_Test behind each if `tests`.
template <bool blocks, bool tests>
Step with_computation(const Instance& instance, const Place&, Layout, Step step, const Prepare&) {
    step.call = [steps = steps_of(instance.problem()), call = std::move(step.call)] {
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

struct WayToCall {
    std::string_view name, besides;
    Around around;
    bool blocks;  ///< if false, the operation is started and waited for
    std::string_view summary;
};
constexpr WayToCall ways_to_call[] = {
    {"in a row", ", in a row", in_a_row<false>, true, "8 calls, one after the other"},
    {"in a row with barriers", ", in a row", in_a_row<true>, true,
     "8 calls, and a barrier between two of them"},
    {"new communicator", ", and a communicator", on_communicator<true>, true,
     "the only call on a communicator that is made for it"},
    {"beside a new communicator", ", and a communicator", on_communicator<false>, true,
     "the call on a known communicator, and another one is made"},
    {"new buffers", ", and buffers", with_buffers<true>, true,
     "in memory that is allocated for the call, with copies from and to the usual buffers"},
    {"beside new buffers", ", and buffers", with_buffers<false>, true,
     "in the usual buffers, with the same copies from and to memory that is allocated"},
    {"staged", "", elsewhere<false>, true,
     "on buffers of the host, with copies from the device and to the device"},
    {"on the device", "", elsewhere<true>, true,
     "on buffers in the device's own memory, with copies to the device and back"},
    {"computing", ", and a computation", with_computation<true, false>, true,
     "the call, then a computation"},
    {"computing", ", and a computation", with_computation<false, false>, false,
     "a computation between start and MPI_Wait"},
    {"computing and testing", ", and a computation", with_computation<false, true>, false,
     "the same computation in 16 pieces, with MPI_Test behind each"},
};

/// Returns the kind of memory that the buffers need.
unsigned needs_of_way(const WayToCall& way) {
    if (way.around == elsewhere<false>) return device_memory;
    return way.around == elsewhere<true> ? other_memory : anything;
}

/// An operation that is called in one of these ways.
struct CalledInAWay : Variant {
    const MpiOperation& operation;
    const WayToCall& way;
};

Step call_in_a_way(const Instance& given, const Place& from, Layout to) {
    const auto& called = static_cast<const CalledInAWay&>(*given.called_as);
    Instance instance = given;
    instance.called_as = nullptr;
    const Prepare prepare = called.way.blocks ? prepare_blocking(called.operation.name)
                                              : prepare_nonblocking(called.operation.name);
    return called.way.around(instance, from, to, prepare(instance, from, to), prepare);
}

}  // namespace

std::vector<Arrow> call_arrows() {
    static const std::deque<CalledInAWay> variants = [] {
        std::deque<CalledInAWay> all;
        for (const MpiOperation& each : mpi_operations) {
            if (each.shape == Shape::nothing || each.is_among_neighbours()) continue;
            for (const WayToCall& way : ways_to_call)
                all.push_back({{.name = way.name, .besides = way.besides}, each, way});
        }
        return all;
    }();
    std::vector<Arrow> arrows;
    for (const CalledInAWay& each : variants) {
        const bool blocks = each.way.blocks;
        arrows.push_back(arrow_between_ends_of(
            {.operation = std::string(each.operation.name),
             .start = blocks ? Start::blocking : Start::nonblocking,
             .variant = std::string(each.name)},
            blocks ? Kind::variant : Kind::nonblocking, std::string(each.way.summary),
            call_in_a_way, needs_of_way(each.way)));
        arrows.back().called_as = &each;
    }
    return arrows;
}

}  // namespace mpiaudit
