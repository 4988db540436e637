// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <set>
#include <stdexcept>

#include "record/json_form.h"
#include "record/json_members.h"

namespace mpiaudit {

using nlohmann::json;

template <>
struct Form<record::Stopped> {
    static constexpr std::array<std::string_view, 3> words = {"decided", "rounds", "budget"};
    static json written(record::Stopped stopped) {
        return words[static_cast<std::size_t>(stopped)];
    }
    static record::Stopped read(const LocatedJson& from) {
        return static_cast<record::Stopped>(from.choice(words));
    }
};

template <>
struct Form<record::Step> {
    static json written(const record::Step& step) { return step.text(); }
    static record::Step read(const LocatedJson& from) { return record::Step(from.text()); }
};

template <>
constexpr auto members_of<record::WarmUpRecord> = [](auto& io, auto& warm_up) {
    io.required("rounds", warm_up.rounds);
    io.optional("settled", warm_up.settled);
};

template <>
constexpr auto members_of<record::BarrierTimes> = [](auto& io, auto& barrier) {
    io.required("before_s", barrier.before_s);
    io.required("after_s", barrier.after_s);
};

template <>
constexpr auto members_of<record::WindowRecord> = [](auto& io, auto& window) {
    io.required("late_starts", window.late_starts);
    io.required("dropped_rounds", window.dropped_rounds);
    io.optional("unclear_rounds", window.unclear_rounds);
    io.required("ahead_s", window.ahead_s);
    io.required("clock_error_s", window.clock_error_s, any_number);
    io.required("clock_round_trip_s", window.clock_round_trip_s);
    io.optional("own_time_s", window.own_time_s);
    io.optional("instead", window.instead);
};

template <>
constexpr auto members_of<record::RankTimesRecord> = [](auto& io, auto& times) {
    io.required("arrivals_s", times.arrivals_s, any_number);
    io.required("exits_s", times.exits_s, any_number);
};

template <>
constexpr auto members_of<record::ContestantDescription> = [](auto& io, auto& contestant) {
    io.required("name", contestant.name);
    io.required("from", contestant.from);
    io.required("to", contestant.to);
    io.required("steps", contestant.steps);
    io.optional("forced", contestant.forced);
    io.optional("skipped", contestant.skipped);
    io.optional("wrong", contestant.wrong);
    io.optional("predicted_s", contestant.predicted_s);
    io.optional("lower_bound_s", contestant.lower_bound_s);
    io.optional("first_call_bytes", contestant.first_call_bytes);
    io.optional("further_call_bytes", contestant.further_call_bytes);
    io.optional("lost_bytes", contestant.lost_bytes);
    io.optional("call_bytes", contestant.call_bytes);
};

template <>
constexpr auto members_of<record::Contestant> = [](auto& io, auto& contestant) {
    members_of<record::ContestantDescription>(io, contestant);
    io.optional("samples_s", contestant.samples_s);
    io.optional("rank_times", contestant.rank_times);
};

template <>
constexpr auto members_of<record::Check> = [](auto& io, auto& check) {
    io.required("guideline", check.guideline);
    io.required("left", check.left);
    io.required("right", check.right);
};

template <>
constexpr auto members_of<record::SecondWay> = [](auto& io, auto& second) {
    io.required("synchronisation", second.synchronisation);
    io.required("order", second.order);
    io.required("samples_s", second.samples_s);
    io.optional("rank_times", second.rank_times);
    io.required("stopped", second.stopped);
};

template <>
constexpr auto members_of<record::OtherHeap> = [](auto& io, auto& other) {
    io.required("order", other.order);
    io.required("samples_s", other.samples_s);
    io.required("stopped", other.stopped);
};

template <>
constexpr auto members_of<record::ProblemDescription> = [](auto& io, auto& problem) {
    io.required("id", problem.id);
    io.required("distribution", problem.distribution);
    io.required("block_size", problem.block_size);
    io.required("ranks", problem.ranks, 1);
    io.required("root", problem.root);
    io.required("element", problem.element);
    io.required("element_bytes", problem.element_bytes, 1);
    io.required("operator", problem.op);
    io.required("total", problem.total);
    io.required("padded_total", problem.padded_total);
    io.required("smallest", problem.smallest);
    io.required("largest", problem.largest);
    io.optional("verification", problem.verification);
    io.optional("chosen", problem.chosen);
    io.optional("next_block_size", problem.next_block_size);
};

template <>
constexpr auto members_of<record::ProblemRecord> = [](auto& io, auto& problem) {
    members_of<record::ProblemDescription>(io, problem.problem);
    io.required("counts", problem.counts);
    io.required("contestants", problem.contestants);
    io.required("order", problem.order);
    io.required("checks", problem.checks);
    io.required("stopped", problem.stopped);
    io.required("warm_up", problem.warm_up);
    io.optional("barrier", problem.barrier);
    io.optional("window", problem.window);
    io.optional("buffer_sets", problem.buffer_sets);
    io.optional("second", problem.second);
    io.optional("young_heap", problem.young_heap);
    io.required("elapsed_s", problem.elapsed_s);
};

namespace record {
namespace {

template <class... Words>
void require(bool is_true, fmt::format_string<Words...> what, Words&&... words) {
    if (!is_true) throw std::invalid_argument(fmt::format(what, std::forward<Words>(words)...));
}

/// In how many rounds each of the contestants ran.
std::vector<std::size_t> occurrences(const std::vector<std::vector<int>>& order,
                                     std::size_t contestants, const std::string& key) {
    std::vector<std::size_t> times(contestants), last_round(contestants);  // counted from 1
    for (std::size_t round = 0; round < order.size(); ++round) {
        for (std::size_t i = 0; i < order[round].size(); ++i) {
            const auto place = static_cast<std::size_t>(order[round][i]);
            require(place < contestants,
                    "{}[{}][{}] must be below {}, the number of contestants, is {}", key, round, i,
                    contestants, place);
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

void require_rank_times(const RankTimesRecord& times, std::size_t samples, std::size_t ranks,
                        const std::string& key) {
    for (const auto& [name, rows] :
         {std::pair{"arrivals_s", &times.arrivals_s}, std::pair{"exits_s", &times.exits_s}}) {
        require(rows->size() == samples, "{}.{} must have {} elements, one for each sample, has {}",
                key, name, samples, rows->size());
        for (std::size_t i = 0; i < rows->size(); ++i)
            require((*rows)[i].size() == ranks,
                    "{}.{}[{}] must have {} elements, one for each rank, has {}", key, name, i,
                    ranks, (*rows)[i].size());
    }
}

void require_checks(const ProblemRecord& problem, const Header& header) {
    std::set<std::string_view> known, seen;
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

/// Other samples of the same contestants; returns how many each has.
std::vector<std::size_t> require_samples_of_each(const std::vector<std::vector<int>>& order,
                                                 const std::vector<std::vector<double>>& samples_s,
                                                 std::size_t contestants, const std::string& key) {
    std::vector<std::size_t> rounds = occurrences(order, contestants, key + ".order");
    require(samples_s.size() == contestants,
            "{}.samples_s must have {} elements, one for each contestant, has {}", key, contestants,
            samples_s.size());
    for (std::size_t i = 0; i < contestants; ++i)
        require_samples(samples_s[i], rounds[i], fmt::format("{}.samples_s[{}]", key, i),
                        key + ".order");
    return rounds;
}

void require_second(const ProblemRecord& problem) {
    const SecondWay& second = *problem.second;
    const std::size_t contestants = problem.contestants.size();
    const auto ranks = static_cast<std::size_t>(problem.problem.ranks);
    const auto rounds =
        require_samples_of_each(second.order, second.samples_s, contestants, "second");
    require(second.rank_times.empty() || second.rank_times.size() == contestants,
            "second.rank_times must have {} elements, one for each contestant, has {}", contestants,
            second.rank_times.size());
    for (std::size_t i = 0; i < second.rank_times.size(); ++i)
        require_rank_times(second.rank_times[i], rounds[i], ranks,
                           fmt::format("second.rank_times[{}]", i));
}

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
        if (!each.rank_times.empty())
            require_rank_times(each.rank_times, rounds[i], ranks, key + "rank_times");
    }
    require_checks(problem, header);
    if (problem.second) require_second(problem);
    if (problem.young_heap)
        require_samples_of_each(problem.young_heap->order, problem.young_heap->samples_s,
                                problem.contestants.size(), "young_heap");
}

}  // namespace

ProblemRecord problem_of(const json& line, const Header& header) {
    const LocatedJson object(line);
    ProblemRecord problem = read_members<ProblemRecord>(object);
    if (const auto continued = object.find("continued"))
        problem.continued = continued_of(*continued);
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
    json line = {{"kind", "incident"}};
    write_members(line, incident);
    return line;
}

json line_of(const ProblemRecord& problem) {
    json line = {{"kind", "problem"}};
    write_members(line, problem);
    if (problem.continued) write_members(line["continued"], *problem.continued);
    return line;
}

}  // namespace record

template void write_members(json&, const record::ProblemDescription&);
template void write_members(json&, const record::ContestantDescription&);
template void write_members(json&, const record::WarmUpRecord&);
template void write_members(json&, const record::BarrierTimes&);
template void write_members(json&, const record::WindowRecord&);

}  // namespace mpiaudit
