// SPDX-License-Identifier: BSD-3-Clause
// Chooses the ways that have code to paste.
#include "code/paste.h"

#include <algorithm>
#include <optional>

#include "code/pasted_steps.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// Returns nothing if there is no code for a step.
std::optional<PastedSteps> steps_of(const record::ContestantDescription& way,
                                    const std::vector<record::Implementation>& implementations) {
    PastedSteps steps;
    bool is_seen = false;
    for (const record::Step& each : way.steps) {
        if (is_agreement(each)) {
            if (!steps.moves.empty()) return std::nullopt;
            steps.is_padded = true;
            continue;
        }
        if (each.is_view()) {
            is_seen = true;
            continue;
        }
        auto step = pasted_step(each, implementations);
        // Data that are only seen end a way; behind views other calls begin.
        if (!step || is_seen || each.is_padded() != steps.is_padded) return std::nullopt;
        // Zeros behind a reduction need an operator for which they are neutral.
        if (step->kind == PastedStep::Kind::zero_fill && !steps.moves.empty()) return std::nullopt;
        steps.moves.push_back(std::move(*step));
    }
    if (steps.moves.empty()) return std::nullopt;
    return steps;
}

/// Returns whether the test of all codes compares such ways: one call in any form, or one or two
/// blocking operations of the library behind moves within the ranks.
bool is_compared(const PastedSteps& steps, const Scale& scale) {
    const auto is_call = [](const PastedStep& each) {
        return each.kind != PastedStep::Kind::zero_fill;
    };
    const bool is_alone =
        steps.moves.size() == 1 && is_call(steps.moves.front()) && !steps.is_padded;
    // In place, the block of the root may stay where the replaced call has it.
    const PastedStep& first = steps.moves.front();
    if (first.form.is_in_place && (is_alone || !first.is_in_place(InPlace::received_by_root)))
        return false;
    // The blocks of slots are equal: calls with lists of blocks gain nothing from them.
    if (steps.is_padded && std::ranges::any_of(steps.moves, [](const PastedStep& each) {
            return each.operation != nullptr && each.operation->is_irregular();
        }))
        return false;
    if (is_alone) return scale.is_plain() || is_among(parts_with_code, scale.repeats);
    return scale.is_plain() && std::ranges::count_if(steps.moves, is_call) <= 2 &&
           std::ranges::all_of(steps.moves, [](const PastedStep& each) {
               return each.form.start == Start::blocking && each.form.variant.empty() &&
                      each.form.parts == 1;
           });
}

/// Returns the variables that force an algorithm.
std::string settings_of(const record::ContestantDescription& way,
                        const std::vector<record::Implementation>& implementations) {
    for (const Form& form : way.forms()) {
        const auto* const known =
            find_in(implementations, form.name(), &record::Implementation::name);
        if (known != nullptr && !form.variant.empty() && known->written_as != form.function())
            return known->written_as;
    }
    return "";
}

/// Returns whether there is code in the place of calls of this form.
bool has_code(const Form& replaced) {
    const MpiOperation* const operation = replaced.mpi_operation();
    return operation != nullptr && !operation->is_among_neighbours() && replaced.is_of_mpi() &&
           !replaced.is_in_place && !replaced.has_large_counts && replaced.variant.empty() &&
           replaced.parts == 1;
}

}  // namespace

PastedCode code_to_paste(const record::ContestantDescription& way, const Way& replaced,
                         const std::vector<record::Implementation>& implementations) {
    if (way.forced) return {settings_of(way, implementations), {}};
    const Form* const form = replaced.only();
    if (form == nullptr || !has_code(*form)) return {};
    const MpiOperation* const operation = form->mpi_operation();
    const Scale& scale = way.name.way().scale;
    if (!scale.is_whole() || scale.is_next) return {};
    if (way.from != name(operation->from) || way.to != name(operation->to)) return {};
    // Each block of this operation may have a type of its own.
    const bool has_types = operation->takes("sendtypes");
    if (has_types && (way.steps.size() != 1 || way.steps.front().form.mpi_operation() != operation))
        return {};
    auto steps = steps_of(way, implementations);
    if (!steps || !is_compared(*steps, scale)) return {};
    steps->moves.front().parts = scale.repeats;
    return code_of_steps(*steps, *operation);
}

}  // namespace mpiaudit
