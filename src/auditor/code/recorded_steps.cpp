// SPDX-License-Identifier: BSD-3-Clause
#include "code/recorded_steps.h"

#include <algorithm>

#include "messages/owned.h"

namespace mpiaudit {
namespace {

using What = RecordedStep::What;

std::int64_t bytes_of(const std::vector<Run>& runs, std::int64_t data_bytes) {
    std::int64_t bytes = 0;
    for (const Run& each : runs) bytes += each.count * (each.are_elements ? data_bytes : 1);
    return bytes;
}

/// Returns the steps with the places of messages counted anew, since some are no longer started.
std::vector<RecordedStep> renumbered(std::vector<RecordedStep> steps) {
    std::vector<int> places;  // new place of each message
    int next = 0;
    for (const RecordedStep& each : steps) {
        const bool is_started = each.what == What::start_send || each.what == What::start_receive;
        if (is_started) places.push_back(next++);
        if (each.what == What::send || each.what == What::receive) places.push_back(-1);
        if (each.what == What::exchange) places.insert(places.end(), 2, -1);
    }
    for (RecordedStep& each : steps)
        if (each.what == What::wait) each.first = places[static_cast<std::size_t>(each.first)];
    return steps;
}

}  // namespace

Run RecordedSteps::bytes_at(const void* address, std::size_t bytes) const {
    return {reinterpret_cast<std::uintptr_t>(address), static_cast<std::int64_t>(bytes), false};
}

void RecordedSteps::begin(int rank) {
    rank_ = rank;
    own().clear();
    started_.clear();
    messages_ = 0;
}

void RecordedSteps::allocate(const void* address, std::size_t bytes) {
    own().push_back({.what = What::allocate, .data = {bytes_at(address, bytes)}});
}

void RecordedSteps::start(bool is_send, int number, const Data& data, int partner, int channel) {
    started_[number] = {messages_++};
    own().push_back({.what = is_send ? What::start_send : What::start_receive,
                     .data = runs_of(data, element_),
                     .partner = partner,
                     .channel = channel});
}

void RecordedSteps::wait(std::span<const int> numbers) {
    std::vector<int> places;
    for (const int number : numbers) {
        if (!started_.contains(number) || started_.at(number).is_done) continue;
        Started& started = started_.at(number);
        started.is_done = true;
        places.push_back(started.place);
    }
    std::ranges::sort(places);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (i > 0 && places[i] == places[i - 1] + 1)
            ++own().back().count;
        else
            own().push_back({.what = What::wait, .first = places[i], .count = 1});
    }
}

void RecordedSteps::reduce(const void* left, const Data& right) {
    RecordedStep step{.what = What::reduce,
                      .data = runs_of({left, right.count, right.type}, element_),
                      .other = runs_of(right, element_)};
    // Reductions of other data only decide how the algorithm goes on, which is recorded.
    const bool are_elements = !step.data.empty() && step.data.front().are_elements;
    if (are_elements) own().push_back(std::move(step));
}

void RecordedSteps::pack(const Data& from, const void* packed) {
    std::vector<Run> runs = runs_of(from, element_);
    const auto bytes = static_cast<std::size_t>(
        bytes_of(runs, static_cast<std::int64_t>(type_bytes(element_.type))));
    if (!runs.empty())
        own().push_back(
            {.what = What::pack, .data = std::move(runs), .other = {bytes_at(packed, bytes)}});
}

void RecordedSteps::unpack(const void* packed, const Data& to) {
    std::vector<Run> runs = runs_of(to, element_);
    const auto bytes = static_cast<std::size_t>(
        bytes_of(runs, static_cast<std::int64_t>(type_bytes(element_.type))));
    if (!runs.empty())
        own().push_back(
            {.what = What::unpack, .data = {bytes_at(packed, bytes)}, .other = std::move(runs)});
}

void RecordedSteps::copy(const void* to, const void* from, std::size_t bytes) {
    if (bytes > 0)
        own().push_back(
            {.what = What::copy, .data = {bytes_at(from, bytes)}, .other = {bytes_at(to, bytes)}});
}

std::vector<RecordedStep> RecordedSteps::steps_of(int rank) const {
    const std::vector<RecordedStep>& given = steps_[static_cast<std::size_t>(rank)];
    std::vector<RecordedStep> steps;
    int messages = 0;  // started so far
    for (const RecordedStep& each : given) {
        const bool is_started = each.what == What::start_send || each.what == What::start_receive;
        messages += is_started ? 1 : 0;
        const bool waits_for_last = each.what == What::wait && each.first + each.count == messages;
        if (waits_for_last && each.count == 1 && !steps.empty() &&
            (steps.back().what == What::start_send || steps.back().what == What::start_receive)) {
            steps.back().what = steps.back().what == What::start_send ? What::send : What::receive;
            continue;
        }
        if (waits_for_last && each.count == 2 && steps.size() > 1 &&
            steps.back().what == What::start_send &&
            steps[steps.size() - 2].what == What::start_receive) {
            const RecordedStep received = steps[steps.size() - 2];
            RecordedStep exchange = steps.back();
            exchange.what = What::exchange;
            exchange.other = received.data;
            exchange.other_partner = received.partner;
            exchange.other_channel = received.channel;
            steps.pop_back();
            steps.back() = std::move(exchange);
            continue;
        }
        steps.push_back(each);
    }
    return renumbered(std::move(steps));
}

}  // namespace mpiaudit
