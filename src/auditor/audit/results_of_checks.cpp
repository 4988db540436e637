// SPDX-License-Identifier: BSD-3-Clause
#include "audit/results_of_checks.h"

#include <algorithm>

#include "measure/protocol.h"
#include "random/random_bits.h"

namespace mpiaudit {
namespace {

using Answer = CheckResult::Answer;

std::size_t number_of_samples(const record::ProblemRecord& problem, const record::Check& check) {
    return std::min(problem.contestants[check.left].samples_s.size(),
                    problem.contestants[check.right].samples_s.size());
}

}  // namespace

ResultsOfChecks::ResultsOfChecks(const Inputs& inputs, const record::Header& header,
                                 const judge::Rule& rule)
    : inputs_{inputs},
      rule_{rule},
      order_seed_{header.order_seed()},
      references_{reference_names(header.implementations)} {
    for (const Guideline& each : inputs.guidelines)
        guidelines_.emplace(each.id, guidelines_.size());
}

ProblemResult ResultsOfChecks::of(const record::ProblemRecord& measured) const {
    const record::ProblemDescription& problem = measured.problem;
    ProblemResult result{problem.distribution, problem.block_size, problem.chosen};
    int checks = 0;
    for (const record::Check& check : measured.checks) {
        result.checks.push_back(of(measured, check));
        checks += number_of_samples(measured, check) > 0;
    }
    if (checks > 0) result.seconds_per_check = measured.elapsed_s / checks;
    return result;
}

CheckResult ResultsOfChecks::of(const record::ProblemRecord& problem,
                                const record::Check& check) const {
    const record::Contestant &left = problem.contestants[check.left],
                             &right = problem.contestants[check.right];
    const std::size_t samples = number_of_samples(problem, check);
    CheckResult result{left.name.way().operations(), guidelines_.at(check.guideline),
                       Answer::undecided, !left.skipped && !right.skipped};
    if (samples > 0 && kind_of(left, references_) == CheckKind::verdict) {
        result.answer = judge(problem, check, result);
        const bool is_answer = result.answer != Answer::undecided;
        // The size changes nothing about an operation without data, so no other size tells more.
        if (is_answer && is_without_data(inputs_.guidelines[result.guideline].inequality))
            result.answer = Answer::undecided;
        if (is_answer) return result;
    }
    if (samples >= rounds_of_the_clear) return result;
    if (record::is_skipped_by(ReasonKind::slower_reference, right.skipped)) {
        result.answer = Answer::left_out;
        result.predicted_s = right.predicted_s.value_or(result.predicted_s);
        return result;
    }
    const auto has_lacked_time = [](const record::Contestant& each) {
        return !each.samples_s.empty() || record::is_skipped_by(ReasonKind::no_time, each.skipped);
    };
    result.answer =
        has_lacked_time(left) && has_lacked_time(right) ? Answer::no_time : Answer::not_possible;
    return result;
}

Answer ResultsOfChecks::judge(const record::ProblemRecord& problem, const record::Check& check,
                              CheckResult& result) const {
    const auto judgement = judge::judge(
        problem.contestants[check.left].samples_s, problem.contestants[check.right].samples_s,
        rule_, coin_seed(order_seed_, problem.problem.id, check.guideline));
    result.ratio = judgement.factor;
    result.left_s = judgement.left.median;
    if (judgement.verdict == judge::Verdict::violated) return Answer::violated;
    return judgement.verdict == judge::Verdict::holds ? Answer::holds : Answer::undecided;
}

}  // namespace mpiaudit
