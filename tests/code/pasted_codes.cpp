// SPDX-License-Identifier: BSD-3-Clause
// pasted_codes FOLDER: prints the code of every way in the place of every operation that has code,
// as C functions for pasted_codes.c. The ways are all that a statement can name: one operation in
// any form, the same in parts, and one or two blocking operations, also with padded blocks. Fails
// if the ways of guidelines in FOLDER, or of derived guidelines, have a code that is not printed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "catalogue/catalogue.h"
#include "code/paste.h"
#include "files/files.h"
#include "guidelines/guideline.h"

namespace {

using namespace mpiaudit;

record::ContestantDescription described(const Path& path) {
    record::ContestantDescription way;
    way.name = path.name;
    way.from = name(path.from());
    way.to = name(path.to());
    for (const PathStep& step : path.steps)
        way.steps.emplace_back(step.arrow->name, name(step.source()), name(step.target()));
    way.forced = path.algorithm() != nullptr;
    return way;
}

Term term_of(const Form& form, Argument argument) {
    const bool is_started = form.start == Start::nonblocking;
    return {.form = form,
            .argument = argument,
            .is_bare = false,
            .completion = !is_started      ? ""
                          : form.parts > 1 ? "MPI_Waitall"
                                           : "MPI_Wait"};
}

/// Returns false if no path of the terms can have the ends of the operation: before the first term
/// data may be filled with zeros, and behind the last term data may be seen in those of all ranks.
bool can_have_ends(const MpiOperation& operation, const Way& way) {
    using enum Holding;
    const auto uses = [](const Term& term) { return find_arrows(term.form.name(), term.argument); };
    const bool begins = std::ranges::any_of(uses(way.terms.front()), [&](const Arrow* each) {
        const bool is_filled =
            each->from == contributed && (operation.from == scattered || operation.from == rooted);
        return each->from == operation.from || is_filled;
    });
    return begins && std::ranges::any_of(uses(way.terms.back()), [&](const Arrow* each) {
               const bool is_seen =
                   each->to == replicated && (operation.to == scattered || operation.to == rooted);
               return each->to == operation.to || is_seen;
           });
}

/// Returns the right sides of all statements.
std::vector<Way> right_sides() {
    std::vector<Way> all;
    std::vector<Form> blocking{parse_form("MPI_Reduce_local")};
    for (const MpiOperation& each : mpi_operations) blocking.push_back(parse_form(each.name));
    for (const Arrow& arrow : catalogue())
        if (arrow.form.is_of_mpi() && !arrow.form.operation.empty())
            for (const Argument argument : {Argument::whole, Argument::one})
                all.push_back({{term_of(arrow.form, argument)}});
    const Term agreement = term_of(parse_form("MPI_Allreduce"), Argument::one);
    for (const Form& first : blocking) {
        for (const int parts : parts_with_code)
            all.push_back({{term_of(first, Argument::whole)}, {false, parts, parts}});
        for (const Argument argument : {Argument::whole, Argument::padded}) {
            std::vector<Term> terms;
            if (argument == Argument::padded) terms.push_back(agreement);
            terms.push_back(term_of(first, argument));
            all.push_back({terms});
            for (const Form& second : blocking) {
                std::vector<Term> both = terms;
                both.push_back(term_of(second, argument));
                all.push_back({both});
            }
        }
    }
    return all;
}

void print_function(std::size_t number, const MpiOperation& replaced, const std::string& way,
                    const PastedCode& code) {
    fmt::print("/* {} -> {} */\nstatic void code_{}(const struct call* given) {{\n", replaced.name,
               way, number);
    for (std::size_t k = 0; k < replaced.argument_count(); ++k) {
        std::string argument(replaced.argument(k));
        if (argument == "recvtype" || argument == "datatype")
            argument = "type";
        else if (argument == "sendtype")
            continue;
        else if (argument == "sendcount" && replaced.takes("recvcount"))
            continue;
        else if (argument.ends_with("count"))
            argument = "count";
        else if (argument.ends_with("counts") && !replaced.takes("sdispls"))
            argument = "counts";
        fmt::print("    ARGUMENT({})\n", argument);
    }
    fmt::print("    const MPI_Comm comm = given->comm;\n/* pasted: */\n{}\n/* end */\n}}\n",
               code.text);
}

/// All codes, as a file in C.
class Codes {
  public:
    Codes() {
        for (const Arrow& arrow : catalogue()) {
            record::Implementation& each = implementations_.emplace_back();
            each.name = arrow.name;
            each.written_as = written_as(arrow);
        }
    }

    void add_all() {
        const std::vector<Way> sides = right_sides();
        for (const MpiOperation& replaced : mpi_operations) {
            const Way call{{term_of(parse_form(replaced.name), Argument::whole)}};
            for (const Way& side : sides)
                if (can_have_ends(replaced, side)) add(replaced, call, side.name());
        }
    }

    void print_table() const {
        fmt::print("static const struct code codes[] = {{\n{}}};\n", table_);
    }

    /// Returns the codes of guidelines that were not printed.
    std::vector<std::string> missing_of(const std::vector<Guideline>& guidelines) const {
        using Ends = std::pair<Layout, Layout>;
        std::map<Ends, std::vector<record::ContestantDescription>> ways;
        std::map<Ends, std::vector<Way>> replaced;
        for (const Guideline& each : guidelines) {
            const Inequality& both = each.inequality;
            const Ends ends{both.left.from(), both.left.to()};
            replaced[ends].push_back(parse_way(both.left.name));
            for (const Path* const path : {&both.left, &both.right})
                ways[ends].push_back(described(*path));
        }
        std::vector<std::string> missing;
        for (const auto& [ends, lefts] : replaced)
            for (const Way& left : lefts)
                for (const record::ContestantDescription& way : ways.at(ends)) {
                    if (way.forced) continue;
                    const PastedCode code = code_to_paste(way, left, implementations_);
                    if (!code.text.empty() && !known_.contains(key(left, code)))
                        missing.push_back(fmt::format("{} -> {}", left.name(), way.name));
                }
        return missing;
    }

  private:
    static std::string key(const Way& replaced, const PastedCode& code) {
        return fmt::format("{} {}", replaced.only()->operation, code.text);
    }

    void add(const MpiOperation& replaced, const Way& call, const std::string& side) {
        PastedCode code;
        try {
            const Inequality both =
                resolve(parse_statement(fmt::format("{} <= {}", call.name(), side)));
            if (both.right.algorithm() != nullptr) return;
            code = code_to_paste(described(both.right), call, implementations_);
        } catch (const NotationError&) {
            return;  // there is no such way
        }
        if (code.text.empty() || !known_.insert(key(call, code)).second) return;
        print_function(known_.size(), replaced, side, code);
        table_ += fmt::format("    {{\"{0}\", \"{0} -> {1}\", \"{2}\", code_{3}}},\n",
                              replaced.name, side, fmt::join(code.needs, ", "), known_.size());
    }

    std::vector<record::Implementation> implementations_;
    std::set<std::string> known_;
    std::string table_;
};

}  // namespace

int main(int, char** arguments) {
    Codes codes;
    codes.add_all();
    codes.print_table();
    std::vector<Guideline> guidelines = derive_guidelines(2);
    for (const auto& file : std::filesystem::directory_iterator(arguments[1]))
        // The guidelines of grid.json name algorithms for networks, which have no code.
        if (file.path().filename() != "grid.json")
            for (Guideline& each : parse_guidelines(read_file(file.path()), file.path()))
                guidelines.push_back(std::move(each));
    const std::vector<std::string> missing = codes.missing_of(guidelines);
    for (const std::string& each : missing) fmt::print(stderr, "not compared: {}\n", each);
    return missing.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}
