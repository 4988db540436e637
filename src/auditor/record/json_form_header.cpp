// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "record/json_form.h"
#include "record/json_members.h"

namespace mpiaudit {

using nlohmann::json;

template <>
struct Form<OptionValues> {
    static json written(const OptionValues& options) {
        json object = json::object();
        for (const NamedOption& each : options)
            object[each.name] =
                std::visit([](const auto& value) { return value_json(value); }, each.value);
        return object;
    }
    static OptionValues read(const LocatedJson& from) {
        OptionValues options;
        from.for_each_member([&](std::string name, const LocatedJson& value) {
            options.push_back({std::move(name), value_of(value)});
        });
        return options;
    }

  private:
    static json value_json(std::monostate) { return nullptr; }
    static json value_json(const auto& value) { return value; }
    static OptionValue value_of(const LocatedJson& from) {
        switch (from.type()) {
            case LocatedJson::Type::null:
                return std::monostate{};
            case LocatedJson::Type::boolean:
                return from.boolean();
            case LocatedJson::Type::integer:
                return from.unsigned_integer();
            case LocatedJson::Type::number:
                return from.number(0);
            case LocatedJson::Type::array:
                return from.list([](const LocatedJson& each) { return each.text(); });
            default:
                return from.text();
        }
    }
};

/// A value that is written as its name.
template <class Value, const auto& names>
struct FormByName {
    static json written(Value value) { return names[value]; }
    static Value read(const LocatedJson& from) {
        return names.entries[from.choice(names.all())].first;
    }
};

template <>
struct Form<judge::Criterion> : FormByName<judge::Criterion, judge::criterion_names> {};

template <>
struct Form<judge::Outliers> : FormByName<judge::Outliers, judge::outliers_names> {};

template <>
constexpr auto members_of<record::Tool> = [](auto& io, auto& tool) {
    io.required("name", tool.name);
    io.required("version", tool.version);
    io.required("commit", tool.commit);
};

template <>
constexpr auto members_of<record::Library> = [](auto& io, auto& mpi) {
    io.required("library", mpi.library);
    io.required("standard", mpi.standard);
    io.optional("file", mpi.file);
    io.optional("checksum", mpi.checksum);
};

template <>
constexpr auto members_of<record::Job> = [](auto& io, auto& job) {
    io.optional("launcher", job.launcher);
    io.optional("record", job.record);
};

template <>
constexpr auto members_of<record::Continued> = [](auto& io, auto& continued) {
    io.required("started", continued.started);
    io.required("hosts", continued.hosts);
    io.required("job", continued.job);
};

template <>
constexpr auto members_of<record::Simulation> = [](auto& io, auto& simulation) {
    io.required("simulator", simulation.simulator);
    io.required("platform", simulation.platform);
    io.required("platform_parameters", simulation.platform_parameters);
    io.required("start", simulation.start);
    io.required("settings", simulation.settings);
};

template <>
constexpr auto members_of<HostSpeed> = [](auto& io, auto& speed) {
    io.required("handover_s", speed.handover_s);
    io.required("copy_bytes_per_s", speed.copy_bytes_per_s);
};

template <>
constexpr auto members_of<Host> = [](auto& io, auto& host) {
    io.required("name", host.name);
    io.required("ranks", host.ranks);
    io.optional("topology", host.topology);
    io.optional("conditions", host.conditions);
    io.optional("speed", host.speed);
};

template <>
constexpr auto members_of<RankBinding> = [](auto& io, auto& binding) {
    io.required("rank", binding.rank);
    io.required("host", binding.host);
    io.optional("launched_on", binding.launched_on);
    io.required("processing_units", binding.processing_units);
    io.required("bound_by", binding.bound_by);
};

template <>
constexpr auto members_of<MachineDescription> = [](auto& io, auto& machine) {
    io.required("ranks", machine.ranks, 1);
    io.required("hosts", machine.hosts);
    io.required("bindings", machine.bindings);
};

template <>
constexpr auto members_of<MachineAfter::Moved> = [](auto& io, auto& moved) {
    io.required("rank", moved.rank);
    io.required("moves", moved.moves);
};

template <>
constexpr auto members_of<MachineAfter> = [](auto& io, auto& after) {
    io.required("conditions", after.conditions);
    io.required("moved_ranks", after.moved_ranks);
    io.required("rebound_ranks", after.rebound_ranks);
};

template <>
constexpr auto members_of<record::ClockRecord::Global> = [](auto& io, auto& clock) {
    io.required("error_s", clock.error_s, any_number);
    io.required("round_trip_s", clock.round_trip_s);
    io.required("drift", clock.drift, any_number);
    io.optional("worst_error_s", clock.worst_error_s);
};

template <>
constexpr auto members_of<record::ClockRecord> = [](auto& io, auto& clock) {
    io.required("name", clock.name);
    io.required("resolution_s", clock.resolution_s);
    io.required("read_s", clock.read_s);
    io.required("synchronisation", clock.synchronisation);
    io.optional("global", clock.global);
};

// But for what follows from the simulation.
template <>
constexpr auto members_of<record::RuleRecord> = [](auto& io, auto& rule) {
    io.required("criterion", rule.criterion);
    io.optional("outliers", rule.outliers);
    io.required("tolerance", rule.tolerance);
    io.required("alpha", rule.alpha);
    io.required("checks", rule.checks);
    io.required("max_rounds", rule.max_rounds);
};

template <>
constexpr auto members_of<NodeModel> = [](auto& io, auto& nodes) {
    io.required("ranks_per_node", nodes.ranks_per_node, 1);
    io.required("alpha_s", nodes.alpha);
    io.required("beta_s_per_byte", nodes.beta);
    io.required("memory", nodes.memory);
    io.required("send_within_s", nodes.within.send);
    io.required("receive_within_s", nodes.within.receive);
    io.required("send_between_s", nodes.between.send);
    io.required("receive_between_s", nodes.between.receive);
    io.required("eager_bytes", nodes.eager_bytes);
};

template <>
constexpr auto members_of<LinearModel> = [](auto& io, auto& model) {
    io.required("alpha_s", model.alpha);
    io.required("beta_s_per_byte", model.beta);
    io.required("gamma_s_per_byte", model.gamma);
    io.optional("nodes", model.nodes);
};

template <>
constexpr auto members_of<record::DistributionRecord> = [](auto& io, auto& distribution) {
    io.required("name", distribution.name);
    io.required("summary", distribution.summary);
    io.required("source", distribution.source);
    io.optional("formula", distribution.formula);
    io.optional("counts", distribution.counts);
    io.required("parameters", distribution.parameters, any_number);
    io.optional("repeats", distribution.repeats);
};

template <>
constexpr auto members_of<record::GuidelineRecord> = [](auto& io, auto& guideline) {
    io.required("id", guideline.id);
    io.required("statement", guideline.statement);
    io.required("source", guideline.source);
    io.required("advice", guideline.advice);
    io.required("file", guideline.file);
};

template <>
constexpr auto members_of<record::Implementation> = [](auto& io, auto& arrow) {
    io.required("name", arrow.name);
    io.required("collective", arrow.collective);
    io.required("from", arrow.from);
    io.required("to", arrow.to);
    io.required("native", arrow.native);
    io.required("summary", arrow.summary);
    io.optional("written_as", arrow.written_as);
    io.optional("stands_for", arrow.stands_for);
};

template <>
constexpr auto members_of<record::DuplicateRecord> = [](auto& io, auto& duplicate) {
    io.required("problem", duplicate.problem);
    io.required("equal_to", duplicate.equal_to);
};

template <>
constexpr auto members_of<application::SelectedProblem> = [](auto& io, auto& problem) {
    io.required("name", problem.name);
    io.required("collective", problem.collective);
    io.required("counts", problem.counts);
    io.required("element", problem.element);
    io.optional("operator", problem.op);
    io.required("root", problem.root);
    io.optional("depends_on_order", problem.depends_on_order);
    io.optional("stand_ins", problem.stand_ins);
    io.required("calls", problem.calls);
    io.required("seconds", problem.seconds);
    io.required("share", problem.share);
};

template <>
constexpr auto members_of<application::LeftOutProblem> = [](auto& io, auto& problem) {
    io.required("name", problem.name);
    io.required("collective", problem.collective);
    io.required("calls", problem.calls);
    io.required("seconds", problem.seconds);
    io.required("reason", problem.reason);
    io.optional("command", problem.command);
    io.optional("is_elsewhere", problem.is_elsewhere);
    io.optional("is_here", problem.is_here);
    io.optional("is_placed_otherwise", problem.is_placed_otherwise);
};

template <>
constexpr auto members_of<application::Selection> = [](auto& io, auto& selection) {
    io.required("program", selection.program);
    io.required("library", selection.library);
    io.required("ranks", selection.ranks, 1);
    io.required("seconds", selection.seconds);
    io.required("problems", selection.problems);
    io.required("left_out", selection.left_out);
};

template <>
constexpr auto members_of<record::Header> = [](auto& io, auto& header) {
    io.required("schema_version", header.schema_version);
    io.required("tool", header.tool);
    io.required("started", header.started);
    io.required("command", header.command);
    io.required("options", header.options);
    io.required("default_options", header.default_options);
    io.required("mpi", header.mpi);
    io.required("machine", header.machine);
    io.required("job", header.job);
    io.required("simulated", header.simulated);
    io.optional("simulation", header.simulation);
    io.required("clock", header.clock);
    io.required("environment", header.environment);
    io.required("warnings", header.warnings);
    io.required("rule", header.rule);
    io.optional("cost_model", header.cost_model);
    io.required("distributions", header.distributions);
    io.required("guidelines", header.guidelines);
    io.required("implementations", header.implementations);
    io.optional("confirms", header.confirms);
    io.optional("duplicates", header.duplicates);
    io.optional("not_audited", header.not_audited);
    io.optional("application", header.application);
};

namespace record {
namespace {

void refuse(const std::string& what) {
    throw std::invalid_argument(what);
}

/// Before anything else is read: another major version may mean something else by any key.
void require_known_schema(const LocatedJson& header) {
    const LocatedJson version = header.at("schema_version");
    const std::string known = record::schema_version, found = version.text();
    const std::string major = known.substr(0, known.find('.') + 1);
    if (!found.starts_with(major) || found.size() == major.size())
        version.refuse(fmt::format(
            "is {}, this version of mpiaudit reads {}x: use the one that made the audit", found,
            major));
}

void require_consistency(const Header& header) {
    if (header.command.empty()) refuse("command must not be empty");
    const OptionValue* const seed = find_option(header.options, "order-seed");
    if (seed == nullptr) refuse("options.order-seed is missing");
    if (!std::holds_alternative<std::uint64_t>(*seed))
        refuse("options.order-seed must be an integer, is " + in_words(*seed));
    if (!header.planned.empty() && header.planned.size() != header.planned_problems)
        refuse(fmt::format("planned has {} ids, of {} planned_problems", header.planned.size(),
                           header.planned_problems));
    if (header.simulated && !header.simulation) refuse("simulation is missing");
    if (header.rule.alpha <= 0 || header.rule.alpha >= 1)
        refuse(fmt::format("rule.alpha must be between 0 and 1, is {}", header.rule.alpha));
    const MachineDescription& machine = header.machine;
    for (std::size_t i = 0; i < machine.bindings.size(); ++i) {
        const std::string& by = machine.bindings[i].bound_by;
        if (by != "launcher" && by != "mpiaudit" && by != "nobody")
            refuse(
                fmt::format("machine.bindings[{}].bound_by must be one of launcher, mpiaudit, "
                            "nobody, is '{}'",
                            i, by));
    }
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
    json line = {{"kind", "header"}, {"planned_problems", header.planned_problems}};
    MemberWriter(line).optional("planned", header.planned);
    write_members(line, header);
    return line;
}

End end_of(const json& line) {
    const LocatedJson object(line);
    End end;
    MemberReader reader(object);
    reader.required("ended", end.ended);
    reader.required("machine", end.machine);
    MemberReader(object.at("machine")).required("warnings", end.machine.warnings);
    return end;
}

json line_of(const End& end) {
    json line = {{"kind", "end"}};
    MemberWriter writer(line);
    writer.required("ended", end.ended);
    writer.required("machine", end.machine);
    line["machine"]["warnings"] = end.machine.warnings;
    return line;
}

Continued continued_of(const LocatedJson& object) {
    return read_members<Continued>(object);
}

}  // namespace record

template void write_members(json&, const record::Header&);
template void write_members(json&, const MachineDescription&);
template void write_members(json&, const MachineAfter&);
template void write_members(json&, const record::Confirms&);
template void write_members(json&, const record::Continued&);

}  // namespace mpiaudit
