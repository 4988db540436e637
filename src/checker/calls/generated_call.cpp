// SPDX-License-Identifier: BSD-3-Clause
#include "calls/generated_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "calls/basic_types.h"
#include "calls/functions.h"
#include "calls/transfer.h"
#include "calls/type_map.h"
#include "collectives/barrier/barrier.h"
#include "messages/agreement.h"
#include "messages/kept_with.h"
#include "messages/messages.h"
#include "messages/under_test.h"
#include "mpi/environment.h"
#include "mpi/part_of_launch.h"
#include "mpi/texts.h"
#include "random/random_bits.h"
#include "types/numbers.h"

namespace mpiaudit::calls {
namespace {

/// Contents repeat after this many elements, so that large blocks cost little. Twice a prime
/// number: elements may have two types in turn.
constexpr std::int64_t period = 4094;
/// Fewest bytes before and behind the blocks that no call may write.
constexpr std::size_t least_margin_bytes = 256;
constexpr std::size_t alignment_bytes = 64;
/// How long after the others a late rank arrives. A barrier of mpiaudit takes less than the
/// lateness at a barrier unless the machine is busy.
constexpr std::chrono::microseconds lateness{500}, lateness_at_barrier{2000},
    long_lateness{1'000'000};

/// The type of the operands of the user functions: MPI hands over a handle only.
struct Operands {
    const TypeMap* map = nullptr;
    const OperatorRow* op = nullptr;
};
Operands operands;

void combine_operands(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
    for (int k = 0; k < *count; ++k)
        for (std::size_t i = 0; i < operands.map->offsets.size(); ++i) {
            const std::ptrdiff_t at = k * operands.map->extent + operands.map->offsets[i];
            combine(static_cast<const std::byte*>(in) + at, static_cast<std::byte*>(inout) + at,
                    operands.map->basic_of(static_cast<std::int64_t>(i)), *operands.op);
        }
}

/// Instances of the type in front of each block with gaps, also of the first one.
constexpr std::ptrdiff_t gap = 2;

/// Returns the most instances that a buffer has room for, with gaps, for types of two elements.
std::int64_t most_instances(const std::vector<Block>& blocks) {
    std::int64_t most = 1;
    for (const Block& each : blocks) most += each.elements / 2 + gap;
    return most;
}

/// A buffer whose blocks lie where counts and displacements say, between margins.
class Buffer {
  public:
    void lay_out(const std::vector<Block>& blocks, const TypeMap& map, Displacements displacements,
                 bool is_unaligned) {
        map_ = &map;
        blocks_ = blocks;
        starts_.resize(blocks.size());
        std::ptrdiff_t at = 0;
        const auto place = [&](std::size_t block) {
            if (displacements == Displacements::gaps) at += gap;
            starts_[block] = at;
            at += instances(block);
        };
        for (std::size_t k = 0; k < blocks.size(); ++k)
            place(displacements == Displacements::reversed ? blocks.size() - 1 - k : k);
        std::ptrdiff_t low = 0, high = 0;
        const auto largest = static_cast<std::ptrdiff_t>(
            std::ranges::max(map.basics, {}, &BasicType::extent)->extent);
        for (std::size_t k = 0; k < blocks.size(); ++k) {
            if (instances(k) == 0) continue;
            const auto [least, most] = std::ranges::minmax(map.offsets);
            low = std::min(low, starts_[k] * map.extent + least);
            high = std::max(high, (starts_[k] + instances(k) - 1) * map.extent + most + largest);
        }
        // A block that arrives in a wrong place must not reach the memory of others.
        const std::size_t margin_bytes = least_margin_bytes + static_cast<std::size_t>(high - low);
        bytes_.assign(static_cast<std::size_t>(high - low) + 2 * margin_bytes + 2 * alignment_bytes,
                      std::byte{});
        const auto first = reinterpret_cast<std::uintptr_t>(bytes_.data()) + margin_bytes +
                           static_cast<std::uintptr_t>(-low);
        const std::uintptr_t aligned =
            (first + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
        origin_ = bytes_.data() + (aligned - reinterpret_cast<std::uintptr_t>(bytes_.data())) +
                  (is_unaligned ? std::min(map.basics.front()->extent, std::size_t{8}) : 0);
    }

    std::byte* origin() { return origin_; }
    std::byte* element(std::size_t block, std::int64_t i) {
        const auto in_type = static_cast<std::int64_t>(map_->offsets.size());
        return origin_ + (starts_[block] + i / in_type) * map_->extent +
               map_->offsets[static_cast<std::size_t>(i % in_type)];
    }
    std::size_t blocks() const { return blocks_.size(); }
    std::ptrdiff_t instances(std::size_t block) const {
        return blocks_[block].elements / static_cast<std::int64_t>(map_->offsets.size());
    }
    std::ptrdiff_t start(std::size_t block) const { return starts_[block]; }
    bool is_empty() const {
        return std::ranges::all_of(blocks_, [](const Block& each) { return each.elements == 0; });
    }

    void fill_with_pattern(std::uint64_t seed) {
        for (std::size_t i = 0; i < bytes_.size(); ++i)
            bytes_[i] = static_cast<std::byte>(0xa5 ^ (seed + i) % 61);
    }
    /// Notes the bytes: the call must leave them, but for those that accept() accepts.
    void keep() { expected_ = bytes_; }
    /// Accepts the bytes of an element, padding included, as they are now.
    void accept(std::size_t block, std::int64_t i) {
        const std::byte* const at = element(block, i);
        std::memcpy(expected_.data() + (at - bytes_.data()), at, basic_of(i).extent);
    }
    /// Accepts the padding of elements whose data are as they were: a library may copy an element
    /// without its padding.
    void accept_padding() {
        for (std::size_t k = 0; k < blocks_.size(); ++k)
            for (std::int64_t i = 0; i < blocks_[k].elements; ++i) {
                const std::byte* const at = element(k, i);
                const std::byte* const before = expected_.data() + (at - bytes_.data());
                if (is_same(at, before, basic_of(i))) accept(k, i);
            }
    }
    const BasicType& basic_of(std::int64_t element) const { return map_->basic_of(element); }
    /// Returns the distance from the origin to the first byte that is not as expected.
    std::optional<std::ptrdiff_t> first_change() const {
        const auto found = std::ranges::mismatch(bytes_, expected_);
        if (found.in1 == bytes_.end()) return std::nullopt;
        return (bytes_.data() + (found.in1 - bytes_.begin())) - origin_;
    }

  private:
    const TypeMap* map_ = nullptr;
    std::vector<Block> blocks_;
    std::vector<std::ptrdiff_t> starts_;  ///< in extents of the type
    std::vector<std::byte> bytes_, expected_;
    std::byte* origin_ = nullptr;
};

/// One call: its buffers, types and arguments on this rank.
class Attempt {
  public:
    Attempt(const ChosenCall& call, Group& group)
        : call_{call},
          group_{group},
          operation_{call.operation()},
          basic_{basic_types()[call.basic()]},
          op_{operators()[call.op()]} {
        const bool is_plain =
            call.sent_type() == TypeShape::plain && call.received_type() == TypeShape::plain;
        transfer_ = transfer_of(call, group, is_plain ? 1 : elements_in_any_type);
        make_handles();
        lay_out();
        describe();
    }
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;
    ~Attempt() {
        if (own_op_ != MPI_OP_NULL) MPI_Op_free(&own_op_);
    }

    std::optional<Fault> run(std::uint64_t seed) {
        const bool is_persistent = call_.start() == CallStart::persistent;
        if (is_persistent)
            check(initialise_persistent(index(), arguments_, &request_), "the initialisation");
        const int times = call_.repetition() == Repetition::once     ? 1
                          : call_.repetition() == Repetition::thrice ? 3
                                                                     : 12;
        // A rank that has found a fault makes all calls, too: the other ranks wait for it.
        for (int k = 0; k < (is_persistent ? std::max(2, times) : times); ++k) {
            // The second call is equal to the first one where sums round.
            const bool is_equal_call = call_.contents() == Contents::rounding && k == 1;
            const std::uint64_t before = bits_of_result_;
            start(mix_bits(seed, static_cast<std::uint64_t>(is_equal_call ? 0 : k)));
            finish();
            if (is_equal_call && bits_of_result_ != before)
                report(FaultKind::calls_differ, "equal calls give different bits");
        }
        if (is_persistent && request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
        return fault_;
    }

    /// Makes a blocking call, or starts another one.
    void start(std::uint64_t seed) {
        operands = {&sent_map_, &op_};
        fill(seed);
        before_ = arguments_;
        arrive();
        is_started_ = true;
        if (call_.start() == CallStart::large_count)
            check(call_large_count(index(), arguments_), "the call");
        else if (!call_.has_request())
            check(call_blocking(index(), arguments_), "the call");
        else if (call_.start() == CallStart::nonblocking)
            check_start(start_nonblocking(index(), arguments_, &request_), "the start");
        else if (request_ != MPI_REQUEST_NULL)  // else the initialisation has failed
            check_start(MPI_Start(&request_), "MPI_Start");
    }

    /// Completes the call and compares what the call leaves with what the standard demands.
    std::optional<Fault> finish() {
        if (call_.has_request() && is_started_ && request_ != MPI_REQUEST_NULL) complete();
        if (is_left_early())
            report(FaultKind::left_early,
                   fmt::format("leaves the barrier before rank {} arrives", late_rank()));
        if (!fault_) inspect();
        return fault_;
    }

    /// Hash of the bits of the last result of a reduction; 0 for other operations.
    std::uint64_t bits_of_result() const { return bits_of_result_; }

  private:
    std::size_t index() const { return call_[Property::operation]; }
    bool is_sent_in_place() const {
        if (!call_.in_place()) return false;
        return operation_.in_place == InPlace::everywhere ||
               (operation_.in_place == InPlace::sent_by_root && transfer_.is_root);
    }
    bool is_received_in_place() const {
        return call_.in_place() && operation_.in_place == InPlace::received_by_root &&
               transfer_.is_root;
    }

    /// Makes the types and the operator of a user.
    void make_handles() {
        sent_map_ =
            make_type(call_.sent_type(), basic_, group_.rank, most_instances(transfer_.sent));
        received_map_ =
            make_type(operation_.is_reduction() ? call_.sent_type() : call_.received_type(), basic_,
                      group_.rank, most_instances(transfer_.received));
        if (operation_.is_reduction() && op_.is_of_user())
            MPI_Op_create(combine_operands, op_.arithmetic == Arithmetic::user_commutative ? 1 : 0,
                          &own_op_);
    }

    void lay_out() {
        const bool is_unaligned = call_.buffers() == Buffers::unaligned;
        // Displacements belong to the side that has the blocks of all ranks.
        const bool of_sent = operation_.takes("sendcounts"),
                   of_received = operation_.takes("recvcounts") && operation_.takes("recvbuf") &&
                                 !operation_.is_reduction();
        const auto apart = [&](bool applies) {
            return applies ? call_.displacements() : Displacements::contiguous;
        };
        sent_.lay_out(transfer_.sent, sent_map_, apart(of_sent), is_unaligned);
        std::vector<Block> received = transfer_.received;
        // The receive buffer of a reduction in place holds the whole vector.
        if (operation_.is_reduction() && is_sent_in_place())
            received = {{0, 0, transfer_.elements}};
        received_.lay_out(received, received_map_, apart(of_received), is_unaligned);
    }

    SideArguments side(Buffer& buffer, const TypeMap& map) {
        SideArguments made;
        made.buffer = buffer.is_empty() && call_.buffers() == Buffers::null
                          ? nullptr
                          : static_cast<void*>(buffer.origin());
        made.type = map.type;
        made.count = buffer.blocks() == 0 ? 0 : static_cast<int>(buffer.instances(0));
        // One more than needed, so that the address of an empty list is valid.
        const auto length =
            std::max(buffer.blocks(),
                     static_cast<std::size_t>(std::max(group_.size, group_.remote_size))) +
            1;
        made.counts.resize(length);
        made.displacements.resize(length);
        made.displacements_bytes.resize(length);
        made.types.resize(length, map.type);
        for (std::size_t k = 0; k < buffer.blocks(); ++k) {
            made.counts[k] = static_cast<int>(buffer.instances(k));
            const bool in_bytes = operation_.takes("sendtypes");
            made.displacements_bytes[k] = buffer.start(k) * map.extent;
            made.displacements[k] = static_cast<int>(in_bytes ? made.displacements_bytes[k]
                                                              : MPI_Aint{buffer.start(k)});
            if (made.counts[k] == 0 && call_.empty_types() == EmptyTypes::null)
                made.types[k] = MPI_DATATYPE_NULL;
        }
        return made;
    }

    void describe() {
        if (call_.buffers() == Buffers::bottom) {
            absolute_sent_ = made_absolute(sent_map_, sent_.origin());
            absolute_received_ = made_absolute(received_map_, received_.origin());
        }
        const bool is_absolute = call_.buffers() == Buffers::bottom;
        arguments_.sent = side(sent_, is_absolute ? absolute_sent_ : sent_map_);
        arguments_.received = side(received_, is_absolute ? absolute_received_ : received_map_);
        if (is_absolute) arguments_.sent.buffer = arguments_.received.buffer = MPI_BOTTOM;
        arguments_.op = own_op_ != MPI_OP_NULL ? own_op_ : op_.op;
        arguments_.root = transfer_.root;
        arguments_.comm = group_.comm;
        if (operation_.is_reduction()) describe_reduction();
        // MPI_Bcast has one buffer: the root sends from it.
        if (operation_.takes("buffer") && transfer_.is_root) arguments_.received = arguments_.sent;
        if (call_.unused_arguments() == UnusedArguments::null) leave_out_unused_arguments();
        if (is_sent_in_place()) arguments_.sent.buffer = MPI_IN_PLACE;
        if (is_received_in_place()) arguments_.received.buffer = MPI_IN_PLACE;
        arguments_.widen();
    }

    /// Null stands for each argument that the standard calls insignificant or ignored on this rank.
    void leave_out_unused_arguments() {
        if (is_sent_in_place() && !operation_.is_reduction()) arguments_.sent = {};
        if (is_received_in_place()) arguments_.received = {};
        if (transfer_.is_root || !operation_.has_root()) return;
        if (operation_.is_reduction())
            arguments_.received.buffer = nullptr;
        else if (operation_.in_place == InPlace::sent_by_root)
            arguments_.received = {};
        else
            arguments_.sent = {};
    }

    /// All ranks pass the length of the vector, and the counts of all ranks.
    void describe_reduction() {
        const auto in_type = static_cast<std::int64_t>(sent_map_.offsets.size());
        arguments_.sent.count = static_cast<int>(transfer_.elements / in_type);
        if (!operation_.takes("recvcount") && !operation_.takes("recvcounts")) return;
        for (std::size_t k = 0; k < transfer_.scattered.size(); ++k)
            arguments_.received.counts[k] = static_cast<int>(transfer_.scattered[k] / in_type);
        arguments_.received.count =
            arguments_.received.counts[static_cast<std::size_t>(group_.rank)];
    }

    void write(Buffer& buffer, std::size_t block, const Block& contents) {
        const OperatorRow* const op = operation_.is_reduction() ? &op_ : nullptr;
        for (std::int64_t i = 0; i < contents.elements; ++i)
            write_element(buffer.element(block, i), buffer.basic_of(i),
                          {seed_, contents.actor, contents.number, i % period}, call_.contents(),
                          op, actors());
    }

    /// Returns the largest number of ranks that contribute to a reduction; equal on all ranks.
    int actors() const { return std::max(group_.size, group_.remote_size); }

    void fill(std::uint64_t seed) {
        seed_ = seed;
        sent_.fill_with_pattern(seed);
        received_.fill_with_pattern(seed + 1);
        const bool in_place = is_sent_in_place();
        if (operation_.is_reduction()) {
            if (!transfer_.sent.empty())
                write(in_place ? received_ : sent_, 0, transfer_.sent.front());
        } else if (in_place) {
            write_in_place();
        } else {
            for (std::size_t k = 0; k < transfer_.sent.size(); ++k)
                write(sent_, k, transfer_.sent[k]);
        }
        sent_.keep();
        received_.keep();
    }

    /// A rank finds its own block among the blocks of all ranks, or all blocks of MPI_Alltoall.
    void write_in_place() {
        const bool is_alltoall = operation_.collective == "alltoall";
        for (std::size_t k = 0; k < transfer_.sent.size(); ++k)
            write(received_, is_alltoall ? k : static_cast<std::size_t>(group_.rank),
                  transfer_.sent[k]);
    }

    void check(int code, const char* what) {
        if (code == MPI_SUCCESS || fault_) return;
        fault_ = Fault{FaultKind::error_returned,
                       fmt::format("{} returns an error: {}", what, error_text(code))};
    }

    void check_start(int code, const char* what) {
        is_started_ = code == MPI_SUCCESS;
        check(code, what);
    }

    /// Returns the rank of the group that arrives or completes late; -1 if no rank does.
    int late_rank() const {
        if (call_.arrival() == Arrival::together || group_.size == 1) return -1;
        return call_.arrival() == Arrival::last_late ? group_.size - 1 : 0;
    }
    bool is_late() const { return late_rank() == group_.rank; }

    /// Delays the late rank.
    void arrive() {
        if (late_rank() < 0 || call_.arrival() == Arrival::first_completes_late) return;
        const bool is_watched = operation_.arguments.empty() && !group_.is_inter;
        const auto late_by = call_.arrival() == Arrival::first_second_late ? long_lateness
                             : is_watched                                  ? lateness_at_barrier
                                                                           : lateness;
        // The late rank leaves the second barrier after the other ranks have noted the time.
        if (is_watched) dissemination_Barrier(group_.comm);
        arrival_ = std::chrono::steady_clock::now();
        if (is_watched) dissemination_Barrier(group_.comm);
        if (is_late()) std::this_thread::sleep_for(late_by);
        late_by_ = is_watched && !is_late() ? late_by : std::chrono::microseconds{};
    }

    /// Whether this rank has left a barrier before the late rank can have arrived.
    bool is_left_early() const {
        return late_by_.count() > 0 && std::chrono::steady_clock::now() - arrival_ < late_by_;
    }

    void complete() {
        free_early();
        if (is_late() && call_.arrival() == Arrival::first_completes_late)
            std::this_thread::sleep_for(lateness);
        int code = MPI_SUCCESS;
        if (call_.completion() == Completion::test) {
            for (int done = 0; !done && code == MPI_SUCCESS;)
                code = MPI_Test(&request_, &done, MPI_STATUS_IGNORE);
        } else if (call_.completion() == Completion::waitall) {
            std::array<MPI_Request, 2> both{MPI_REQUEST_NULL, request_};
            int number = 0;
            // A receive from any source may be pending on MPI_COMM_SELF.
            const MPI_Comm own = private_communicator(MPI_COMM_SELF);
            MPI_Irecv(&number, 1, MPI_INT, 0, 1, own, both.data());
            const int sent = 1;
            MPI_Send(&sent, 1, MPI_INT, 0, 1, own);
            code = MPI_Waitall(2, both.data(), MPI_STATUSES_IGNORE);
            request_ = both[1];
        } else {
            code = MPI_Wait(&request_, MPI_STATUS_IGNORE);
        }
        check(code, "the completion");
        if (call_.meanwhile() == Meanwhile::freed_handles) {
            make_handles();
            is_stale_ = true;
        }
    }

    /// A call may use what the caller has freed until the call completes.
    void free_early() {
        if (call_.meanwhile() == Meanwhile::freed_handles) {
            for (TypeMap* const map :
                 {&sent_map_, &received_map_, &absolute_sent_, &absolute_received_})
                map->owned = OwnedDatatype{};
            if (own_op_ != MPI_OP_NULL) MPI_Op_free(&own_op_);
        }
        // The communicator of this call alone: see perform().
        if (call_.meanwhile() == Meanwhile::freed_communicator) group_.owned = OwnedComm{};
    }
    void report(FaultKind kind, std::string text) {
        if (!fault_) fault_ = Fault{kind, std::move(text)};
    }

    void inspect() {
        if (is_stale_) {
            describe();
            is_stale_ = false;
        } else if (!arguments_.has_same_arrays_as(before_)) {
            report(FaultKind::arguments_changed,
                   "the call changes an array of counts, displacements or types");
        }
        if (operation_.is_reduction())
            inspect_reduction();
        else
            inspect_blocks();
        if (const auto at = received_.first_change())
            report(FaultKind::outside_buffers,
                   fmt::format("the call changes a byte outside the received blocks, {} bytes from "
                               "the address of the buffer",
                               *at));
        if (sent_.first_change()) sent_.accept_padding();
        if (const auto at = sent_.first_change())
            report(FaultKind::send_buffer_changed,
                   fmt::format("the call changes the send buffer, {} bytes from its address", *at));
    }

    void inspect_blocks() {
        if (is_received_in_place()) return;
        std::array<std::byte, largest_extent> expected{};
        for (std::size_t k = 0; k < transfer_.received.size(); ++k) {
            const Block& block = transfer_.received[k];
            if (block.actor < 0) continue;
            for (std::int64_t i = 0; i < block.elements; ++i) {
                const BasicType& basic = received_.basic_of(i);
                write_element(expected.data(), basic,
                              {seed_, block.actor, block.number, i % period}, call_.contents(),
                              nullptr, 1);
                const std::byte* const got = received_.element(k, i);
                if (!is_same(got, expected.data(), basic))
                    return report(
                        FaultKind::wrong_value,
                        fmt::format("element {} of received block {} is {} instead of {}", i, k,
                                    text_of(got, basic), text_of(expected.data(), basic)));
                received_.accept(k, i);
            }
        }
    }

    struct Reduced {
        std::vector<std::byte> bytes;
        double magnitudes = 0;
    };
    Reduced reduced(std::int64_t element) const {
        const BasicType& basic = received_.basic_of(element);
        Reduced made{std::vector<std::byte>(basic.extent)};
        std::vector<std::byte> left(basic.extent);
        for (std::size_t k = transfer_.combined.size(); k-- > 0;) {
            std::byte* const at =
                k + 1 == transfer_.combined.size() ? made.bytes.data() : left.data();
            write_element(at, basic, {seed_, transfer_.combined[k], 0, element}, call_.contents(),
                          &op_, actors());
            if (call_.contents() == Contents::rounding) made.magnitudes += magnitude(at, basic);
            if (at == left.data()) combine(left.data(), made.bytes.data(), basic, op_);
        }
        return made;
    }

    /// Returns whether all orders of the reduction give the same bits.
    bool has_one_result(const BasicType& basic) const {
        // The signs of zeros in complex products depend on the order.
        const bool is_complex =
            with_cell(basic.cell, []<class T>(T) { return IsComplex<T>::value; });
        return call_.contents() != Contents::rounding &&
               call_.contents() != Contents::not_a_number &&
               (op_.arithmetic != Arithmetic::prod || !is_complex);
    }

    void inspect_reduction() {
        if (transfer_.received.empty()) return;
        const std::int64_t elements = transfer_.received.front().elements;
        std::vector<Reduced> known(static_cast<std::size_t>(std::min(period, transfer_.elements)));
        bits_of_result_ = 0;
        for (std::int64_t i = 0; i < elements; ++i) {
            const std::int64_t of_vector = (transfer_.begin + i) % period;
            Reduced& expected = known[static_cast<std::size_t>(of_vector)];
            if (expected.bytes.empty()) expected = reduced(of_vector);
            const BasicType& basic = received_.basic_of(i);
            const std::byte* const got = received_.element(0, i);
            const bool is_right = has_one_result(basic) ? is_same(got, expected.bytes.data(), basic)
                                                        : is_near(got, expected.bytes.data(), basic,
                                                                  expected.magnitudes, actors());
            if (!is_right)
                return report(
                    FaultKind::wrong_value,
                    fmt::format("element {} of the result is {} instead of {}", i,
                                text_of(got, basic), text_of(expected.bytes.data(), basic)));
            for_each_stretch(basic, [&](std::size_t offset, std::size_t bytes) {
                for (std::size_t b = offset; b < offset + bytes; ++b)
                    bits_of_result_ =
                        mix_bits(bits_of_result_ ^ std::to_integer<std::uint64_t>(got[b]));
            });
            received_.accept(0, i);
        }
        // MPI_Reduce_scatter in place may use the rest of the vector.
        if (is_sent_in_place())
            for (std::int64_t i = elements; i < transfer_.elements; ++i) received_.accept(0, i);
    }

    const ChosenCall call_;
    Group& group_;
    const MpiOperation& operation_;
    const BasicType& basic_;
    const OperatorRow& op_;
    Transfer transfer_;
    TypeMap sent_map_, received_map_, absolute_sent_, absolute_received_;
    MPI_Op own_op_ = MPI_OP_NULL;
    Buffer sent_, received_;
    Arguments arguments_, before_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::uint64_t seed_ = 0, bits_of_result_ = 0;
    bool is_stale_ = false, is_started_ = false;
    std::chrono::steady_clock::time_point arrival_ = {};
    std::chrono::microseconds late_by_{};  ///< lateness of another rank at a watched barrier
    std::optional<Fault> fault_;
};

/// Returns the operation that is pending meanwhile; nullopt if none is.
std::optional<std::string_view> pending_operation(const ChosenCall& call) {
    switch (call.meanwhile()) {
        case Meanwhile::barrier:
            return "MPI_Barrier";
        case Meanwhile::bcast:
            return "MPI_Bcast";
        case Meanwhile::gather:
            return "MPI_Gather";
        case Meanwhile::reduce:
            return "MPI_Reduce";
        case Meanwhile::allreduce:
            return "MPI_Allreduce";
        case Meanwhile::alltoall:
            return "MPI_Alltoall";
        case Meanwhile::same_operation:
        case Meanwhile::same_on_duplicate:
        case Meanwhile::thread:
            return call.operation().name;
        case Meanwhile::nothing:
        case Meanwhile::wildcard:
        case Meanwhile::freed_handles:
        case Meanwhile::freed_communicator:
            break;
    }
    return std::nullopt;
}

/// The operation that is pending on a communicator, or on a duplicate, while a call runs.
class Pending {
  public:
    Pending(const ChosenCall& call, Group& group, std::uint64_t seed)
        : meanwhile_{call.meanwhile()}, group_{group} {
        if (meanwhile_ == Meanwhile::wildcard)
            MPI_Irecv(values_.data(), size, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, group.comm,
                      &request_);
        const auto operation = pending_operation(call);
        if (!operation) return;
        const bool is_apart =
            meanwhile_ == Meanwhile::same_on_duplicate || meanwhile_ == Meanwhile::thread;
        if (is_apart) duplicate_ = duplicate_of(group);
        ChosenCall other;
        other[Property::operation] = static_cast<std::uint8_t>(
            std::ranges::find(mpi_operations, *operation, &MpiOperation::name) -
            mpi_operations.begin());
        other[Property::counts] = call.operation().arguments.empty()
                                      ? other[Property::counts]
                                      : static_cast<std::uint8_t>(Counts::three);
        const bool is_thread = meanwhile_ == Meanwhile::thread;
        const auto start = is_thread ? CallStart::blocking : CallStart::nonblocking;
        other[Property::start] = static_cast<std::uint8_t>(start);
        other[Property::repetition] =
            static_cast<std::uint8_t>(is_thread ? Repetition::twelve : Repetition::once);
        attempt_.emplace(other, is_apart ? duplicate_ : group);
        if (is_thread)
            thread_ = std::thread([this, seed] { of_thread_ = attempt_->run(seed); });
        else
            attempt_->start(seed);
    }
    Pending(const Pending&) = delete;
    Pending& operator=(const Pending&) = delete;

    /// Completes what is pending. Returns what is wrong with the result.
    std::optional<Fault> finish() {
        if (thread_.joinable()) {
            thread_.join();
            return of_thread_;
        }
        if (attempt_) return attempt_->finish();
        if (meanwhile_ != Meanwhile::wildcard) return std::nullopt;
        own_.fill(group_.rank + 1);
        MPI_Send(own_.data(), size, MPI_INT, (group_.rank + 1) % group_.size, 5, group_.comm);
        MPI_Wait(&request_, MPI_STATUS_IGNORE);
        const int expected = (group_.rank + group_.size - 1) % group_.size + 1;
        if (std::ranges::all_of(values_, [&](int each) { return each == expected; }))
            return std::nullopt;
        return Fault{FaultKind::wrong_value,
                     fmt::format("the receive gets {} instead of {}", values_[0], expected)};
    }

  private:
    static constexpr int size = 16;

    Meanwhile meanwhile_;
    const Group& group_;
    Group duplicate_;
    std::optional<Attempt> attempt_;
    std::thread thread_;
    std::optional<Fault> of_thread_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::array<int, size> own_{}, values_{};
};

std::optional<Fault> perform_here(const ChosenCall& call, Group& group, std::uint64_t seed,
                                  std::uint64_t& bits) {
    if (auto wrong = find_wrong_group(group))
        return Fault{FaultKind::wrong_communicator, std::move(*wrong)};
    Attempt attempt(call, group);
    Pending pending(call, group, mix_bits(seed));
    std::optional<Fault> fault = attempt.run(seed);
    if (auto wrong = pending.finish(); wrong && !fault)
        fault = Fault{wrong->kind, "of the pending operation, " + wrong->text};
    bits = attempt.bits_of_result();
    return fault;
}

/// Whether all ranks that take part in one MPI_Allreduce have the same bits.
bool has_same_bits(const ChosenCall& call, const Group& group, std::uint64_t bits) {
    if (call.operation().name != "MPI_Allreduce" || group.is_inter || group.size == 1) return true;
    if (call.communicator() == Communicator::disjoint_groups) return true;
    constexpr std::uint64_t half = 0x3fffffffU;
    const int low = static_cast<int>(bits & half), high = static_cast<int>(bits >> 34);
    // Ranks that take no part must not change the largest values.
    constexpr int least = -0x40000000;
    std::array<int, 4> values{low, -low, high, -high};
    if (!group.has_this_rank) values.fill(least);
    take_largest(std::span<int>(values), audited_ranks());
    return values[0] == -values[1] && values[2] == -values[3];
}

}  // namespace

Group& Groups::get(Communicator communicator) {
    const auto found = made_.find(communicator);
    if (found != made_.end()) return found->second;
    return made_.emplace(communicator, make_group(communicator)).first->second;
}

std::optional<Fault> perform(const ChosenCall& call, Groups& groups, std::uint64_t seed) {
    const bool is_freed = call.meanwhile() == Meanwhile::freed_communicator;
    Group own_group;
    if (is_freed) own_group = make_group(call.communicator());
    Group& group = is_freed ? own_group : groups.get(call.communicator());
    std::optional<Fault> own;
    std::uint64_t bits = 0;
    if (group.has_this_rank) {
        under_test::enter();
        own = perform_here(call, group, seed, bits);
        under_test::leave();
    }
    under_test::finish();
    if (own) own->text = fmt::format("rank {}: {}", messages::rank_in(audited_ranks()), own->text);
    if (auto agreed = of_lowest_rank(own, audited_ranks())) return agreed;
    if (!has_same_bits(call, group, bits))
        return Fault{FaultKind::ranks_differ, "ranks of one MPI_Allreduce have different bits"};
    return std::nullopt;
}

Setting setting_of_launch() {
    Setting setting;
    setting.ranks = messages::size_of(audited_ranks());
    setting.has_persistent = has_persistent();
    setting.has_large_counts = has_large_counts();
    setting.has_sessions = has_session_of_audited_ranks();
    int thread_level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&thread_level);
    setting.has_threads = thread_level == MPI_THREAD_MULTIPLE;
    for (const BasicType& each : basic_types()) {
        int bytes = 0;
        if (each.type != MPI_DATATYPE_NULL) MPI_Type_size(each.type, &bytes);
        setting.has_basic.push_back(bytes > 0);
    }
    return setting;
}

}  // namespace mpiaudit::calls
