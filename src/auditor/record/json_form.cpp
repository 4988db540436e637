// SPDX-License-Identifier: BSD-3-Clause
#include "record/json_form.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_set>

#include "record/json_members.h"
#include "text/exit_code.h"

namespace mpiaudit::record {

using nlohmann::json;

namespace {

template <class... Words>
void require(bool is_true, fmt::format_string<Words...> what, Words&&... words) {
    if (!is_true) throw make_invalid_argument(what, std::forward<Words>(words)...);
}

/// Comes before all other reading: in another major version any key may have another meaning.
void require_known_schema(const LocatedJson& header) {
    const LocatedJson version = header.at("schema_version");
    const std::string found = version.text();
    // Version 2 of samples writes commands as lists of words. Nothing else differs from version 1.
    for (const std::string_view major : {"1.", "2."})
        if (found.starts_with(major) && found.size() > major.size()) return;
    version.refuse(fmt::format(
        "is {}, this version of mpiaudit reads 1.x and 2.x: use the one that made the audit",
        found));
}

/// Throws if members of the header contradict each other.
void require_consistency(const Header& header) {
    require(!header.command.empty(), "command must not be empty");
    const OptionValue& seed = option_in(header.options, "order-seed");
    require(seed != OptionValue(), "options.order-seed is missing");
    require(std::holds_alternative<std::uint64_t>(seed),
            "options.order-seed must be an integer, is {}", in_words(seed));
    require(header.planned.empty() || header.planned.size() == header.planned_problems,
            "planned has {} ids, of {} planned_problems", header.planned.size(),
            header.planned_problems);
    require(!header.simulated || header.simulation, "simulation is missing");
    require(header.rule.alpha > 0 && header.rule.alpha < 1,
            "rule.alpha must be between 0 and 1, is {}", header.rule.alpha);
    const MachineDescription& machine = header.machine;
    for (std::size_t i = 0; i < machine.bindings.size(); ++i) {
        const std::string& by = machine.bindings[i].bound_by;
        require(by == "launcher" || by == "mpiaudit" || by == "nobody" || by == "unknown",
                "machine.bindings[{}].bound_by must be one of launcher, mpiaudit, nobody, unknown, "
                "is '{}'",
                i, by);
    }
}

/// Returns in how many rounds each contestant ran.
std::vector<std::size_t> occurrences(const std::vector<std::vector<int>>& order,
                                     std::size_t contestants, const std::string& key) {
    std::vector<std::size_t> times(contestants), last_round(contestants);  // counted from 1
    for (std::size_t round = 0; round < order.size(); ++round) {
        for (std::size_t i = 0; i < order[round].size(); ++i) {
            const auto place = static_cast<std::size_t>(order[round][i]);
            require(place < contestants,
                    "{}[{}][{}] must be below {}, the number of contestants, is {}", key, round, i,
                    contestants, place);
            // The first of two calls in a repeat round has no sample.
            const bool is_repeated = i > 0 && order[round][i] == order[round][i - 1] &&
                                     (i < 2 || order[round][i] != order[round][i - 2]);
            if (is_repeated) continue;
            require(last_round[place] != round + 1,
                    "{}[{}][{}] is {}, which ran in that round before", key, round, i, place);
            last_round[place] = round + 1;
            ++times[place];
        }
    }
    return times;
}

void require_samples(const std::vector<double>& samples_s, std::size_t rounds,
                     const std::string& key, const std::string& order) {
    require(samples_s.size() == rounds,
            "{} must have {} elements, as many as {} has rounds of it, has {}", key, rounds, order,
            samples_s.size());
}

/// Throws unless each check names a guideline of the audit, no guideline has two checks, and the
/// contestants exist.
void require_checks(const ProblemRecord& problem, const Header& header) {
    std::unordered_set<std::string_view> known, seen;
    known.reserve(header.guidelines.size());
    for (const GuidelineRecord& each : header.guidelines) known.insert(each.id);
    const std::size_t contestants = problem.contestants.size();
    for (std::size_t i = 0; i < problem.checks.size(); ++i) {
        const Check& check = problem.checks[i];
        require(known.contains(check.guideline),
                "checks[{}].guideline is '{}', which is no guideline of the audit", i,
                check.guideline);
        require(seen.insert(check.guideline).second,
                "checks[{}].guideline is '{}', which is checked before", i, check.guideline);
        for (const auto& [side, place] :
             {std::pair{"left", check.left}, std::pair{"right", check.right}})
            require(place < contestants,
                    "checks[{}].{} must be below {}, the number of contestants, is {}", i, side,
                    contestants, place);
    }
}

/// Checks the rounds with a young heap.
void require_samples_of_young_heap(const MoreRounds& young, std::size_t contestants) {
    const auto rounds = occurrences(young.order, contestants, "young_heap.order");
    require(young.samples_s.size() == contestants,
            "young_heap.samples_s must have {} elements, one for each contestant, has {}",
            contestants, young.samples_s.size());
    for (std::size_t i = 0; i < contestants; ++i)
        require_samples(young.samples_s[i], rounds[i], fmt::format("young_heap.samples_s[{}]", i),
                        "young_heap.order");
}

/// Throws unless the contestants exist and no more calls are long than were made.
void require_tails(const std::vector<TailRecord>& tails, std::size_t contestants) {
    for (std::size_t i = 0; i < tails.size(); ++i) {
        const judge::LongCalls& calls = tails[i].calls;
        require(std::max(tails[i].left, tails[i].right) < contestants,
                "tails[{}] must name contestants below {}, names {} and {}", i, contestants,
                tails[i].left, tails[i].right);
        const auto left_long = static_cast<int>(calls.left_long_s.size());
        require(left_long + calls.right_long <= calls.rounds,
                "tails[{}] has {} and {} long calls in {} rounds, at most one in each", i,
                left_long, calls.right_long, calls.rounds);
    }
}

/// Throws if the problem contradicts the header, or if its samples do not fit its rounds.
void require_consistency(const ProblemRecord& problem, const Header& header) {
    const ProblemDescription& what = problem.problem;
    require(what.ranks == header.machine.ranks, "ranks is {}, but the audit has {}", what.ranks,
            header.machine.ranks);
    require(what.root < what.ranks, "root must be below {}, the number of ranks, is {}", what.ranks,
            what.root);
    const auto ranks = static_cast<std::size_t>(what.ranks);
    require(problem.counts.size() == ranks,
            "counts must have {} elements, one for each rank, has {}", ranks,
            problem.counts.size());
    const auto rounds = occurrences(problem.order, problem.contestants.size(), "order");
    for (std::size_t i = 0; i < problem.contestants.size(); ++i) {
        const Contestant& each = problem.contestants[i];
        const std::string key = fmt::format("contestants[{}].", i);
        require_samples(each.samples_s, rounds[i], key + "samples_s", "order");
    }
    require_checks(problem, header);
    if (problem.young_heap)
        require_samples_of_young_heap(*problem.young_heap, problem.contestants.size());
    require_tails(problem.tails, problem.contestants.size());
}

json line_of_kind(const char* kind, const auto& record) {
    json line = record;
    line["kind"] = kind;
    return line;
}

}  // namespace

std::string kind_of(const json& line) {
    if (!line.is_object()) return "";
    const auto kind = line.find("kind");
    return kind != line.end() && kind->is_string() ? kind->get<std::string>() : "";
}

Header header_of(const json& line) {
    const LocatedJson object(line);
    require_known_schema(object);
    Header header = read_members<Header>(object);
    MemberReader(object).required("planned_problems", header.planned_problems);
    MemberReader(object).optional("planned", header.planned);
    require_consistency(header);
    return header;
}

json line_of(const Header& header) {
    json line = line_of_kind("header", header);
    MemberWriter(line).required("planned_problems", header.planned_problems);
    MemberWriter(line).optional("planned", header.planned);
    return line;
}

End end_of(const json& line) {
    const LocatedJson object(line);
    End end = read_members<End>(object);
    MemberReader(object.at("machine")).required("warnings", end.machine.warnings);
    return end;
}

json line_of(const End& end) {
    json line = line_of_kind("end", end);
    line["machine"]["warnings"] = end.machine.warnings;
    return line;
}

ProblemRecord problem_of(const json& line, const Header& header) {
    const LocatedJson object(line);
    ProblemRecord problem = read_members<ProblemRecord>(object);
    require_consistency(problem, header);
    return problem;
}

ProblemDescription description_of(const json& problem) {
    return read_members<ProblemDescription>(LocatedJson(problem));
}

Incident incident_of(const json& line) {
    return read_members<Incident>(LocatedJson(line));
}

json line_of(const Incident& incident) {
    return line_of_kind("incident", incident);
}

GeneratedCalls generated_calls_of(const json& line) {
    return read_members<GeneratedCalls>(LocatedJson(line));
}

json line_of(const GeneratedCalls& generated) {
    return line_of_kind("calls", generated);
}

json line_of(const ProblemRecord& problem) {
    return line_of_kind("problem", problem);
}

}  // namespace mpiaudit::record
