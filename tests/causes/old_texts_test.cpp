// SPDX-License-Identifier: BSD-3-Clause
#include "causes/old_texts.h"

#include <gmock/gmock.h>

#include <set>

namespace mpiaudit {
namespace {

TEST(FaultNames, AreOneForEachKind) {
    std::set<std::string_view> names;
    for (const auto& [kind, name] : fault_names.entries) {
        names.insert(name);
        EXPECT_EQ(fault_names.find(fault_names[kind]), kind);
    }
    EXPECT_EQ(names.size(), fault_names.entries.size());
    EXPECT_EQ(fault_names.find("unknown"), std::nullopt);
}

/// The texts that versions before 2.3 of samples and reports could have, by their kinds.
TEST(OldTexts, HaveTheKindsOfTheirFaults) {
    const std::vector<std::pair<FaultKind, std::vector<const char*>>> texts = {
        {FaultKind::hangs,
         {"hangs: after 60 s in the call: rank 0, 1; not arrived: rank 2; has left: rank 3",
          "hangs: after 5 s; has left: rank 0",
          "MPI_Allgatherv[sent as one type] is known to hang where ranks send different types in "
          "Open MPI v4.1.4; not tested here"}},
        {FaultKind::crashes,
         {"crashes: SIGSEGV on rank 1", "crashes: SIGABRT on rank 0 after it",
          "crashes: exit on rank 0",
          "MPI_Reduce[in place] is known to crash where the root is not rank 0 in MPICH 4.0.2; not "
          "tested here"}},
        {FaultKind::not_tried, {"known to end the program; not tested here"}},
        {FaultKind::wrong_value,
         {"rank 2, rooted: element 0 of block 3 is 5, not 7",
          "rank 0, replicated: element 1 of block 0 is 255, not 4 (in call 2 of 12)",
          "rank 0: MPI_Allreduce(1) agrees on -8, not 7",
          "rank 0: element 3 of received block 1 is 4 instead of 5",
          "rank 1: element 0 of the result is 2 instead of 3",
          "rank 1: of the pending operation, element 0 of the result is 2 instead of 3; only after "
          "earlier calls: --order-seed 5 repeats the search",
          "rank 0: the receive gets 1 instead of 2"}},
        {FaultKind::outside_buffers,
         {"rank 0: wrote behind the end of a buffer", "rank 1: read before the start of a buffer",
          "rank 0: read or wrote behind the end of a buffer (in call 3 of 12)",
          "rank 1: the call changes a byte outside the received blocks, 12 bytes from the address "
          "of the buffer"}},
        {FaultKind::send_buffer_changed,
         {"rank 1, scattered: element 2 of block 0 is 1, not 0 (the send buffer was changed)",
          "rank 0: the call changes the send buffer, 4 bytes from its address"}},
        {FaultKind::arguments_changed,
         {"rank 0: changed the counts or displacements of the call",
          "rank 0: the call changes an array of counts, displacements or types"}},
        {FaultKind::ranks_differ,
         {"ranks get different sums: element 0 of block 0 is 1 on rank 1, 2 on rank 0",
          "ranks of one MPI_Allreduce have different bits"}},
        {FaultKind::error_returned,
         {"rank 0: returned the error MPI_ERR_ARG: invalid argument", "returned an error",
          "rank 1: the completion returns an error: MPI_ERR_OTHER: known error not in list"}},
        {FaultKind::wrong_communicator,
         {"rank 0: is rank 1 of 2 in the new communicator, not 0 of 2",
          "rank 1: the library makes no communicator",
          "rank 1: the communicator has 3 ranks instead of 2",
          "rank 0: the rank in the communicator is 1 instead of 0",
          "rank 0: the remote group has 1 ranks instead of 2"}},
        {FaultKind::left_early,
         {"rank 1: rank 0 left before this rank had entered",
          "rank 2: leaves the barrier before rank 1 arrives"}}};
    for (const auto& [kind, of_kind] : texts)
        for (const char* text : of_kind) EXPECT_EQ(fault_of_old_text(text), (Fault{kind, text}));
    // Nobody could write an audit's remark on equal calls that differ.
    EXPECT_EQ(texts.size() + 1, fault_names.entries.size());
}

TEST(ReasonNames, AreOneForEachKind) {
    std::set<std::string_view> names;
    for (const auto& [kind, name] : reason_names.entries) {
        names.insert(name);
        EXPECT_EQ(reason_names.find(reason_names[kind]), kind);
    }
    EXPECT_EQ(names.size(), reason_names.entries.size());
}

/// The texts that versions before 2.3 could write as the reason of a contestant.
TEST(OldTexts, HaveTheKindsOfTheirReasons) {
    const std::vector<std::pair<Reason, const char*>> texts = {
        {{ReasonKind::no_time}, "no time was left to measure it (--budget)"},
        {{ReasonKind::slower_reference, "", {3, 12, 540}},
         "only as many algorithms as the budget allows are measured, the 3 that are predicted to "
         "be "
         "the fastest; --budget 9m measures all 12"},
        {{ReasonKind::slower_reference, "", {1, 4, 59}},
         "only as many algorithms as the budget allows are measured, the 1 that is predicted to be "
         "the fastest; --budget 59s measures all 4"},
        {{ReasonKind::refused, "no such algorithm"},
         "refused by the MPI library: no such algorithm"},
        {{ReasonKind::fails_in_simulation, "deadlock"}, "wrong on this library: deadlock"},
        {too_slow_to_simulate("takes more than 3 core seconds on an earlier problem"),
         "too slow to simulate: takes more than 3 core seconds on an earlier problem (--hang-after "
         "gives more time)"},
        {{ReasonKind::known_to_fail,
          "A is known to crash where the root is not rank 0 in X; not "
          "tested here"},
         "A is known to crash where the root is not rank 0 in X; not tested here"},
        {{ReasonKind::too_much_memory, "needs 20.0 MiB per rank, 8.0 MiB allowed (--memory)"},
         "needs 20.0 MiB per rank, 8.0 MiB allowed (--memory)"},
        {{ReasonKind::does_not_fit, "MPI_Gather needs equal blocks"},
         "MPI_Gather needs equal blocks"},
        {{ReasonKind::does_not_fit, "only as many algorithms as there are"},
         "only as many algorithms as there are"},
        {{ReasonKind::does_not_fit, ""}, ""}};
    for (const auto& [reason, text] : texts) {
        EXPECT_EQ(reason_of_old_text(text), reason) << text;
        EXPECT_EQ(in_words(reason), text);
        EXPECT_EQ(reason_of_text(reason.kind, text, reason.numbers), reason);
    }
    // A damaged file has no numbers.
    EXPECT_EQ(in_words(reason_of_text(ReasonKind::slower_reference, "x", {})), "x");
    EXPECT_EQ(in_words(reason_of_text(ReasonKind::too_close, "x", {})), "x");
}

}  // namespace
}  // namespace mpiaudit
