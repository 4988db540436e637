// SPDX-License-Identifier: BSD-3-Clause
#include "known_faults/known_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "files/files.h"
#include "files/shipped_files.h"
#include "random/random_bits.h"
#include "text/exit_code.h"
#include "text/json_text.h"

namespace mpiaudit::library_faults {
namespace {

constexpr std::array<std::string_view, 2> effects = {"wrong", "ends the launch"};
constexpr std::array<std::string_view, 2> libraries = {"Open MPI", "MPICH"};

/// Returns the lines on which the objects of the list in a valid document begin.
std::vector<int> lines_of_objects(std::string_view text) {
    constexpr int depth_of_objects = 3;
    std::vector<int> lines;
    int line = 1, depth = 0;
    bool is_string = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char each = text[at];
        if (each == '\n') ++line;
        if (is_string && each == '\\')
            ++at;
        else if (each == '"')
            is_string = !is_string;
        else if (!is_string && (each == '{' || each == '[') && ++depth == depth_of_objects)
            lines.push_back(line);
        else if (!is_string && (each == '}' || each == ']'))
            --depth;
    }
    return lines;
}

Release read_release(const LocatedJson& json) {
    const auto release = release_of(json.text());
    if (!release) json.refuse("must be a release such as 5.0.7 or 6.0.0rc2, is " + json.dump());
    return *release;
}

Releases read_releases(const LocatedJson& json) {
    check_keys(json, {"first", "last"}, "releases");
    Releases made{.first = std::nullopt, .last = read_release(json.at("last"))};
    if (const auto first = json.find("first")) made.first = read_release(*first);
    if (made.first && (made.first->front() != made.last.front() || *made.first > made.last))
        json.refuse("must be releases of one series, the first one before the last one");
    return made;
}

std::vector<std::string> read_texts(const LocatedJson& json) {
    auto texts = json.list([](const LocatedJson& each) { return each.text(); });
    if (texts.empty()) json.refuse("must not be empty");
    return texts;
}

std::optional<int> read_limit(const LocatedJson& json, const char* key) {
    const auto limit = json.find(key);
    return limit ? std::optional(static_cast<int>(limit->integer(1, 1 << 20))) : std::nullopt;
}

void read_limits(const LocatedJson& json, Fault& fault) {
    constexpr const char *ranks = "ranks", *periodic = "ranks of a periodic dimension";
    if (const auto least = json.find("at_least")) {
        check_keys(*least, {ranks}, "at_least");
        fault.least_ranks = read_limit(*least, ranks);
    }
    if (const auto most = json.find("at_most")) {
        check_keys(*most, {ranks, periodic}, "at_most");
        fault.most_ranks = read_limit(*most, ranks);
        fault.most_periodic_ranks = read_limit(*most, periodic);
    }
}

Fault read_fault(const LocatedJson& json) {
    check_keys(json,
               {"library", "releases", "effect", "when", "at_least", "at_most", "why", "call",
                "call_ranks", "program"},
               "fault");
    Fault fault;
    fault.library = libraries[json.at("library").choice(libraries)];
    fault.releases = json.at("releases").list(read_releases);
    if (fault.releases.empty()) json.at("releases").refuse("must not be empty");
    fault.ends_launch = json.at("effect").choice(effects) == 1;
    json.at("when").for_each_member([&](const std::string& property, const LocatedJson& values) {
        fault.when.push_back({property, read_texts(values)});
    });
    if (fault.when.empty()) json.at("when").refuse("must not be empty");
    read_limits(json, fault);
    fault.call = json.at("call").text();
    fault.call_ranks = static_cast<int>(json.at("call_ranks").integer(1, 1 << 20));
    if (const auto why = json.find("why")) why->text();
    if (const auto program = json.find("program")) fault.program = program->text();
    return fault;
}

}  // namespace

bool Releases::have(const Release& release) const {
    return release.front() == last.front() && release <= last && (!first || release >= *first);
}

bool Fault::is_of(const std::string& name) const {
    const auto release = release_of_library(name, library);
    return release &&
           std::ranges::any_of(releases, [&](const Releases& each) { return each.have(*release); });
}

std::string File::checksum() const {
    return fmt::format("{:016x}", hash_bits(text));
}

File shipped() {
    std::string file = shipped_file("libraries", known_faults_name);
    std::string text = read_file(file);
    return {std::move(file), std::move(text)};
}

std::vector<Fault> read(const File& file) {
    const JsonDocument document(file.text, file.origin);
    const LocatedJson list = in_file(file.origin, [&] {
        check_keys(document.root(), {"title", "faults"}, "known faults");
        return document.root().at("faults");
    });
    const std::size_t number = in_file(file.origin, [&] { return list.size(); });
    const std::vector<int> lines = lines_of_objects(file.text);
    std::vector<Fault> faults;
    for (std::size_t i = 0; i < number; ++i) {
        const std::string place = fmt::format("{}:{}", file.origin, lines[i]);
        faults.push_back(in_file(place, [&] { return read_fault(list.element(i)); }));
        faults.back().place = place;
    }
    return faults;
}

}  // namespace mpiaudit::library_faults
