// SPDX-License-Identifier: BSD-3-Clause
// make_header() and AuditClock of audit/steps.h.
#include "audit/steps.h"

#include <fmt/format.h>

#include <mpi.h>
#include <algorithm>
#include <set>

#include "catalogue/arrow.h"
#include "catalogue/catalogue.h"
#include "device_trial/device_support.h"
#include "known_faults/known_faults.h"
#include "machine/machine_description.h"
#include "messages/agreement.h"
#include "messages/messages.h"
#include "mpi/environment.h"
#include "mpi/library_algorithms.h"
#include "mpi/part_of_launch.h"
#include "options/option_table.h"
#include "options/recorded_options.h"
#include "record/samples_file.h"
#include "simulation/simulation.h"
#include "text/exit_code.h"
#include "text/plain.h"
#include "text/version.h"

namespace mpiaudit {
namespace {

std::vector<record::GuidelineRecord> recorded(const std::vector<Guideline>& guidelines) {
    std::vector<record::GuidelineRecord> all;
    for (const Guideline& each : guidelines)
        all.push_back({each.id, each.statement, each.source, each.advice, each.file});
    return all;
}

record::DistributionRecord recorded(const Distribution& distribution) {
    record::DistributionRecord record{
        .name = distribution.name, .summary = distribution.summary, .source = distribution.source};
    if (distribution.is_explicit())
        record.counts = distribution.counts;
    else
        record.formula = distribution.formula;
    for (const auto& [name, value] : distribution.parameters) record.parameters[name] = value;
    return record;
}

/// \param is_on_device a buffer of the audit is in the memory of a device
record::Implementation recorded(const Arrow& arrow, bool is_on_device) {
    const bool is_native = arrow.kind == Kind::native || arrow.kind == Kind::chosen ||
                           arrow.kind == Kind::variant || arrow.kind == Kind::agreement;
    return {.name = std::string(arrow.name),
            .collective = std::string(arrow.collective),
            .from = std::string(name(arrow.from)),
            .to = std::string(name(arrow.to)),
            .native = is_native,
            .summary = arrow.summary + (is_on_device && (arrow.needs & computes_on_host)
                                            ? ", on copies of its buffers on the host"
                                            : ""),
            .written_as = written_as(arrow),
            .stands_for = arrow.stands_for()};
}

/// Returns the timed arrows and those of the guidelines' paths, each arrow once.
std::vector<record::Implementation> implementations(const Inputs& inputs, bool is_on_device) {
    std::vector<record::Implementation> all;
    std::set<const Arrow*> known;
    for (const Arrow* const each : inputs.timed)
        if (known.insert(each).second) all.push_back(recorded(*each, is_on_device));
    for (const Guideline& each : inputs.guidelines) {
        for (const Path* path : {&each.inequality.left, &each.inequality.right}) {
            for (const PathStep& step : path->steps) {
                if (step.arrow->kind != Kind::view && known.insert(step.arrow).second)
                    all.push_back(recorded(*step.arrow, is_on_device));
            }
        }
    }
    return all;
}

/// Returns the blocking operations of the library that are on the left of no guideline.
std::vector<std::string> not_audited(const std::vector<Guideline>& guidelines) {
    std::set<std::string_view> audited;
    for (const Guideline& each : guidelines) {
        for (const PathStep& step : each.inequality.left.steps) audited.insert(step.arrow->name);
    }
    std::vector<std::string> all;
    for (const Arrow& arrow : catalogue()) {
        if (arrow.kind == Kind::native && audited.insert(arrow.name).second)
            all.push_back(arrow.name);
    }
    return all;
}

/// Returns the operations whose algorithm a running program can choose.
std::vector<std::string> operations_with_choice() {
    std::vector<std::string> operations;
    for (const LibraryAlgorithm& each : discover_algorithms())
        if (!is_among(operations, each.operation)) operations.push_back(each.operation);
    return operations;
}

/// Returns warnings about options that change the meaning of times.
std::vector<std::string> option_warnings(const ProtocolOptions& options) {
    std::vector<std::string> warnings;
    if (options.no_communication)
        warnings.emplace_back(
            "times are those of the datatypes of a call alone (--no-communication)");
    if (!options.arrivals->are_together)
        warnings.push_back(fmt::format(
            "ranks come to each call at different times (--arrivals {}); a time is that from the "
            "last arrival to the last exit",
            options.arrivals.text()));
    if (options.shared_buffers)
        warnings.push_back(fmt::format(
            "buffers are shared and long messages carry no data (--shared-buffers); what has "
            "blocks of more than {} elements is verified on parts of it",
            verified_block_size));
    return warnings;
}

void add(const std::vector<std::string>& warnings, record::Header& header) {
    header.warnings.insert(header.warnings.end(), warnings.begin(), warnings.end());
}

/// Adds the warnings, and the job, whose description may add warnings.
void add_warnings(const Circumstances& known, const AuditClock& clock, record::Header& header) {
    if (header.machine.ranks == 1 && !platform().is_deterministic &&
        !known.options().no_communication)
        header.warnings.push_back(
            "there is only 1 rank, and nothing moves between ranks; start several, as in mpirun -n "
            "4 "
            "mpiaudit run");
    add(known.around.machine.warnings, header);
    if (known.options().buffers == BufferChoice::rotate)
        add(known.around.machine.cache_warnings, header);
    if (known.around.network) add(known.around.network->warnings(), header);
    header.job = describe_job(header.warnings);
    add(known.inputs.warnings, header);
    if (clock.warning) header.warnings.push_back(*clock.warning);
    add(option_warnings(known.options()), header);
    add(device_warnings(*known.options().memory_kind), header);
    if (const auto& selection = known.inputs.selection;
        selection && !selection->memory.are_host() && known.options().memory_kind->are_host())
        header.warnings.push_back(fmt::format(
            "the application has its buffers in {0} memory and the audit has buffers in the memory "
            "of the host; give --memory-kind {0}",
            selection->memory.text()));
}

/// Returns the checksum of the file of known faults. Throws UsageError if the file cannot be used,
/// before the audit begins.
std::string checksum_of_known_faults(const OtherProducts& joined) {
    const library_faults::File file = library_faults::shipped();
    or_usage_error([&] {
        if (joined.check_known_faults != nullptr)
            joined.check_known_faults(file);
        else
            library_faults::read(file);
        return 0;
    });
    return file.checksum();
}

/// Returns the number by which a launch divides alpha: the checks of this audit, times the audits
/// of the launch. Each of several audits thus has an equal share of alpha.
int divisor_of_alpha(const Plan& plan, const SessionOptions& options) {
    return std::max(1, plan.checks()) * options.scales;
}

}  // namespace

record::Header make_header(const Circumstances& known, const AuditClock& clock,
                           const std::optional<LinearModel>& cost_model) {
    const RunOptions& options = known.options();
    record::Header header;
    header.tool = {.name = "mpiaudit",
                   .version = std::string(version()),
                   .commit = std::string(commit()),
                   .program = plain(program_of_archive())};
    header.started = time_now();
    header.command = known.command.arguments;
    header.options = all_options(options);
    set_option(header.options, "order-seed",
               options.order_seed ? *options.order_seed : draw_order_seed());
    header.default_options = audit_options(default_run_options());
    header.mpi = {.library = Environment::library_version(),
                  .standard = Environment::standard_version(),
                  .file = Environment::library_file(),
                  .checksum = Environment::library_checksum()};
    header.known_faults = checksum_of_known_faults(known.joined);
    header.machine = known.around.machine.description;
    if (const int launched = messages::size_of(MPI_COMM_WORLD); launched != header.machine.ranks)
        header.launch_ranks = launched;
    header.clock = clock.record;
    header.environment = steering_variables();
    header.settings = outcomes_of(known.around.settings);
    header.rule = {options.rule(divisor_of_alpha(known.plan, options)), options.max_rounds};
    header.cost_model = cost_model;
    for (const Distribution& each : known.inputs.distributions)
        header.distributions.push_back(recorded(each));
    for (const Look& each : known.inputs.looks)
        header.distributions[each.distribution].repeats = each.of;
    header.guidelines = recorded(known.inputs.guidelines);
    header.implementations =
        implementations(known.inputs, !known.options().memory_kind->are_host());
    if (known.suspicions) header.confirms = known.suspicions->confirms;
    header.duplicates.emplace();
    for (const Duplicate& each : known.plan.duplicates)
        header.duplicates->push_back({each.problem, each.equal_to});
    header.application = known.inputs.selection;
    // An audit of an application looks at the operations that it calls alone; a table audits none.
    if (!header.application && known.inputs.timed.empty())
        header.not_audited = not_audited(known.inputs.guidelines);
    if (options.algorithms.empty()) header.with_choice = operations_with_choice();
    header.limits = {known.plan.references.most, known.around.memory_bytes};
    header.planned_problems = known.plan.problems.size();
    for (const ProblemOutline& each : known.plan.problems) header.planned.push_back(each.id);
    header.simulation = simulation::description();
    header.simulated = header.simulation.has_value();
    add_warnings(known, clock, header);
    return header;
}

namespace {

/// Seconds of the fastest small collectives. A clock with longer steps cannot time them.
constexpr double coarse_clock_s = 0.5e-6;

ClockQuality worst_quality(const Clock& clock) {
    if (platform().time_stands_still) return {};
    ClockQuality quality = measure(clock);
    quality.resolution_s = largest_of_ranks(quality.resolution_s, audited_ranks());
    quality.goes_back = largest_of_ranks(quality.goes_back ? 1.0 : 0.0, audited_ranks()) > 0.0;
    return quality;
}

std::optional<std::string> warning_of(const Clock& clock, const ClockQuality& quality) {
    // Simulated time has no steps: messages move it by any amount.
    if (platform().time_stands_still) return std::nullopt;
    const char* const other = clock.name == "mpi" ? "monotonic" : "mpi";
    if (quality.goes_back)
        return fmt::format(
            "the clock {} goes backwards, so that some times are too short; try --clock {}",
            clock.name, other);
    if (quality.resolution_s <= coarse_clock_s && quality.resolution_s > 0.0) return std::nullopt;
    return fmt::format(
        "the clock {} has steps of {:.2g} us, too coarse for small problems; try --clock {}",
        clock.name, quality.resolution_s * 1e6, other);
}

}  // namespace

AuditClock::AuditClock(const Clock& clock, const AsGiven<SampleStarts>& sync) {
    const ClockQuality quality = worst_quality(clock);
    record = {.name = std::string(clock.name),
              .resolution_s = quality.resolution_s,
              .read_s = quality.read_s,
              .synchronisation = sync.text()};
    warning = warning_of(clock, quality);
    if (!sync->in_window) return;
    const ClockAgreement agreement = global.emplace(audited_ranks(), clock).check();
    record.global = {.error_s = agreement.error_s,
                     .round_trip_s = agreement.round_trip_s,
                     .drift = agreement.drift};
}

}  // namespace mpiaudit
