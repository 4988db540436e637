// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "error_message.h"
#include "record/json_form.h"

// Removes every key of a real file of samples, and replaces every value.

namespace mpiaudit {
namespace {

using nlohmann::json;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

/// Returns a header, a problem and an end with every key that such a line can have, except
/// "simulation".
std::vector<json> sample_lines() {
    std::ifstream file(SOURCE_DIR "/tests/data/samples.jsonl");
    std::vector<json> lines;
    for (std::string text; std::getline(file, text);) lines.push_back(json::parse(text));
    return lines;
}

/// Returns the message about line `index`; empty if the line is accepted.
std::string refusal(const json& line, std::size_t index) {
    static const record::Header header = record::header_of(sample_lines().at(0));
    return error_message([&] {
        if (index == 0) record::header_of(line);
        if (index == 1) record::problem_of(line, header);
        if (index == 2) record::end_of(line);
    });
}

/// Returns contestants[2].samples_s[4] for /contestants/2/samples_s/4.
std::string in_words(const json::json_pointer& place) {
    if (place.empty()) return "";
    const std::string outer = in_words(place.parent_pointer()), last = place.back();
    if (last.find_first_not_of("0123456789") == std::string::npos) return outer + "[" + last + "]";
    return outer + (outer.empty() ? "" : ".") + last;
}

/// Collects all places of a document except the whole; of long arrays, the first element.
void collect(const json& value, const json::json_pointer& place,
             std::vector<json::json_pointer>& places) {
    if (!place.empty()) places.push_back(place);
    if (value.is_object()) {
        for (const auto& [key, member] : value.items()) collect(member, place / key, places);
    } else if (value.is_array() && !value.empty()) {
        collect(value.front(), place / 0, places);
    }
}

std::vector<json::json_pointer> places_in(const json& line) {
    std::vector<json::json_pointer> places;
    collect(line, json::json_pointer(), places);
    return places;
}

/// True for places named by the user or the machine, which are no keys of the form.
bool is_in_a_dictionary(const json::json_pointer& place) {
    const std::string outer = in_words(place.parent_pointer());
    return outer.starts_with("options") || outer.starts_with("default_options") ||
           outer == "environment" || outer == "machine.conditions" || outer.ends_with("parameters");
}

json without(json line, const json::json_pointer& place) {
    line.at(place.parent_pointer()).erase(place.back());
    return line;
}

TEST(DamagedSamples, MissingMembersAreNamed) {
    const std::set<std::string> optional = {
        "clock.global", "confirms", "cost_model", "distributions[0].formula", "job.launcher",
        "job.record", "machine.bindings[0].launched_on", "machine.hosts[0].conditions",
        "machine.hosts[0].conditions.frequency_governor",
        "machine.hosts[0].conditions.load_average", "machine.hosts[0].conditions.smt",
        "machine.hosts[0].topology", "machine.hosts[0].topology.l1_cache_bytes",
        "machine.hosts[0].topology.l2_cache_bytes", "machine.hosts[0].topology.l3_cache_bytes",
        "machine.hosts[0].topology.processor",  // keys of the problem follow
        "contestants[0].forced", "contestants[0].lower_bound_s", "contestants[0].predicted_s",
        "continued", "young_heap", "warm_up.settled", "window",
        // Keys of the end follow:
        "machine.conditions.node-0.load_average", "machine.conditions.node-0.smt"};
    const std::vector<json> lines = sample_lines();
    ASSERT_EQ(lines.size(), 3U);
    std::set<std::string> accepted;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        ASSERT_EQ(refusal(lines[i], i), "");
        for (const json::json_pointer& place : places_in(lines[i])) {
            const std::string key = in_words(place);
            if (key.ends_with("]") || key == "kind") continue;
            const std::string message = refusal(without(lines[i], place), i);
            if (is_in_a_dictionary(place) && key != "options.order-seed")
                EXPECT_EQ(message, "") << key;
            else if (message.empty())
                accepted.insert(key);
            else if (key == "contestants[0].samples_s")
                EXPECT_THAT(message, StartsWith(key + " must have 7 elements"));
            else
                EXPECT_EQ(message, key + " is missing");
        }
    }
    EXPECT_EQ(accepted, optional);
}

/// Audits before 0.2.0 kept the times of ranks.
TEST(DamagedSamples, AKeyThatIsGoneIsNotRead) {
    json problem = sample_lines().at(1);
    problem.at("contestants").at(0)["rank_times"] = 7;
    EXPECT_EQ(refusal(problem, 1), "");
}

TEST(DamagedSamples, AValueOfAnotherTypeIsNamed) {
    const std::vector<json> others = {
        nullptr,  true, "text", 7, -7, 0.5, json::array(), json::object(), {{"text", nullptr}},
        {nullptr}};
    const std::vector<json> lines = sample_lines();
    int refused = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        for (const json::json_pointer& place : places_in(lines[i])) {
            const std::string key = in_words(place);
            if (key == "kind") continue;
            for (const json& other : others) {
                if (lines[i].at(place).type() == other.type()) continue;
                json line = lines[i];
                line.at(place) = other;
                const std::string message = refusal(line, i);
                const bool is_number = lines[i].at(place).is_number() && other.is_number();
                // Version 1 has a text here, version 2 a list of words.
                const bool is_words = key == "job.launcher" && other == json::array();
                if (message.empty()) {
                    EXPECT_TRUE(is_number || is_words || is_in_a_dictionary(place))
                        << key << " = " << other;
                    continue;
                }
                ++refused;
                // The message may name another size that has to agree.
                EXPECT_THAT(message, AnyOf(StartsWith(key), HasSubstr(" must "))) << other;
                EXPECT_EQ(message.find("type_error"), std::string::npos) << message;
                EXPECT_EQ(message.find("json.exception"), std::string::npos) << message;
            }
        }
    }
    EXPECT_GT(refused, 800);
}

TEST(DamagedSamples, AnotherValueThatCannotBeIsNamed) {
    enum { header, problem };
    struct Case {
        std::size_t line;
        const char* place;
        json value;
        const char* said;  ///< after that place, unless the message names another place
    };
    for (const auto& [line, place, value, said] :
         {Case{problem, "/contestants/1/samples_s/4", -1e-6, " must be at least 0, is -1e-06"},
          Case{problem, "/root", -1, " must be at least 0, is -1"},
          Case{problem, "/root", 2, " must be below 2, the number of ranks, is 2"},
          Case{problem, "/ranks", 3000000000U, " must be at most 2147483647, is 3000000000"},
          Case{problem, "/ranks", 3, " is 3, but the audit has 2"},
          Case{problem, "/counts/0", 18446744073709551615U,
               " must be at most 9223372036854775807, is 18446744073709551615"},
          Case{problem, "/counts", {10, 10, 10}, " must have 2 elements, one for each rank, has 3"},
          Case{problem, "/stopped", "tired", " must be one of decided, rounds, budget, is 'tired'"},
          Case{problem, "/checks/1/left", 4, " must be below 4, the number of contestants, is 4"},
          Case{problem, "/checks/0/guideline", "none",
               " is 'none', which is no guideline of the audit"},
          Case{problem, "/checks/1/guideline", "false", " is 'false', which is checked before"},
          Case{problem, "/order/2/0", 9, " must be below 4, the number of contestants, is 9"},
          Case{problem, "/order/2", {0, 1, 0}, "order[2][2] is 0, which ran in that round before"},
          Case{problem, "/order/2", {0, 0, 0}, "order[2][2] is 0, which ran in that round before"},
          Case{problem, "/order/2", json::array(),
               "contestants[0].samples_s must have 6 elements, as many as order has rounds of it, "
               "has 7"},
          Case{problem, "/young_heap/samples_s/0", json::array(),
               " must have 2 elements, as many as young_heap.order has rounds of it, has 0"},
          Case{header, "/simulated", true, "simulation is missing"},
          Case{header, "/command", json::array(), " must not be empty"},
          Case{header, "/options/order-seed", "x", " must be an integer, is \"x\""},
          Case{header, "/rule/alpha", 1.5, " must be between 0 and 1, is 1.5"},
          Case{header, "/rule/criterion", "luck",
               " must be one of evidence, averages, minima, intervals, pgmpi, is 'luck'"},
          Case{header, "/machine/bindings/1/bound_by", "glue",
               " must be one of launcher, mpiaudit, nobody, unknown, is 'glue'"}}) {
        json changed = sample_lines().at(line);
        const json::json_pointer at(place);
        changed[at] = value;
        EXPECT_EQ(refusal(changed, line), said[0] == ' ' ? in_words(at) + said : said);
    }
}

}  // namespace
}  // namespace mpiaudit
