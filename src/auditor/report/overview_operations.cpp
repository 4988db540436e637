// SPDX-License-Identifier: BSD-3-Clause
#include "report/overview_operations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "report/console.h"
#include "report/findings.h"
#include "report/pasted_code.h"
#include "report/ranges.h"

namespace mpiaudit {
namespace {

constexpr std::size_t lines_for_names = 2, lines_for_more = 3;
constexpr std::size_t widest_name = 31;  // MPI_Reduce_scatter_block_init and two more

/// What an operation takes of the screen: its line, what to call instead, and the code; where
/// there is less room, the first two in one as far as that fits; where there is little, one line.
struct Block {
    std::string line, remedy, code, both, single;
};

/// A way to do the operation, in as few words as say what it is: the line has little room.
std::string way_in_short(std::string way, const std::string& operation) {
    const record::Scale scale = record::scale_of(way);
    if (scale.repeats > 1 && way == fmt::format("{0} {1}(m/{0})", scale.repeats, operation))
        return fmt::format("in {} parts", scale.repeats);
    constexpr std::string_view whole = "(m)";
    for (std::size_t at = way.find(whole); at != std::string::npos; at = way.find(whole, at))
        way.erase(at, whole.size());
    return way;
}

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
std::string short_remedy_line(const JudgedCheck& check, const std::string& operation,
                              const Terminal& terminal) {
    const std::string text = check.remedy
                                 ? "    call " + way_in_short(check.remedy->contestant, operation)
                                 : "    slower than " + check.right;
    return wrapped(text, terminal.columns, "      ", 1);
}

std::string code_lines(const JudgedCheck& check, const Terminal& terminal) {
    if (!check.remedy || check.remedy->code.empty()) return "";
    const std::string& code = check.remedy->code;
    const bool is_environment = code.find('(') == std::string::npos;
    return is_environment ? folded_command(code, terminal.columns, "      ")
                          : wrapped("      " + code, terminal.columns, "        ");
}

/// The sizes around the worst violation, and how many ranges more there are; empty where there are
/// no ranges.
std::string range_of(const Report& report, const OperationSummary& summary) {
    std::string text;
    std::size_t ranges = 0;
    for (const ViolatedRange& each : report.ranges) {
        if (each.operation != summary.operation) continue;
        ++ranges;
        if (each.problem == summary.worst->problem && text.empty())
            text = sizes_in_words(report, each);
    }
    return text.empty() || ranges < 2 ? text : fmt::format("{} +{}", text, ranges - 1);
}

Block block_of(const Report& report, const OperationSummary& each, std::size_t width,
               const Terminal& terminal) {
    const JudgedCheck& worst = *each.worst;
    const std::string figures = fmt::format(
        "{:>{}} {:>6}  ", fmt::format("{}/{}", each.counts.violated, each.counts.decided()),
        std::max(width, each.operation.size()) - each.operation.size() + 9,
        ratio_text(severity(worst)));
    const auto columns = static_cast<std::size_t>(terminal.columns);
    const std::string name = "! " + each.operation;
    const std::size_t room = columns - std::min(columns, name.size());
    const auto line = [&](const std::string& rest) {
        const std::string text = figures + rest;
        return emphasised(name, terminal) + (text.size() > room ? shortened(text, room) : text) +
               "\n";
    };
    const std::string range = range_of(report, each);
    const std::string place = range.empty() ? place_of(report, worst) : range;
    const std::string short_place = range.empty() ? worst.problem : range;
    const std::string remedy =
        worst.remedy ? ": " + way_in_short(worst.remedy->contestant, each.operation) : "";
    const bool fits = figures.size() + place.size() + remedy.size() <= room;
    Block block{.line = line(place),
                .remedy = remedy_line(worst, terminal),
                .code = code_lines(worst, terminal),
                .both = line(place + remedy),
                // What to call tells more than the size in bytes.
                .single = line((fits ? place : short_place) + remedy)};
    if (!fits) block.both = block.line + short_remedy_line(worst, each.operation, terminal);
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
        texts.push_back(
            fmt::format("{} {}/{} up to {}{}", each->operation, counts.violated, counts.decided(),
                        ratio_text(severity(*each->worst)),
                        remedy ? ": " + way_in_short(remedy->contestant, each->operation) : ""));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

/// A line for each operation, more for the first ones as far as there is room, and for all where
/// there is for all; what does not fit is named in lines of its own.
std::string fitted(const std::vector<const OperationSummary*>& violated,
                   const std::vector<Block>& blocks, const Terminal& terminal, std::size_t room) {
    std::size_t shown = blocks.size(), lines = 0;
    if (shown > room) shown = std::max<std::size_t>(1, room - std::min(room, lines_for_more));
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < shown; ++i) {
        texts.push_back(blocks[i].single);
        lines += number_of_lines(texts.back());
    }
    const std::vector<const OperationSummary*> left(
        violated.begin() + static_cast<std::ptrdiff_t>(shown), violated.end());
    if (!left.empty()) lines += lines_for_more;
    const auto say_more = [&](std::size_t i, const std::string& text) {
        const std::size_t more = number_of_lines(text) - number_of_lines(texts[i]);
        if (lines + more > room) return;
        texts[i] = text;
        lines += more;
    };
    std::size_t lines_of_all = 0;
    for (const Block& block : blocks) lines_of_all += 1 + number_of_lines(block.remedy);
    for (std::size_t i = 0; i < shown; ++i)
        say_more(i, lines_of_all <= room ? blocks[i].line + blocks[i].remedy : blocks[i].both);
    for (std::size_t i = 0; i < shown; ++i) {
        if (texts[i] != blocks[i].single) say_more(i, texts[i] + blocks[i].code);
    }
    std::string text = fmt::format("{}", fmt::join(texts, ""));
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

std::size_t lines_of_operations(const Report& report) {
    const std::vector<OperationSummary> all = summaries_of_operations(report);
    const auto violated = static_cast<std::size_t>(std::ranges::count_if(
        all, [](const OperationSummary& each) { return each.worst != nullptr; }));
    return (violated > 0 ? 1 + violated : 0) + (violated < all.size() ? lines_for_names : 0);
}

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
    return fmt::format("  {:<{}} {:>8} {:>6}  {}\n", "Operation", width, "violated", "worst",
                       "on: what to call") +
           fitted(violated, blocks, terminal, room - std::min(room, taken)) + rest;
}

}  // namespace mpiaudit
