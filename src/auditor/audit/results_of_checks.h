// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "judge/verdict.h"
#include "plan/refinement.h"
#include "record/audit_record.h"
#include "report/report.h"

namespace mpiaudit {

/// Judges the checks of measured problems for the choice of further sizes (plan/refinement.h).
class ResultsOfChecks {
  public:
    /// \param inputs have to outlive this object
    ResultsOfChecks(const Inputs& inputs, const record::Header& header, const judge::Rule& rule);
    ProblemResult of(const record::ProblemRecord& measured) const;

  private:
    CheckResult of(const record::ProblemRecord& problem, const record::Check& check) const;
    /// Sets the ratio and the time of a result with a verdict. Returns the answer of the samples.
    CheckResult::Answer judge(const record::ProblemRecord& problem, const record::Check& check,
                              CheckResult& result) const;

    const Inputs& inputs_;
    judge::Rule rule_;
    std::uint64_t order_seed_;
    NameSet references_;
    std::map<std::string, std::size_t> guidelines_;  ///< places in Inputs::guidelines by id
};

}  // namespace mpiaudit
