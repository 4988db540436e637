// SPDX-License-Identifier: BSD-3-Clause
#include "audit/confirmation.h"

#include <algorithm>
#include <map>

#include "report/report.h"

namespace mpiaudit {
namespace {

using record::CheckKey;

/// All ways of one use say the same of a problem: that there is a faster one. Two, as one of them
/// may not be confirmed.
constexpr std::size_t most_ways = 2;

/// What makes an application take a way.
enum class Use { setting, path, none };

Use use_of(const Report& audit, const JudgedCheck& check, const std::string& collective,
           IsPath is_path) {
    const ReportedProblem& problem = *find_problem(audit, check.problem);
    const auto right =
        std::ranges::find(problem.contestants, check.right, &ReportedContestant::name);
    if (right != problem.contestants.end() && right->forced) return Use::setting;
    return is_path != nullptr && is_path(collective, check.right) ? Use::path : Use::none;
}

/// Whether a launch more could confirm it.
bool is_open(const JudgedCheck& check, int wanted) {
    // What one launch alone has measured has no list.
    const std::size_t measured = std::max<std::size_t>(1, check.launches.size());
    return measured < static_cast<std::size_t>(wanted) &&
           std::ranges::all_of(check.launches, [](const JudgedLaunch& each) {
               return each.samples.judgement.log_e_violated >= 0;
           });
}

std::vector<const JudgedCheck*> open_checks(const Report& audit, const Report& launches,
                                            int wanted) {
    std::map<CheckKey, const JudgedCheck*> joint;
    for (const JudgedCheck& each : launches.checks) joint[{each.problem, each.guideline}] = &each;
    std::vector<const JudgedCheck*> open;
    for (const JudgedCheck& each : audit.checks) {
        const auto found = joint.find({each.problem, each.guideline});
        if (each.is_violation() && each.samples->has_ratio() && found != joint.end() &&
            is_open(*found->second, wanted))
            open.push_back(&each);
    }
    return open;
}

/// Of an application.
class WorthConfirming {
  public:
    WorthConfirming(const Report& audit, std::vector<const JudgedCheck*> open, IsPath is_path)
        : audit_{audit}, is_path_{is_path} {
        for (const JudgedCheck* each : open) add(*each);
    }

    std::vector<LeftToConfirm> list() {
        std::vector<LeftToConfirm> listed;
        for (auto& [problem_and_use, ways] : of_problem_) {
            std::ranges::stable_sort(ways, std::ranges::greater{},
                                     [&](const Way& way) { return saved_in_all_[way.name]; });
            ways.resize(std::min(ways.size(), most_ways));
            for (const Way& way : ways) listed.push_back(way.left);
        }
        std::ranges::stable_sort(listed, std::ranges::greater{}, &LeftToConfirm::worth_s);
        return listed;
    }

  private:
    struct Way {
        std::pair<std::string, std::string> name;  ///< of which collective, by which contestant
        LeftToConfirm left;
    };

    void add(const JudgedCheck& check) {
        const auto saving = saving_by(audit_, check);
        if (!saving) return;
        const std::pair name{saving->collective, check.right};
        saved_in_all_[name] += saving->low_s;
        of_problem_[{check.problem, use_of(audit_, check, saving->collective, is_path_)}].push_back(
            {name, {{check.problem, check.guideline}, saving->low_s}});
    }

    const Report& audit_;
    IsPath is_path_;
    std::map<std::pair<std::string, std::string>, double> saved_in_all_;
    std::map<std::pair<std::string, Use>, std::vector<Way>> of_problem_;
};

}  // namespace

std::vector<LeftToConfirm> left_to_confirm(const Report& audit, const Report& launches, int wanted,
                                           IsPath is_path) {
    std::vector<const JudgedCheck*> open = open_checks(audit, launches, wanted);
    if (audit.header.application) return WorthConfirming(audit, std::move(open), is_path).list();
    std::vector<LeftToConfirm> all;
    for (const JudgedCheck* each : open) all.push_back({{each->problem, each->guideline}, 0});
    return all;
}

}  // namespace mpiaudit
