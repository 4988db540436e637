// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "code/step_names.h"
#include "operations/form.h"
#include "record/audit_record.h"

namespace mpiaudit {

/// A layout by its name in the record, taken apart.
struct LayoutName {
    explicit LayoutName(std::string_view name);
    std::string holding;
    bool is_packed = false, is_padded = false;
};

/// Returns whether all ranks learn the size of the largest block.
bool is_agreement(const record::Step& step);

/// A step of a way that moves data, as calls of MPI.
struct PastedStep {
    enum class Kind {
        call,       ///< an operation between its own layouts
        other_use,  ///< an operation between other layouts, or several calls
        zero_fill,  ///< zeros around the data of a rank
    };
    Kind kind{};
    Form form;
    const MpiOperation* operation = nullptr;  ///< null for moves within a rank
    std::string function = {};                ///< with the name that the library has for it
    std::string from = {}, to = {};           ///< layouts without padding
    int parts = 1;                            ///< of the data, one after the other
    bool is_extension = false;                ///< the standard has another name for the function

    /// True if all blocks of the calls have the same size.
    bool has_equal_blocks() const;
    /// True if the result lies where the input was.
    bool has_one_buffer() const;
    bool is_in_place(InPlace where) const {
        return form.is_in_place && operation->in_place == where;
    }
};

/// Returns nothing for a step that has no code.
std::optional<PastedStep> pasted_step(const record::Step& step,
                                      const std::vector<record::Implementation>& implementations);

/// Returns the C of a step; nothing if there is none. Adds definitions and needs to `names`.
std::optional<Block> code_of(const PastedStep& step, const StepEnds& ends, StepNames& names);

/// What the arguments of a call are.
struct Arguments {
    Expression sent, received;  ///< addresses
    Expression number = 0;      ///< elements of the own block, or of the vector
    Lists lists = {0, 0, 0, 0};
};
/// Returns the arguments in the order of the operation.
std::vector<Expression> in_order(const MpiOperation& operation, const Arguments& given);

// Operations between other layouts than their own, and operations composed of others.

bool has_code_of_use(const PastedStep& step);
Block code_of_use(const PastedStep& step, const StepEnds& ends, StepNames& names);

Expression is_root();
Expression root_or(const Expression& there, const Expression& elsewhere);
/// Returns a loop over the ranks k.
Block for_each_rank(Block code);

}  // namespace mpiaudit
