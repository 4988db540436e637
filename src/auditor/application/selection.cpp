// SPDX-License-Identifier: BSD-3-Clause
#include "application/selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "operations/operations.h"
#include "text/plain.h"
#include "types/basic_types.h"

namespace mpiaudit::application {
namespace {

using types::BasicType;

const BasicType& type_named(const char* name) {
    return *types::find_type(name);
}

/// Numbers the hosts in the order of their first ranks. Equal placements of ranks give equal lists.
std::vector<int> placement(const std::vector<int>& hosts) {
    std::map<int, int> numbers;
    std::vector<int> placed;
    for (const int host : hosts)
        placed.push_back(numbers.emplace(host, static_cast<int>(numbers.size())).first->second);
    return placed;
}

/// Returns the numbers of ranks on the hosts as text, such as 4+4.
std::string per_host(const std::vector<int>& placed) {
    std::map<int, int> ranks;
    for (const int host : placed) ++ranks[host];
    std::vector<int> numbers;
    for (const auto& [host, number] : ranks) numbers.push_back(number);
    return fmt::format("{}", fmt::join(numbers, "+"));
}

class Selector {
  public:
    Selector(const Recording& recording, const Launch& launch, const std::string& file)
        : recording_{recording}, launch_{launch}, file_{file} {
        for (std::size_t host = 0; host < recording.hosts.size(); ++host) {
            for (const int rank : recording.hosts[host].ranks)
                hosts_[rank] = static_cast<int>(host);
        }
    }

    Selection select() {
        selection_.program = recording_.program;
        selection_.library = recording_.library;
        selection_.ranks = recording_.ranks;
        for (std::size_t i = 0; i < recording_.problems.size(); ++i) add(i);
        const auto seconds = [](const auto& each) { return each.seconds; };
        std::ranges::stable_sort(selection_.problems, std::ranges::greater{}, seconds);
        std::ranges::stable_sort(selection_.left_out, std::ranges::greater{}, seconds);
        return std::move(selection_);
    }

  private:
    const Group& group_of(const Problem& problem) const {
        return recording_.groups[static_cast<std::size_t>(problem.group)];
    }

    /// Returns the seconds of a problem as a mean over the ranks of the file.
    double mean_seconds(const Problem& problem) const {
        return problem.seconds.sum / (recording_.part ? 1 : recording_.ranks);
    }

    /// Adds the problem at this index to the selection or to the problems left out.
    void add(std::size_t place) {
        const Problem& problem = recording_.problems[place];
        const double seconds = mean_seconds(problem);
        selection_.seconds += seconds;
        const std::string name = fmt::format("{}-{}", place + 1, without_mpi(problem.collective));
        SelectedProblem made;
        try {
            made = audited(problem);
        } catch (LeftOutProblem& left_out) {
            left_out.name = name;
            left_out.collective = problem.collective;
            left_out.calls = problem.calls;
            left_out.seconds = seconds;
            selection_.left_out.push_back(std::move(left_out));
            return;
        }
        made.name = name;
        made.calls = problem.calls;
        made.seconds = seconds;
        made.share = recording_.part ? 1.0
                                     : static_cast<double>(group_of(problem).ranks.size()) /
                                           static_cast<double>(recording_.ranks);
        join(std::move(made));
    }

    /// Adds a problem to the selection, or adds its calls and seconds to an equal problem.
    void join(SelectedProblem made) {
        const auto [known, is_new] =
            known_.try_emplace({made.collective, made.counts, made.element, made.op, made.root},
                               selection_.problems.size());
        if (is_new) {
            selection_.problems.push_back(std::move(made));
            return;
        }
        SelectedProblem& first = selection_.problems[known->second];
        // Different ranks of the application make their calls at the same time.
        const double calls = static_cast<double>(first.calls) * first.share +
                             static_cast<double>(made.calls) * made.share;
        first.calls += made.calls;
        first.share = calls / static_cast<double>(std::max<std::int64_t>(1, first.calls));
        first.seconds += made.seconds;
        first.depends_on_order = first.depends_on_order || made.depends_on_order;
        for (std::string& each : made.stand_ins) {
            if (!is_among(first.stand_ins, each)) first.stand_ins.push_back(std::move(each));
        }
    }

    /// Converts a problem for the audit. Throws a LeftOutProblem if this is impossible.
    SelectedProblem audited(const Problem& problem) const {
        require_auditable(problem);
        SelectedProblem made;
        made.collective = problem.collective;
        made.root = problem.root.value_or(0);
        const std::size_t ranks = group_of(problem).ranks.size();
        if (problem.collective == "MPI_Barrier") {
            made.counts.assign(ranks, 1);
            made.element = "int";
            return made;
        }
        if (problem.bytes.rows)
            throw LeftOutProblem{
                .reason =
                    "its ranks send blocks of different sizes to each rank, and an "
                    "audit's problem has one size of block for each rank",
                .is_here = true};
        std::vector<std::int64_t> bytes = problem.bytes.blocks;
        if (problem.bytes.block) bytes.assign(ranks, *problem.bytes.block);
        if (bytes.empty())
            throw LeftOutProblem{.reason = "only a summary of its block sizes is recorded",
                                 .is_here = true};
        if (std::ranges::all_of(bytes, [](std::int64_t each) { return each == 0; }))
            throw LeftOutProblem{.reason = "all its blocks are empty"};
        if (problem.is_in_place) made.stand_ins.emplace_back("in place as not in place");
        const BasicType& type =
            problem.op ? reduced_type(problem, bytes, made) : moved_type(problem, bytes, made);
        made.element = types::option_name(type.name);
        for (const std::int64_t each : bytes) made.counts.push_back(each / bytes_of(type));
        if (find_mpi_operation(problem.collective)->shape == Shape::vector) spread(made.counts);
        return made;
    }

    /// Throws a LeftOutProblem with the reason if the audit cannot measure the problem.
    void require_auditable(const Problem& problem) const {
        if (problem.mode != "blocking") throw LeftOutProblem{.reason = "it is " + problem.mode};
        if (problem.is_inter) throw LeftOutProblem{.reason = "it is on an inter-communicator"};
        const MpiOperation* const operation = find_mpi_operation(problem.collective);
        if (operation == nullptr || operation->is_among_neighbours())
            throw LeftOutProblem{.reason = "no guideline is about this collective"};
        const std::size_t ranks = group_of(problem).ranks.size();
        if (ranks < 2) throw LeftOutProblem{.reason = "it is on one rank"};
        if (ranks != static_cast<std::size_t>(launch_.ranks))
            throw LeftOutProblem{
                .reason = fmt::format("it is on {} ranks, the audit on {}", ranks, launch_.ranks),
                .command = fmt::format("mpirun -n {} mpiaudit run --problems {}", ranks,
                                       shell_word(file_)),
                .is_elsewhere = true};
        require_same_placement(group_of(problem));
        if (problem.element && problem.element->kind == "gapped")
            throw LeftOutProblem{.reason = "its elements have gaps in memory", .is_here = true};
    }

    /// Throws LeftOutProblem if the recorded group had other numbers of ranks on its hosts than
    /// this launch. Accepts the group if the hosts of one of the two are unknown.
    void require_same_placement(const Group& group) const {
        std::vector<int> hosts;
        for (const int rank : group.ranks) {
            const auto found = hosts_.find(rank);
            if (found != hosts_.end()) hosts.push_back(found->second);
        }
        if (launch_.hosts.empty() || hosts.size() != group.ranks.size()) return;
        const std::vector<int> recorded = placement(hosts), here = placement(launch_.hosts);
        if (recorded == here) return;
        const std::string there = per_host(recorded), now = per_host(here);
        throw LeftOutProblem{
            .reason = fmt::format("it ran with {} ranks on its hosts, the audit with {}{}", there,
                                  now, there == now ? " in another order" : ""),
            .is_elsewhere = true,
            .is_placed_otherwise = true};
    }

    static std::int64_t bytes_of(const BasicType& type) {
        return static_cast<std::int64_t>(types::data_bytes(type));
    }

    /// Returns the type of data that are only moved; bytes if the table lacks the type.
    static const BasicType& moved_type(const Problem& problem,
                                       const std::vector<std::int64_t>& bytes,
                                       SelectedProblem& made) {
        const std::string name = problem.element ? problem.element->name : "MPI_BYTE";
        const BasicType* const type = types::find_type(name);
        if (type != nullptr && divides(bytes_of(*type), bytes)) return *type;
        made.stand_ins.push_back(name + " as bytes");
        return type_named("MPI_BYTE");
    }

    /// Returns the type of a reduction, and adds the operator to `made`; or substitutes, if the
    /// table lacks the type or audits have no operands for operator and type.
    static const BasicType& reduced_type(const Problem& problem,
                                         const std::vector<std::int64_t>& bytes,
                                         SelectedProblem& made) {
        const std::string name = problem.element ? problem.element->name : "unknown elements";
        const BasicType* const own = types::find_type(name);
        const bool is_own_op = problem.op->name.empty();
        const std::string_view op = without_mpi(problem.op->name);
        // An operator of the application may do anything to numbers.
        made.depends_on_order =
            (op == "SUM" || op == "PROD" || is_own_op) && (own == nullptr || own->is_floating());
        if (is_own_op) {
            made.op = problem.op->is_commutative ? "user-sum" : "user-affine";
            made.stand_ins.push_back("the application's own operator as " + made.op);
        } else if (const auto* const row = operator_named(problem.op->name);
                   row != nullptr && own != nullptr && types::is_timed(*row, *own) &&
                   divides(bytes_of(*own), bytes)) {
            made.op = types::option_name(row->name);
            return *own;
        } else {
            made.op = stand_in_of(op);
            if (types::option_name(problem.op->name) != made.op)
                made.stand_ins.push_back(problem.op->name + " as " + made.op);
        }
        const BasicType* const type = reduced_stand_in(name, own, made.op, bytes);
        if (type == nullptr)
            throw LeftOutProblem{.reason = "no reduction of an audit is defined for " + name,
                                 .is_here = true};
        if (type != own)
            made.stand_ins.push_back(fmt::format("{} as {}", name, types::option_name(type->name)));
        return *type;
    }

    static const types::OperatorRow* operator_named(const std::string& name) {
        const auto found = std::ranges::find(types::operators(), name, &types::OperatorRow::name);
        return found == types::operators().end() ? nullptr : &*found;
    }

    static std::string stand_in_of(std::string_view op) {
        if (op == "SUM" || op == "PROD") return "sum";
        const bool is_bitwise = op == "BAND" || op == "BOR" || op == "BXOR" || op == "LAND" ||
                                op == "LOR" || op == "LXOR";
        return is_bitwise ? "bor" : "max";
    }

    /// Returns the first candidate on which the operator is timed and whose size divides all
    /// blocks: the recorded type (user-sum), double or float (complex), long or int, byte (bor);
    /// null if none.
    static const BasicType* reduced_stand_in(const std::string& name, const BasicType* own,
                                             const std::string& op,
                                             const std::vector<std::int64_t>& bytes) {
        const bool takes_reals = op != "bor" && op != "user-affine";
        std::vector<const BasicType*> candidates;
        if (op == "user-sum") candidates.push_back(own);
        const bool is_complex = name.find("COMPLEX") != std::string::npos;
        for (const char* each : is_complex&& takes_reals ? std::array{"MPI_DOUBLE", "MPI_FLOAT"}
                                                         : std::array{"MPI_LONG", "MPI_INT"})
            candidates.push_back(&type_named(each));
        if (op == "bor") candidates.push_back(&type_named("MPI_BYTE"));
        const types::OperatorRow* const row = operator_named(op == "bor"   ? "MPI_BOR"
                                                             : op == "max" ? "MPI_MAX"
                                                                           : "MPI_SUM");
        for (const BasicType* each : candidates)
            if (each != nullptr && types::is_timed(*row, *each) && divides(bytes_of(*each), bytes))
                return each;
        return nullptr;
    }

    static bool divides(std::int64_t size, const std::vector<std::int64_t>& bytes) {
        return std::ranges::all_of(bytes, [&](std::int64_t each) { return each % size == 0; });
    }

    /// Spreads the count of a vector evenly over the ranks.
    static void spread(std::vector<std::int64_t>& counts) {
        const auto ranks = static_cast<std::int64_t>(counts.size());
        const std::int64_t total = counts.front();
        for (std::int64_t rank = 0; rank < ranks; ++rank)
            counts[static_cast<std::size_t>(rank)] = total / ranks + (rank < total % ranks ? 1 : 0);
    }

    using Identity =
        std::tuple<std::string, std::vector<std::int64_t>, std::string, std::string, int>;

    const Recording& recording_;
    const Launch& launch_;
    const std::string& file_;
    std::map<int, int> hosts_;  ///< host of each rank of the application
    std::map<Identity, std::size_t> known_;
    Selection selection_;
};

/// Returns the memory kinds on which blocking calls with device buffers spend most time; kinds of
/// the host if no call has such buffers.
MemoryKinds memory_of(const Recording& recording) {
    std::map<std::string, double> seconds;  // by the text of the kinds
    for (const Problem& each : recording.problems) {
        const MemoryKinds memory = each.buffers ? each.buffers->memory : MemoryKinds{};
        if (each.mode == "blocking" && !memory.are_host())
            seconds[memory.text()] += each.seconds.sum;
    }
    const auto most = std::ranges::max_element(
        seconds, {}, [](const auto& time_of_kinds) { return time_of_kinds.second; });
    return most == seconds.end() ? MemoryKinds{} : MemoryKinds::read(most->first);
}

}  // namespace

Selection select(const Recording& recording, const Launch& launch, const std::string& file) {
    Selection selection = Selector(recording, launch, file).select();
    selection.memory = memory_of(recording);
    return selection;
}

}  // namespace mpiaudit::application
