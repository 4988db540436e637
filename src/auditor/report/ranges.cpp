// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "judge/ranges.h"
#include "operations/operations.h"
#include "report/console.h"
#include "report/findings.h"

namespace mpiaudit {
namespace {

/// An operation on one problem: its worst violation, where it has any.
struct Found {
    const record::ProblemDescription* problem;
    const JudgedCheck* worst = nullptr;
    bool holds = false;
};

/// By kind of blocks and operation, then by size.
using Kind = std::pair<std::string, std::string>;
std::map<Kind, std::map<std::int64_t, Found>> found_in(const Report& report) {
    std::map<std::string_view, const record::ProblemDescription*> problems;
    for (const ReportedProblem& each : report.problems)
        problems.emplace(each.problem.id, &each.problem);
    std::map<Kind, std::map<std::int64_t, Found>> all;
    for (const JudgedCheck& check : report.checks) {
        if (check.kind == CheckKind::remark) continue;
        if (!check.is_violation() && check.verdict != judge::Verdict::holds) continue;
        const record::ProblemDescription* problem = problems.at(check.problem);
        const Kind kind{problem->distribution, operation_on_left(check.left)};
        Found& found = all[kind].try_emplace(problem->block_size, Found{problem}).first->second;
        if (!check.is_violation())
            found.holds = true;
        else if (found.worst == nullptr || severity(check) > severity(*found.worst))
            found.worst = &check;
    }
    return all;
}

void add_ranges(const std::string& operation, const std::map<std::int64_t, Found>& sizes,
                std::vector<ViolatedRange>& all) {
    std::vector<const Found*> found;
    std::vector<judge::AtSize> at;
    for (const auto& [block_size, each] : sizes) {
        found.push_back(&each);
        at.push_back({static_cast<double>(block_size), each.worst != nullptr,
                      each.worst != nullptr ? severity(*each.worst) : 1.0});
    }
    for (const judge::Range& range : judge::violated_ranges(at)) {
        ViolatedRange& made = all.emplace_back();
        made.operation = operation;
        made.distribution = found[range.first]->problem->distribution;
        made.first = found[range.first]->problem->id;
        made.last = found[range.last]->problem->id;
        if (range.first > 0) made.below = found[range.first - 1]->problem->id;
        if (range.last + 1 < found.size()) made.above = found[range.last + 1]->problem->id;
        made.sizes = range.last - range.first + 1;
        const JudgedCheck& worst = *found[range.worst]->worst;
        made.guideline = worst.guideline;
        made.problem = worst.problem;
        made.factor = severity(worst);
        made.instead = worst.remedy ? worst.remedy->contestant : worst.right;
        for (std::size_t i = range.first; i <= range.last; ++i) {
            const JudgedCheck& check = *found[i]->worst;
            if (check.remedy) made.saved_s = std::max(made.saved_s, check.remedy->saved_s);
        }
    }
}

/// Of all blocks together, as on the axis of a page.
std::int64_t bytes_of(const Report& report, const std::string& id) {
    const record::ProblemDescription& problem = find_problem(report, id)->problem;
    return problem.element_bytes * problem.total;
}

// Sizes of a distribution are a hundred apart, those of all together less.
constexpr std::int64_t near = 16;

/// Ranges of several kinds of blocks that overlap or are near each other.
struct Span {
    std::int64_t low, high;
    bool is_lowest, is_highest;  ///< nothing smaller, or larger, was measured
    double factor;
    std::set<std::string> kinds;

    /// \param other that begins no lower
    void add(const Span& other) {
        if (other.low == low) is_lowest = is_lowest && other.is_lowest;
        if (other.high == high) is_highest = is_highest && other.is_highest;
        if (other.high > high) is_highest = other.is_highest;
        high = std::max(high, other.high);
        factor = std::max(factor, other.factor);
        kinds.insert(other.kinds.begin(), other.kinds.end());
    }
};

/// 4.69..223 KiB, 128 B..2 KiB.
std::string from_to(const std::string& first, const std::string& last) {
    const std::size_t blank = first.find(' ');
    const bool is_one_unit = first.substr(blank) == last.substr(last.find(' '));
    return fmt::format("{}..{}", is_one_unit ? first.substr(0, blank) : first, last);
}

}  // namespace

std::vector<ViolatedRange> ranges_of(const Report& report) {
    std::vector<ViolatedRange> all;
    for (const auto& [kind, sizes] : found_in(report)) add_ranges(kind.second, sizes, all);
    std::ranges::stable_sort(all, std::ranges::greater{}, &ViolatedRange::factor);
    return all;
}

std::string sizes_in_words(const Report& report, const std::string& operation) {
    std::vector<Span> spans;
    for (const ViolatedRange& each : report.ranges) {
        if (each.operation == operation)
            spans.push_back({bytes_of(report, each.first),
                             bytes_of(report, each.last),
                             !each.below,
                             !each.above,
                             each.factor,
                             {each.distribution}});
    }
    std::ranges::sort(spans, {}, &Span::low);
    std::vector<Span> joined;
    for (const Span& each : spans) {
        if (joined.empty() || each.low > near * joined.back().high)
            joined.push_back(each);
        else
            joined.back().add(each);
    }
    if (joined.empty() || joined.back().high == 0) return "";
    const Span& worst = *std::ranges::max_element(joined, {}, &Span::factor);
    const std::string first = bytes_text(worst.low), last = bytes_text(worst.high);
    std::string text = from_to(first, last);
    if (worst.is_lowest && !worst.is_highest)
        text = "<= " + last;
    else if (worst.is_highest && !worst.is_lowest)
        text = ">= " + first;
    else if (first == last)
        text = first;
    const MpiOperation* const known = find_mpi_operation(operation);
    const bool is_of_blocks = known == nullptr || known->shape != Shape::vector;
    if (worst.kinds.size() == 1 && is_of_blocks && *worst.kinds.begin() != "same")
        text = *worst.kinds.begin() + " " + text;
    return joined.size() == 1 ? text : fmt::format("{} +{}", text, joined.size() - 1);
}

}  // namespace mpiaudit
