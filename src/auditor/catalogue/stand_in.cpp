// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/stand_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "catalogue/catalogue.h"
#include "simulation/simulation.h"

namespace mpiaudit {
namespace {

/// With the way in which its arrow finds it again.
struct Joined {
    explicit Joined(const StandIn& given) : stand_in{given} { variant.stand_in = &stand_in; }
    StandIn stand_in;
    Variant variant = {};
};

Count block_bytes(const Problem& problem, Layout layout, std::size_t rank) {
    const Count elements = layout.padded ? problem.largest() : problem.counts[rank];
    return elements * static_cast<Count>(problem.element->data_bytes());
}

/// What the messages of all others cost the root; nobody sends an empty block.
double cost_of_messages_s(const Problem& problem, Layout layout, Formula& message_us) {
    double sum_us = 0.0;
    for (std::size_t rank = 0; rank < problem.counts.size(); ++rank) {
        const Count bytes = block_bytes(problem, layout, rank);
        if (static_cast<int>(rank) == problem.root || bytes == 0) continue;
        message_us.set(message_bytes, static_cast<double>(bytes));
        sum_us += message_us.evaluate({.i = static_cast<double>(rank),
                                       .p = static_cast<double>(problem.ranks()),
                                       .b = static_cast<double>(problem.block_size),
                                       .root = static_cast<double>(problem.root)});
    }
    return std::max(0.0, sum_us) * 1e-6;
}

Step prepare_in_place(const Instance& instance, const Place& from, Layout to) {
    const Problem& problem = instance.problem();
    const StandIn::Choice& choice = instance.called_as->stand_in->choice(
        problem.largest() * static_cast<Count>(problem.element->data_bytes()));
    const Instance as_usual{instance.workspace, instance.comm, instance.network, nullptr,
                            instance.destination};
    Step step = choice.algorithm->prepare(as_usual, from, to);
    if (choice.message_us == nullptr || !instance.is_root()) return step;
    step.call = [call = std::move(step.call),
                 cost_s = cost_of_messages_s(problem, to, *choice.message_us)] {
        call();
        simulation::pass_time(cost_s);
    };
    return step;
}

}  // namespace

std::string StandIn::summary() const {
    std::string text = fmt::format("in the place of the library's {}:", operation);
    for (const Choice& each : choices) {
        text += fmt::format(" {}", each.algorithm->name);
        if (each.to_bytes) text += fmt::format(" for blocks of up to {} bytes", *each.to_bytes);
        if (each.message_us) text += ", with a cost of each message at the root";
        text += fmt::format(" ({});", each.reason);
    }
    text.back() = '.';
    return text;
}

const StandIn::Choice& StandIn::choice(Count largest_bytes) const {
    return *std::ranges::find_if(choices, [&](const Choice& each) {
        return !each.to_bytes || largest_bytes <= *each.to_bytes;
    });
}

void join_stand_in(const StandIn& stand_in) {
    static std::deque<Joined> joined;
    if (!find_arrows(stand_in.name(), Argument::whole).empty()) return;
    const Joined& kept = joined.emplace_back(stand_in);
    // Between the same layouts, and with the same needs, as the algorithms.
    Arrow arrow = *stand_in.choices.front().algorithm;
    arrow.name = stand_in.name();
    arrow.summary = stand_in.summary();
    arrow.prepare = prepare_in_place;
    for (const StandIn::Choice& each : stand_in.choices) arrow.needs |= each.algorithm->needs;
    arrow.called_as = &kept.variant;
    join_catalogue({arrow});
}

}  // namespace mpiaudit
