// SPDX-License-Identifier: BSD-3-Clause
// Defines parse_guidelines() of guideline.h.
#include "guidelines/guideline.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "algorithms/algorithms.h"
#include "catalogue/catalogue.h"
#include "guidelines/profile.h"
#include "text/exit_code.h"
#include "text/json_text.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

// Values of "for" that stand for all rows of the table of algorithms.
constexpr std::string_view of_algorithms = "reference algorithms";
constexpr std::string_view of_algorithms_on_nodes = "reference algorithms on nodes";

/// One guideline of a family: its operation ("Gather" for MPI_Gather) and, in some families, its
/// reference algorithm.
struct Case {
    std::string operation;
    std::string algorithm;
};

/// Returns the guidelines that a family stands for. Refuses a family that stands for none.
std::vector<Case> cases_of(const LocatedJson& family) {
    std::vector<Case> cases;
    if (family.is("all")) {
        for (const MpiOperation& each : mpi_operations)
            if (each.shape != Shape::nothing && !each.is_among_neighbours())
                cases.push_back({std::string(without_mpi(each.name)), ""});
    } else if (family.is(of_algorithms) || family.is(of_algorithms_on_nodes)) {
        const unsigned traits = family.is(of_algorithms) ? keeps_order : on_nodes;
        for (const Algorithm& each : algorithms())
            if ((each.traits & (on_nodes | of_library)) == traits)
                cases.push_back({std::string(without_mpi(each.operation)), each.name});
    } else if (family.is(LocatedJson::Type::object)) {
        family.for_each_member([&](const std::string& operation, const LocatedJson& algorithms) {
            for (std::size_t i = 0; i < algorithms.size(); ++i)
                cases.push_back({operation, algorithms.element(i).text()});
        });
    } else if (family.is(LocatedJson::Type::array)) {
        for (std::size_t i = 0; i < family.size(); ++i)
            cases.push_back({family.element(i).text(), ""});
    }
    if (cases.empty())
        family.refuse(
            fmt::format("must be \"all\", a list of operations such as [\"Bcast\", \"Gather\"], "
                        "\"{}\", \"{}\", or lists of some, {{\"Bcast\": [\"linear_Bcast\"]}}",
                        of_algorithms, of_algorithms_on_nodes));
    return cases;
}

/// Returns `text` with {Op} replaced as in MPI_Gather, {op} as in MPI_Igather, and {algorithm} by
/// the reference algorithm.
std::string filled(std::string text, const Case& of) {
    replace_all(text, "{Op}", of.operation);
    replace_all(text, "{op}", lower_case(of.operation));
    replace_all(text, "{algorithm}", of.algorithm);
    return text;
}

/// Returns the guidelines that an entry of a file stands for.
std::vector<Guideline> expanded(const Guideline& pattern, const std::vector<Case>& cases) {
    std::vector<Guideline> all;
    for (const Case& each : cases) {
        Guideline guideline = pattern;
        guideline.id = filled(pattern.id, each);
        guideline.statement = filled(pattern.statement, each);
        guideline.advice = filled(pattern.advice, each);
        // A barrier has no data.
        if (each.operation == "Barrier") replace_all(guideline.statement, "(m)", "");
        all.push_back(std::move(guideline));
    }
    return all;
}

/// Returns the line of the `index`-th "statement" key, counted from 0. The JSON library does not
/// give the place of a value. Each earlier guideline has a statement, or reading would have ended
/// before.
std::size_t line_of_statement(const std::string& text, std::size_t index) {
    std::size_t at = 0;
    for (std::size_t k = 0; k <= index && at != std::string::npos; ++k)
        at = text.find("\"statement\"", at + (k > 0 ? 1 : 0));
    const std::size_t end = std::min(at, text.size());
    return 1 + static_cast<std::size_t>(
                   std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
}

std::string text_member(const LocatedJson& object, const char* key, const std::string& where) {
    const auto found = object.find(key);
    if (!found) throw make_invalid_argument("{}: \"{}\" is missing", where, key);
    if (!found->is(LocatedJson::Type::text) || found->text().empty())
        throw make_invalid_argument("{}: \"{}\" must be a text", where, key);
    return found->text();
}

/// True for guidelines about algorithms of a product that is not in this program.
bool is_of_absent_product(const LocatedJson& object, const std::string& where) {
    return object.contains("product") && !has_product(text_member(object, "product", where));
}

Guideline read_guideline(const LocatedJson& entry, const std::string& source,
                         const std::string& where) {
    if (!entry.is(LocatedJson::Type::object))
        throw std::invalid_argument(where +
                                    ": a guideline must be an object with id and statement");
    check_keys(
        entry,
        {"id", "statement", "for", "advice", "source", "from_bytes", "to_bytes", "product", "look"},
        where);
    Guideline guideline;
    guideline.id = text_member(entry, "id", where);
    // --only separates ids by commas.
    if (guideline.id.find_first_of(", \t\n") != std::string::npos || guideline.id.front() == '-')
        throw make_invalid_argument("{}: \"id\" is '{}'; leave out commas, spaces and a - in front",
                                    where, guideline.id);
    guideline.statement = text_member(entry, "statement", where);
    guideline.source = entry.contains("source") ? text_member(entry, "source", where) : source;
    if (entry.contains("advice")) guideline.advice = text_member(entry, "advice", where);
    if (entry.contains("look")) guideline.look = text_member(entry, "look", where);
    if (const auto least = entry.find("from_bytes")) guideline.from_bytes = least->integer(1);
    if (const auto most = entry.find("to_bytes"))
        guideline.to_bytes = most->integer(guideline.from_bytes);
    return guideline;
}

/// Returns the guidelines of a profile of PGMPITuneLib: the operation is no slower than each of its
/// mock-ups, on the sizes of the mock-up.
std::vector<Guideline> guidelines_of_profile(const std::string& text, const std::string& origin) {
    const Profile profile = parse_profile(text, origin);
    std::vector<Guideline> guidelines;
    for (const ProfileRange& range : profile.ranges) {
        Guideline guideline;
        guideline.id = range.mockup + fmt::format("-{}-{}", range.from_bytes, range.to_bytes);
        std::ranges::replace(guideline.id, '_', '-');
        guideline.statement = fmt::format("{}(m) <= {}", profile.operation, range.path);
        guideline.source = "a profile of PGMPITuneLib";
        guideline.file = origin;
        guideline.from_bytes = range.from_bytes * profile.blocks();
        guideline.to_bytes = range.to_bytes * profile.blocks();
        guideline.ranks = profile.ranks;
        guideline.inequality =
            in_file(origin, [&] { return resolve(parse_statement(guideline.statement)); });
        guidelines.push_back(std::move(guideline));
    }
    return guidelines;
}

}  // namespace

std::vector<Guideline> parse_guidelines(const std::string& text, const std::string& origin) {
    if (is_profile(text)) return guidelines_of_profile(text, origin);
    if (!text.empty() && text.find_first_of("{[") == std::string::npos)
        throw std::invalid_argument(neither_json_nor_profile(text, origin));
    const JsonDocument document(text, origin);
    const LocatedJson file = document.root();
    if (!file.is(LocatedJson::Type::object))
        throw std::invalid_argument(origin + ": must be an object with a list \"guidelines\"");
    check_keys(file, {"title", "source", "product", "guidelines"}, origin);
    const std::string source = file.contains("source") ? text_member(file, "source", origin) : "";
    if (file.contains("title")) text_member(file, "title", origin);
    const auto entries = file.find("guidelines");
    if (!entries || !entries->is(LocatedJson::Type::array) || entries->size() == 0)
        throw std::invalid_argument(origin + ": \"guidelines\" must be a list that is not empty");

    std::vector<Guideline> guidelines;
    if (is_of_absent_product(file, origin)) return guidelines;
    std::set<std::string> ids;
    for (std::size_t i = 0; i < entries->size(); ++i) {
        const LocatedJson entry = entries->element(i);
        const bool has_statement =
            entry.is(LocatedJson::Type::object) && entry.contains("statement");
        const std::string where = has_statement
                                      ? fmt::format("{}:{}", origin, line_of_statement(text, i))
                                      : fmt::format("{}: guideline {}", origin, i + 1);
        Guideline pattern = read_guideline(entry, source, where);
        if (is_of_absent_product(entry, where)) continue;
        pattern.file = origin;
        const auto family = entry.find("for");
        std::vector<Guideline> of_entry = {pattern};
        if (family) of_entry = in_file(where, [&] { return expanded(pattern, cases_of(*family)); });
        for (Guideline& guideline : of_entry) {
            if (!ids.insert(guideline.id).second)
                throw make_invalid_argument("{}: the id '{}' stands twice", where, guideline.id);
            guideline.inequality =
                in_file(where, [&] { return resolve(parse_statement(guideline.statement)); });
            guidelines.push_back(std::move(guideline));
        }
    }
    return guidelines;
}

std::vector<std::string> absent_guidelines(const std::string& text, const std::string& origin) {
    std::vector<std::string> ids;
    if (is_profile(text)) return ids;
    const JsonDocument document(text, origin);
    const LocatedJson file = document.root(), entries = file.at("guidelines");
    const bool is_absent_file = is_of_absent_product(file, origin);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const LocatedJson entry = entries.element(i);
        if (!is_absent_file && !is_of_absent_product(entry, origin)) continue;
        const std::string id = text_member(entry, "id", origin);
        if (const auto family = entry.find("for"))
            for (const Case& each : cases_of(*family)) ids.push_back(filled(id, each));
        else
            ids.push_back(id);
    }
    return ids;
}

}  // namespace mpiaudit
