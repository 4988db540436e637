// SPDX-License-Identifier: BSD-3-Clause
#include "report/overview_operations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "report/console_text.h"
#include "report/findings.h"

namespace mpiaudit {
namespace {

constexpr std::size_t lines_for_names = 2, lines_for_more = 3;
constexpr std::size_t widest_name = 31;  // MPI_Reduce_scatter_block_init and two more

/// What an operation takes of the screen: its line, what to call instead, and the code; where
/// there is little room, the first two in one as far as that fits.
struct Block {
    std::string line, remedy, code, both;
};

std::string remedy_line(const JudgedCheck& check, const Terminal& terminal) {
    const std::string text =
        check.remedy
            ? fmt::format("    {} is {} times as fast and saves {} us per call",
                          check.remedy->contestant, ratio_text(check.remedy->factor),
                          microseconds(check.remedy->saved_s))
            : fmt::format("    slower than {}; which way is the fastest is not clear", check.right);
    return wrapped(text, terminal.columns, "      ", lines_for_names);
}

/// Where there is little room; its factor stands in the line above.
std::string short_remedy_line(const JudgedCheck& check, const Terminal& terminal) {
    const std::string text =
        check.remedy ? "    call " + check.remedy->contestant : "    slower than " + check.right;
    return wrapped(text, terminal.columns, "      ", 1);
}

std::string code_lines(const JudgedCheck& check, const Terminal& terminal) {
    if (!check.remedy || check.remedy->code.empty()) return "";
    const std::string& code = check.remedy->code;
    const bool is_environment = code.find('(') == std::string::npos;
    return is_environment ? folded_command(code, terminal.columns, "      ")
                          : wrapped("      " + code, terminal.columns, "        ");
}

Block block_of(const Report& report, const OperationSummary& each, std::size_t width,
               const Terminal& terminal) {
    const JudgedCheck& worst = *each.worst;
    std::string rest = fmt::format(
        "{:>{}} {:>6}  {}", fmt::format("{}/{}", each.counts.violated, each.counts.decided()),
        std::max(width, each.operation.size()) - each.operation.size() + 17,
        ratio_text(severity(worst)), place_of(report, worst));
    const auto columns = static_cast<std::size_t>(terminal.columns);
    const std::string name = "! " + each.operation;
    rest.resize(std::min(rest.size(), columns - std::min(columns, name.size())));
    Block block{.line = emphasised(name, terminal) + rest + "\n",
                .remedy = remedy_line(worst, terminal),
                .code = code_lines(worst, terminal),
                .both = {}};
    const std::string remedy = worst.remedy ? ": " + worst.remedy->contestant : "";
    block.both = name.size() + rest.size() + remedy.size() <= columns
                     ? emphasised(name, terminal) + rest + remedy + "\n"
                     : block.line + short_remedy_line(worst, terminal);
    return block;
}

std::string names_with_counts(const std::vector<const OperationSummary*>& operations) {
    std::vector<std::string> texts;
    for (const OperationSummary* each : operations) {
        const VerdictCounts& counts = each->counts;
        if (each->worst == nullptr) {
            texts.push_back(fmt::format("{} 0/{}", each->operation, counts.decided()));
            continue;
        }
        const std::optional<Remedy>& remedy = each->worst->remedy;
        texts.push_back(fmt::format("{} {}/{} up to {}{}", each->operation, counts.violated,
                                    counts.decided(), ratio_text(severity(*each->worst)),
                                    remedy ? ": " + remedy->contestant : ""));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

/// As many blocks as fit; what does not fit is named in lines of its own. Room that is left is for
/// code.
std::string fitted(const std::vector<const OperationSummary*>& violated,
                   const std::vector<Block>& blocks, const Terminal& terminal, std::size_t room) {
    std::size_t lines = 0;
    for (const Block& block : blocks) lines += 1 + number_of_lines(block.remedy);
    const bool is_roomy = lines <= room;
    std::vector<std::string> texts;
    lines = 0;
    for (const Block& block : blocks) {
        texts.push_back(is_roomy ? block.line + block.remedy : block.both);
        const bool is_last = texts.size() == blocks.size();
        lines += number_of_lines(texts.back());
        if (texts.size() == 1 || lines + (is_last ? 0 : lines_for_more) <= room) continue;
        lines -= number_of_lines(texts.back());
        texts.pop_back();
        break;
    }
    const std::vector<const OperationSummary*> left(
        violated.begin() + static_cast<std::ptrdiff_t>(texts.size()), violated.end());
    if (!left.empty()) lines += lines_for_more;
    std::string text;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        text += texts[i];
        const std::size_t more = number_of_lines(blocks[i].code);
        if (lines + more > room) continue;
        text += blocks[i].code;
        lines += more;
    }
    if (left.empty()) return text;
    return text +
           wrapped("! and " + names_with_counts(left), terminal.columns, "  ", lines_for_more);
}

/// \param room lines that nothing else needs
std::string without_violation(const std::vector<const OperationSummary*>& operations,
                              const Terminal& terminal, std::size_t room) {
    std::vector<const OperationSummary*> decided;
    std::vector<std::string> undecided;
    for (const OperationSummary* each : operations) {
        if (each->counts.decided() > 0)
            decided.push_back(each);
        else
            undecided.push_back(each->operation);
    }
    std::string text;
    if (!undecided.empty())
        text = wrapped(fmt::format("No answer about {}", fmt::join(undecided, ", ")),
                       terminal.columns, "  ", lines_for_names);
    if (decided.empty()) return text;
    room -= std::min(room, number_of_lines(text));
    return wrapped("No violation: " + names_with_counts(decided), terminal.columns, "  ",
                   std::max(room, lines_for_names)) +
           text;
}

}  // namespace

std::string overview_of_operations(const Report& report, const Terminal& terminal,
                                   std::size_t room) {
    const std::vector<OperationSummary> all = summaries_of_operations(report);
    std::vector<const OperationSummary*> violated, others;
    std::size_t width = std::string_view("Operation").size();
    for (const OperationSummary& each : all) {
        (each.worst != nullptr ? violated : others).push_back(&each);
        if (each.worst != nullptr) width = std::max(width, each.operation.size());
    }
    width = std::min(width, widest_name);
    if (violated.empty()) return without_violation(others, terminal, room);
    std::vector<Block> blocks;
    std::size_t needed = 1;
    for (const OperationSummary* each : violated) {
        blocks.push_back(block_of(report, *each, width, terminal));
        needed += 1 + number_of_lines(blocks.back().remedy);
    }
    const std::string rest = without_violation(others, terminal, room - std::min(room, needed));
    const std::size_t taken = 1 + number_of_lines(rest);
    return fmt::format("  {:<{}} {:>16} {:>6}  {}\n", "Operation", width, "violated/decided",
                       "worst", "on: what to call") +
           fitted(violated, blocks, terminal, room - std::min(room, taken)) + rest;
}

}  // namespace mpiaudit
