// SPDX-License-Identifier: BSD-3-Clause
#include "plan/stand_ins.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <stdexcept>

#include "catalogue/catalogue.h"
#include "simulation/simulation.h"
#include "text/exit_code.h"
#include "text/json_text.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// The variable of StandIn::Choice::message_us for the bytes of a block.
constexpr const char* bytes_of_message = "bytes";

/// A variant by which the arrow of a stand-in finds its StandIn again. Marks the arrow as standing
/// for the operation.
struct StandInVariant : Variant {
    explicit StandInVariant(const StandIn& given) : stand_in{given} {
        stands_for = stand_in.operation;
    }
    StandIn stand_in;
};

/// Returns the bytes of the rank's block. In a padded layout every block is as large as the
/// largest.
Count block_bytes(const Problem& problem, Layout layout, std::size_t rank) {
    const Count elements = layout.padded ? problem.largest() : problem.counts[rank];
    return elements * static_cast<Count>(problem.element->data_bytes());
}

/// Returns the seconds that the messages of all other ranks cost the root; empty blocks are not
/// sent.
double cost_of_messages_s(const Problem& problem, Layout layout, Formula& message_us) {
    double sum_us = 0.0;
    for (std::size_t rank = 0; rank < problem.counts.size(); ++rank) {
        const Count bytes = block_bytes(problem, layout, rank);
        if (static_cast<int>(rank) == problem.root || bytes == 0) continue;
        message_us.set(bytes_of_message, static_cast<double>(bytes));
        sum_us += message_us.evaluate({.i = static_cast<double>(rank),
                                       .p = static_cast<double>(problem.ranks()),
                                       .b = static_cast<double>(problem.block_size),
                                       .root = static_cast<double>(problem.root)});
    }
    return std::max(0.0, sum_us) * 1e-6;
}

/// Prepares the algorithm of the stand-in, followed by the cost of messages at the root.
Step prepare_stand_in(const Instance& instance, const Place& from, Layout to) {
    const Problem& problem = instance.problem();
    const StandIn::Choice& choice =
        static_cast<const StandInVariant&>(*instance.called_as)
            .stand_in.choice(problem.largest() * static_cast<Count>(problem.element->data_bytes()));
    const Instance as_usual{instance.workspace, instance.comm, instance.network, nullptr,
                            instance.destination};
    Step step = choice.algorithm->prepare(as_usual, from, to);
    if (choice.message_us == nullptr || !instance.is_root()) return step;
    step.call = [call = std::move(step.call),
                 cost_s = cost_of_messages_s(problem, to, *choice.message_us)] {
        call();
        simulation::pass_time(cost_s);
    };
    return step;
}

/// Returns the arrow of this kind and name; looks only in `collective` unless `collective` is
/// empty, and skips variants. Throws std::invalid_argument with the valid names if there is none.
/// \param what names the kind in the error
const Arrow& named_arrow(const LocatedJson& name, Kind kind, const char* what,
                         std::string_view collective, const std::string& origin) {
    std::vector<std::string> valid;
    for (const Arrow& each : catalogue()) {
        if (each.kind != kind || each.called_as != nullptr) continue;
        if (!collective.empty() && each.collective != collective) continue;
        if (each.name == name.text()) return each;
        valid.push_back(each.name);
    }
    throw std::invalid_argument(origin + ": " + unknown_name(what, name.text(), valid));
}

/// Reads one choice. Refuses an algorithm that moves other data than the operation, and
/// `message_us` for operations that do not gather at a root.
StandIn::Choice read_choice(const LocatedJson& entry, const Arrow& operation,
                            const std::string& origin) {
    check_keys(entry, {"algorithm", "to_bytes", "message_us", "reason"}, origin);
    const Arrow& algorithm = named_arrow(entry.at("algorithm"), Kind::reference, "algorithm",
                                         operation.collective, origin);
    StandIn::Choice choice{.algorithm = &algorithm, .reason = entry.at("reason").text()};
    if (algorithm.from != operation.from || algorithm.to != operation.to)
        throw make_invalid_argument("{}: {} moves other data than {}", origin, algorithm.name,
                                    operation.name);
    if (const auto bytes = entry.find("to_bytes")) choice.to_bytes = bytes->integer(1);
    if (const auto cost = entry.find("message_us")) {
        if (operation.from != Holding::scattered || operation.to != Holding::rooted)
            cost->refuse("is for operations that gather at a root");
        choice.message_us = std::make_shared<Formula>(
            origin, cost->text(), std::map<std::string, double>{{bytes_of_message, 0.0}});
    }
    return choice;
}

/// Reads one stand-in. Refuses choices that do not ascend by size or that leave large sizes open.
StandIn read_stand_in(const LocatedJson& entry, const std::string& library,
                      const std::string& origin) {
    check_keys(entry, {"operation", "choices"}, origin);
    const Arrow& operation =
        named_arrow(entry.at("operation"), Kind::native, "operation", {}, origin);
    StandIn stand_in{.library = library, .operation = operation.name, .choices = {}};
    stand_in.choices = entry.at("choices").list(
        [&](const LocatedJson& choice) { return read_choice(choice, operation, origin); });
    const auto& all = stand_in.choices;
    const bool ends_open = !all.empty() && !all.back().to_bytes;
    const bool ascends =
        std::ranges::adjacent_find(all, [](const auto& one, const auto& next) {
            return !one.to_bytes || (next.to_bytes && *next.to_bytes <= *one.to_bytes);
        }) == all.end();
    if (!ends_open || !ascends)
        entry.at("choices").refuse("must ascend by to_bytes and end with one that has none");
    return stand_in;
}

}  // namespace

std::string StandIn::summary() const {
    std::string text = fmt::format("in the place of the library's {}:", operation);
    for (const Choice& each : choices) {
        text += fmt::format(" {}", each.algorithm->name);
        if (each.to_bytes) text += fmt::format(" for blocks of up to {} bytes", *each.to_bytes);
        if (each.message_us) text += ", with a cost of each message at the root";
        text += fmt::format(" ({});", each.reason);
    }
    text.back() = '.';
    return text;
}

const StandIn::Choice& StandIn::choice(Count largest_bytes) const {
    return *std::ranges::find_if(choices, [&](const Choice& each) {
        return !each.to_bytes || largest_bytes <= *each.to_bytes;
    });
}

void join_stand_in(const StandIn& stand_in) {
    static std::deque<StandInVariant> joined;
    if (!find_arrows(stand_in.name(), Argument::whole).empty()) return;
    const StandInVariant& kept = joined.emplace_back(stand_in);
    // The stand-in has the layouts and needs of its algorithms.
    Arrow arrow = *stand_in.choices.front().algorithm;
    arrow.rename(stand_in.form());
    arrow.summary = stand_in.summary();
    arrow.prepare = prepare_stand_in;
    for (const StandIn::Choice& each : stand_in.choices) arrow.needs |= each.algorithm->needs;
    arrow.called_as = &kept;
    join_catalogue({arrow});
}

std::vector<StandIn> parse_stand_ins(const std::string& text, const std::string& origin) {
    const JsonDocument document(text, origin);
    const LocatedJson file = document.root();
    const std::string library = std::filesystem::path(origin).stem();
    check_keys(file, {"title", "source", "base", "parameters", "fitted", "stand_ins"}, origin);
    return file.at("stand_ins").list([&](const LocatedJson& entry) {
        return read_stand_in(entry, library, origin);
    });
}

Guideline with_stand_ins(Guideline guideline, const std::vector<StandIn>& stand_ins) {
    Statement statement = parse_statement(guideline.statement);
    // Replacing from the end keeps the columns of earlier terms.
    for (const Side* side : {&statement.right, &statement.left}) {
        for (std::size_t i = side->way.terms.size(); i-- > 0;) {
            const Term& term = side->way.terms[i];
            const std::string name = term.form.name();
            const auto found = std::ranges::find(stand_ins, name, &StandIn::operation);
            // MPI_Allreduce(1) is an agreement, not the operation on the problem's data.
            if (found == stand_ins.end() || term.argument == Argument::one) continue;
            guideline.statement.replace(side->columns[i], name.size(), found->name());
        }
    }
    guideline.inequality = resolve(parse_statement(guideline.statement));
    return guideline;
}

void put_stand_ins(const InputTexts::File& library, Inputs& inputs) {
    or_usage_error([&] {
        const std::vector<StandIn> stand_ins = parse_stand_ins(library.text, library.origin);
        for (const StandIn& each : stand_ins) {
            join_stand_in(each);
            inputs.warnings.push_back(
                fmt::format("{} is an algorithm of mpiaudit {}", each.name(), each.summary()));
        }
        for (Guideline& each : inputs.guidelines) each = with_stand_ins(std::move(each), stand_ins);
    });
}

}  // namespace mpiaudit
