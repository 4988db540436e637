// SPDX-License-Identifier: BSD-3-Clause
#include "audit/confirmation.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "audit/commands.h"
#include "audit/steps.h"
#include "mpi/environment.h"
#include "mpi/texts.h"
#include "options/recorded_options.h"
#include "random/random_bits.h"
#include "record/samples_file.h"
#include "screens/codes.h"
#include "text/console.h"
#include "text/plain.h"

namespace mpiaudit {

MPIAUDIT_MEMBERS(Suspicions::Chosen, (distribution, block_size, next, guidelines))
// The members that rank 0 sends to all ranks.
MPIAUDIT_MEMBERS(Suspicions, (confirms, remedies, worths, chosen, options, default_options))

namespace {

using record::CheckKey;

// Bounds of the number of controls, which is the number of suspects: so many tell whether a launch
// accuses everything, and more would take the time of the suspects.
constexpr std::size_t fewest_controls = 5, most_controls = 30;

/// Throws UsageError unless the ranks, the MPI library and its settings are those of the audit.
void require_same_system(const record::Header& header, const RunOptions& options, int ranks) {
    const std::string& folder = options.confirm;
    if (header.machine.ranks != ranks)
        throw UsageError(
            "--confirm: the audit in {} ran on {} ranks, not {}; start as many, or give --ranks {}",
            folder, header.machine.ranks, ranks, header.machine.ranks);
    if (header.mpi.library != Environment::library_version())
        throw UsageError("--confirm: the audit in {} is about another MPI library: {}", folder,
                         header.mpi.library);
    if (header.mpi.checksum && header.mpi.checksum != Environment::library_checksum())
        throw UsageError(
            "--confirm: the audit in {} is about another build of this version of the "
            "MPI library, {}",
            folder, *header.mpi.file);
    // Settings of the library act before MPI_Init, so they cannot be taken from the audit now.
    require_same_before_mpi(options, header.options);
}

/// Returns `number` of the checks, drawn by the seed.
std::vector<CheckKey> drawn(std::vector<CheckKey> checks, std::uint64_t seed, std::size_t number) {
    std::ranges::sort(checks, {}, [&](const CheckKey& check) {
        return mix_bits(coin_seed(seed, check.problem, check.guideline));
    });
    checks.resize(std::min(checks.size(), number));
    return checks;
}

using Remedies = std::vector<std::pair<std::string, std::string>>;

/// Returns the places of the contestants that are a side of a check or a remedy, ascending.
std::vector<std::size_t> needed(const ProblemOutline& planned, const Remedies& remedies) {
    std::set<std::size_t> places;
    for (const PlannedCheck& check : planned.checks) places.insert({check.left, check.right});
    if (places.empty()) return {};
    for (const auto& [problem, way] : remedies) {
        if (problem != planned.id) continue;
        for (std::size_t i = 0; i < planned.contestants.size(); ++i) {
            if (planned.contestants[i].name == way) places.insert(i);
        }
    }
    return {places.begin(), places.end()};
}

/// Keeps the wanted checks of the problem, their sides and the remedies.
void keep_checks(ProblemOutline& planned, const std::vector<Guideline>& guidelines,
                 const std::set<record::CheckKey>& wanted, const Remedies& remedies) {
    std::erase_if(planned.checks, [&](const PlannedCheck& check) {
        return !wanted.contains({planned.id, guidelines[check.guideline].id});
    });
    const std::vector<std::size_t> kept = needed(planned, remedies);
    const auto place = [&](std::size_t contestant) {
        return static_cast<std::size_t>(std::ranges::find(kept, contestant) - kept.begin());
    };
    for (PlannedCheck& check : planned.checks)
        check = {check.guideline, place(check.left), place(check.right)};
    std::vector<Contestant> contestants;
    for (const std::size_t contestant : kept)
        contestants.push_back(std::move(planned.contestants[contestant]));
    planned.contestants = std::move(contestants);
}

void put_in_order(std::vector<ProblemOutline>& problems,
                  const std::vector<std::pair<std::string, double>>& worths) {
    const std::map<std::string, double> worth_of(worths.begin(), worths.end());
    for (ProblemOutline& each : problems) each.worth_s = worth_of.at(each.id);
    std::ranges::stable_sort(problems, std::ranges::greater{}, &ProblemOutline::worth_s);
}

/// Draws controls from the problems of suspects.
void draw_controls(const Report& report, CheckKind wanted, const std::set<std::string>& problems,
                   std::size_t number, record::Confirms& confirms) {
    std::vector<CheckKey> others;
    for (const JudgedCheck& check : report.checks) {
        if (check.kind == wanted && check.verdict == judge::Verdict::holds &&
            problems.contains(check.problem))
            others.push_back({check.problem, check.guideline});
    }
    confirms.controls = drawn(std::move(others), confirms.order_seed, number);
}

/// Adds the remedies of the suspects: a report shows a remedy only if all launches of its check
/// measured it.
void add_remedies(const Report& report, Suspicions& suspicions) {
    const std::vector<CheckKey>& suspects = suspicions.confirms.suspects;
    const std::set<CheckKey> wanted(suspects.begin(), suspects.end());
    for (const JudgedCheck& check : report.checks) {
        if (check.remedy && wanted.contains({check.problem, check.guideline}))
            suspicions.remedies.emplace_back(check.problem, check.remedy->contestant);
    }
}

/// Adds all violated checks, their remedies, and controls that held in the audit.
/// \param operation whose violations are added; empty: all
void add_all_suspects(const Report& report, const std::string& operation, Suspicions& suspicions) {
    std::vector<CheckKey>& suspects = suspicions.confirms.suspects;
    std::set<std::string> problems;
    // An audit without verdicts has remarks on reference algorithms alone, which are confirmed
    // then.
    const CheckKind wanted = report.summary.checks > 0 ? CheckKind::verdict : CheckKind::remark;
    for (const JudgedCheck& check : report.checks) {
        if (check.kind != wanted) continue;
        if (!operation.empty() && check.left.way().operations() != operation) continue;
        if (check.verdict == judge::Verdict::violated) {
            suspects.push_back({check.problem, check.guideline});
            problems.insert(check.problem);
        }
    }
    add_remedies(report, suspicions);
    draw_controls(report, wanted, problems,
                  std::clamp(suspects.size(), fewest_controls, most_controls), suspicions.confirms);
}

/// Returns the joint report of the audit and its complete confirmations, without this one.
Report report_so_far(const RunOptions& options, const judge::Rule& rule) {
    std::vector<NamedAudit> launches;
    for (const std::string& folder : with_confirmations(options.confirm)) {
        std::error_code failure;
        if (std::filesystem::equivalent(folder, options.output, failure)) continue;
        record::Audit audit = read_results(folder).audit;
        if (audit.is_complete()) launches.push_back({folder, std::move(audit)});
    }
    return make_report(joined_launches(std::move(launches)), rule);
}

/// Returns the operation of --row, in the report of the audit and its confirmations so far; empty
/// without --row.
std::string operation_of_row(const RunOptions& options, const judge::Rule& rule) {
    if (options.row.empty()) return "";
    return row_of_code(report_so_far(options, rule), "--row", options.row).operation;
}

/// Adds the violations that fewer than --launches launches have measured.
void add_open_suspects(const Report& report, const RunOptions& options, Suspicions& suspicions) {
    std::set<std::string> problems;
    const Report so_far = report_so_far(options, report.header.rule);
    for (LeftToConfirm& left : left_to_confirm(report, so_far, options.launches)) {
        if (problems.insert(left.check.problem).second && report.header.application)
            suspicions.worths.emplace_back(left.check.problem, left.worth_s);
        suspicions.confirms.suspects.push_back(std::move(left.check));
    }
    add_remedies(report, suspicions);
    draw_controls(report, CheckKind::verdict, problems, fewest_controls, suspicions.confirms);
}

/// Returns the chosen problems of the audit that have a suspect.
std::vector<Suspicions::Chosen> chosen_problems(const record::Audit& audit,
                                                const std::vector<CheckKey>& suspects) {
    std::vector<Suspicions::Chosen> all;
    for (const record::ProblemRecord& each : audit.problems) {
        const record::ProblemDescription& problem = each.problem;
        if (!problem.chosen ||
            std::ranges::find(suspects, problem.id, &CheckKey::problem) == suspects.end())
            continue;
        all.push_back(
            {problem.distribution, problem.block_size, problem.next_block_size.value_or(0), {}});
        for (const record::Check& check : each.checks)
            all.back().guidelines.push_back(check.guideline);
    }
    return all;
}

/// Reads the audit and draws the controls, on rank 0.
Suspicions read_suspicions(const RunOptions& options, int ranks) {
    record::Audit audit = read_results(options.confirm).audit;
    require_same_system(audit.header, options, ranks);
    if (!audit.is_complete())
        throw UsageError(
            "--confirm: the audit in {} is not complete; go on with it by --resume first",
            options.confirm);
    const Report report = make_report(std::span(&audit, 1));
    Suspicions suspicions;
    suspicions.confirms = {
        options.confirm, audit.header.started, audit.header.order_seed(), {}, {}};
    suspicions.options = audit.header.options;
    suspicions.default_options = audit.header.default_options;
    if (options.launches > 0)
        add_open_suspects(report, options, suspicions);
    else
        add_all_suspects(report, operation_of_row(options, report.header.rule), suspicions);
    suspicions.chosen = chosen_problems(audit, suspicions.confirms.suspects);
    suspicions.audit = std::move(audit);
    return suspicions;
}

/// Adds a problem that the audit chose to the plan of the confirmation.
void choose_again(Plan& plan, const Suspicions::Chosen& chosen) {
    const Inputs& inputs = *plan.inputs;
    const auto found =
        std::ranges::find(inputs.distributions, chosen.distribution, &Distribution::name);
    if (found == inputs.distributions.end()) return;
    std::vector<std::size_t> guidelines;
    for (std::size_t i = 0; i < inputs.guidelines.size(); ++i) {
        if (is_among(chosen.guidelines, inputs.guidelines[i].id)) guidelines.push_back(i);
    }
    const auto distribution = static_cast<std::size_t>(found - inputs.distributions.begin());
    const std::size_t place =
        plan.choose({distribution, chosen.block_size, chosen.next}, guidelines);
    plan.problems[place].is_chosen = false;
}

}  // namespace

Suspicions take_suspicions(RunOptions& options, int ranks) {
    record::Audit audit;
    Suspicions suspicions = unpacked<Suspicions>(text_of_rank_0([&] {
        Suspicions read = read_suspicions(options, ranks);
        audit = std::move(read.audit);
        return packed(read);
    }));
    suspicions.audit = std::move(audit);
    take_audit_options(options, suspicions.options, suspicions.default_options);
    if (options.output.empty())
        options.output = std::filesystem::path(options.confirm) / "confirmation";
    return suspicions;
}

void require_same_inputs(const Suspicions& suspicions, const record::Header& header) {
    const auto require_same = [&](bool is_same, const char* part) {
        if (!is_same)
            throw UsageError(
                "--confirm: the {} of the audit in {} have changed since: see the first line of "
                "its samples.jsonl; audit again",
                part, suspicions.confirms.folder);
    };
    require_same(suspicions.audit.header.guidelines == header.guidelines, "guidelines");
    require_same(suspicions.audit.header.distributions == header.distributions, "distributions");
}

void keep_suspicions(Plan& plan, const std::vector<Guideline>& guidelines,
                     const Suspicions& suspicions) {
    const record::Confirms& confirms = suspicions.confirms;
    std::set<CheckKey> wanted(confirms.suspects.begin(), confirms.suspects.end());
    wanted.insert(confirms.controls.begin(), confirms.controls.end());
    plan.checkable = plan.may_be_chosen = 0;
    for (const Suspicions::Chosen& each : suspicions.chosen) choose_again(plan, each);
    for (ProblemOutline& planned : plan.problems) {
        keep_checks(planned, guidelines, wanted, suspicions.remedies);
        for (const PlannedCheck& check : planned.checks)
            plan.checkable += planned.is_checkable(check);
    }
    // Each way whose long calls are judged is the left side of a check.
    plan.tails = std::min(plan.tails, 2 * plan.checkable);
    std::erase_if(plan.problems,
                  [](const ProblemOutline& planned) { return planned.checks.empty(); });
    if (!suspicions.worths.empty()) put_in_order(plan.problems, suspicions.worths);
}

int confirm_audit(const Command& given, const Environment& environment,
                  const OtherProducts& other_products, Watchdog* of_launch) {
    Command command = given;
    const RunOptions& options = command.run;
    const Suspicions suspicions =
        take_suspicions(command.run, ranks_of_plan(options, environment.ranks()));
    if (!suspicions.confirms.suspects.empty())
        return run_audit(command, environment, other_products, &suspicions, of_launch);
    if (speaks_for_all(environment))
        say("{} has no violation {}to confirm\n", options.confirm,
            options.launches > 0 ? "left " : "");
    return exit_done;
}

Report joint_report(const Suspicions& suspicions, const record::Audit& confirmation) {
    const std::vector<record::Audit> launches = joined_launches(
        {{suspicions.confirms.folder, suspicions.audit}, {"the confirmation", confirmation}});
    return make_report(launches);
}

}  // namespace mpiaudit
