// SPDX-License-Identifier: BSD-3-Clause
#include "c_program/call_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "calls/basic_types.h"
#include "code/filled_text.h"
#include "text/exit_code.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

using calls::Arithmetic;
using calls::BasicType;
using calls::Cell;
using calls::ChosenCall;
using calls::Property;

/// Lines are kept by the names of the values of a call, "counts=three", and by words of words_of().
constexpr std::string_view program_with_call =
#include "c_program/call_program.inc"
    ;
/// The type of one side, @S@.
constexpr std::string_view program_of_type =
#include "c_program/call_type.inc"
    ;

/// How C writes a number.
struct CNumber {
    std::string_view name;
    std::string_view format, printed_as;
    std::string_view limits = {};  ///< prefix in float.h; empty for whole numbers
};
CNumber number_in_c(Cell cell) {
    constexpr std::string_view whole = "%lld", as_whole = "(long long)", natural = "%llu",
                               as_natural = "(unsigned long long)", real = "%.17Lg",
                               as_real = "(long double)";
    switch (cell) {
        case Cell::int8:
            return {"int8_t", whole, as_whole};
        case Cell::uint8:
        case Cell::boolean:
            return {"uint8_t", natural, as_natural};
        case Cell::int16:
            return {"int16_t", whole, as_whole};
        case Cell::uint16:
            return {"uint16_t", natural, as_natural};
        case Cell::int32:
            return {"int32_t", whole, as_whole};
        case Cell::uint32:
            return {"uint32_t", natural, as_natural};
        case Cell::int64:
            return {"int64_t", whole, as_whole};
        case Cell::uint64:
            return {"uint64_t", natural, as_natural};
        case Cell::float32:
        case Cell::complex64:
            return {"float", real, as_real, "FLT"};
        case Cell::float64:
        case Cell::complex128:
            return {"double", real, as_real, "DBL"};
        case Cell::extended:
            return {"long double", real, as_real, "LDBL"};
    }
    return {};
}

/// How C writes an operator.
struct COperator {
    std::string_view kind;  ///< of operators whose operands are alike: a word of the program
    std::string_view
        combined;  ///< of elements a and b; empty for complex numbers and user functions
};
COperator operator_in_c(Arithmetic arithmetic) {
    switch (arithmetic) {
        case Arithmetic::sum:
            return {"sum", "a + b"};
        case Arithmetic::prod:
            return {"prod", "a * b"};
        case Arithmetic::max:
            return {"any", "a > b ? a : b"};
        case Arithmetic::min:
            return {"any", "a < b ? a : b"};
        case Arithmetic::land:
            return {"logic", "a && b"};
        case Arithmetic::lor:
            return {"logic", "a || b"};
        case Arithmetic::lxor:
            return {"logic", "!a != !b"};
        case Arithmetic::band:
            return {"any", "a & b"};
        case Arithmetic::bor:
            return {"any", "a | b"};
        case Arithmetic::bxor:
            return {"any", "a ^ b"};
        case Arithmetic::maxloc:
            return {"loc", "a.value > b.value ? a : b"};
        case Arithmetic::minloc:
            return {"loc", "a.value < b.value ? a : b"};
        case Arithmetic::user_commutative:
        case Arithmetic::user_ordered:
            return {"user", ""};
    }
    return {};
}

/// Returns the word for operations whose blocks move alike.
std::string_view kind_of_blocks(const MpiOperation& operation) {
    switch (operation.shape) {
        case Shape::nothing:
            return "";
        case Shape::vector:
            return operation.is_reduction() ? "reduces" : "broadcast";
        case Shape::gathered:
        case Shape::gathered_blocks:
            return "gathers";
        case Shape::scattered:
        case Shape::scattered_blocks:
            return "scatters";
        case Shape::received:
        case Shape::received_blocks:
        case Shape::rows:
        case Shape::rows_of_types:
            return operation.collective == "allgather" ? "allgathers" : "alltoalls";
        case Shape::reduced_block:
        case Shape::reduced_blocks:
            return "reduce-scatters";
        case Shape::neighbours:
            return "neighbours";
    }
    return "";
}

std::string name_of_value(const ChosenCall& call, std::size_t property) {
    const calls::PropertyRow& row = calls::properties()[property];
    return fmt::format("{}={}", row.name, row.values[call.values[property]].name);
}

/// Returns the C condition that byte k of an element is no padding; empty if there is no padding.
std::string condition_of_data(const BasicType& basic) {
    std::string condition;
    std::size_t bytes_of_data = 0;
    for_each_stretch(basic, [&](std::size_t offset, std::size_t bytes) {
        bytes_of_data += bytes;
        const std::string begin = offset == 0 ? "" : fmt::format("k >= {} && ", offset);
        condition +=
            fmt::format("{}({}k < {})", condition.empty() ? "" : " || ", begin, offset + bytes);
    });
    return bytes_of_data == basic.extent ? "" : condition;
}

/// Returns the words of a line, each with the blank behind it.
std::vector<std::string> words_of_line(const std::string& line) {
    std::vector<std::string> words;
    std::istringstream all(line);
    for (std::string word; all >> word;) words.push_back(word + ' ');
    if (!words.empty()) words.back().pop_back();
    return words;
}

/// The words that choose the lines of a program, and the words that fill the lines.
class CallInC {
  public:
    explicit CallInC(const ChosenCall& call)
        : call_{call},
          operation_{call.operation()},
          basic_{calls::basic_types()[call.basic()]},
          op_{operator_in_c(calls::operators()[call.op()].arithmetic)},
          number_{number_in_c(basic_.cell)} {
        // The operands of a reduction have one type.
        if (operation_.is_reduction()) call_[Property::received_type] = call_[Property::sent_type];
        choose_lines();
        choose_lines_of_elements();
        fill_elements();
        fill_blocks();
        words_["CALL"] = function_call();
        words_["SENT TYPE"] = type_of_side("sent");
        words_["RECEIVED TYPE"] = type_of_side("received");
    }

    std::string text(std::string_view of) const {
        return filled_text(of, words_,
                           [&](std::string_view word) { return lines_.contains(word); });
    }
    std::string& operator[](const std::string& word) { return words_[word]; }

  private:
    bool is_inter() const { return call_.communicator() == calls::Communicator::inter; }
    bool is_in_place(InPlace where) const {
        return call_.in_place() && operation_.in_place == where;
    }
    bool has_padding() const { return !condition_of_data(basic_).empty(); }
    bool has_line(std::string_view word) const { return lines_.contains(word); }

    void keep_if(bool is_kept, std::string_view word) {
        if (is_kept) lines_.emplace(word);
    }

    void choose_lines() {
        for (std::size_t i = 0; i < calls::property_count; ++i)
            lines_.insert(name_of_value(call_, i));
        const std::string_view kind = kind_of_blocks(operation_);
        const bool is_reduction = operation_.is_reduction();
        lines_.emplace(kind);
        keep_if(!operation_.arguments.empty(), "data");
        keep_if(is_reduction, "reduction");
        keep_if(operation_.has_root(), "rooted");
        // Among neighbours: the same block for all, or a block for each.
        const bool sends_one = operation_.from == Holding::scattered;
        keep_if(operation_.is_among_neighbours(), sends_one ? "allgather" : "alltoall");
        using enum calls::Communicator;
        keep_if(call_.communicator() >= ring && call_.communicator() <= rows, "grid");
        keep_if(call_.communicator() >= graph && call_.communicator() <= old_graph, "listed-edges");
        keep_if(has_line("communicator=merged") || is_inter(), "halves");
        keep_if(operation_.is_among_neighbours() || has_line("listed-edges"), "edges");
        keep_if(call_.counts() >= calls::Counts::some_empty, "irregular");
        keep_if(kind != "reduce-scatters" || !is_inter(), "elements");
        keep_if(is_in_place(InPlace::everywhere), "in-place-everywhere");
        keep_if(is_in_place(InPlace::sent_by_root), "in-place-at-root");
        keep_if(call_.has_request(), "request");
        const bool is_pending = (call_.meanwhile() >= calls::Meanwhile::barrier &&
                                 call_.meanwhile() <= calls::Meanwhile::alltoall) ||
                                call_.meanwhile() == calls::Meanwhile::wildcard;
        keep_if(is_pending, "pending");
        keep_if(is_pending && call_.meanwhile() != calls::Meanwhile::barrier, "pending-data");
        keep_if(has_line("pending-data") && !is_inter(), "checked");
        keep_if(is_reduction && call_.meanwhile() != calls::Meanwhile::freed_communicator,
                "many-contents");
        keep_if(call_.sent_type() != calls::TypeShape::plain ||
                    call_.received_type() != calls::TypeShape::plain ||
                    call_.buffers() == calls::Buffers::bottom,
                "made-types");
    }

    void choose_lines_of_elements() {
        const bool is_reduction = operation_.is_reduction();
        const std::string_view arithmetic = is_reduction ? op_.kind : "any";
        const bool is_complex = basic_.type_class == calls::TypeClass::complex;
        const bool is_user = arithmetic == "user", is_product = arithmetic == "prod";
        const bool is_near = is_reduction && call_.contents() == calls::Contents::rounding;
        const bool is_nan = is_reduction && call_.contents() == calls::Contents::not_a_number;
        lines_.emplace(arithmetic);
        keep_if(is_complex, "complex");
        keep_if(basic_.is_pair(), "pair");
        const bool is_truth = basic_.cell == Cell::boolean ||
                              (basic_.type_class == calls::TypeClass::logical && !is_reduction);
        lines_.emplace(is_truth ? "truth" : number_.limits.empty() ? "whole" : "real");
        keep_if(!is_user && !(is_complex && is_product), "numbers");
        keep_if(is_product || (arithmetic == "sum" && (is_nan || has_line("contents=infinite"))),
                "chosen");
        keep_if(calls::operators()[call_.op()].arithmetic == Arithmetic::user_commutative,
                "commutes");
        keep_if(is_near, "near");
        keep_if(is_nan, "nan");
        const bool is_exact = !is_near && !is_nan, has_zeros = is_complex && is_product;
        keep_if(is_exact && has_zeros, "zeros");
        keep_if(is_exact && !has_zeros, "bytes");
        keep_if(has_padding(), "padding");
        keep_if(operation_.name == "MPI_Allreduce" && (is_near || is_nan) && !is_inter() &&
                    call_.meanwhile() != calls::Meanwhile::freed_communicator,
                "same-bits");
    }

    void fill_elements() {
        const std::string_view name = number_.name;
        words_["NUMBER"] = name;
        words_["ELEMENT"] = basic_.is_pair()
                                ? fmt::format("struct {{ {} value; int index; }}", name)
                            : has_line("complex") ? fmt::format("struct {{ {} re, im; }}", name)
                                                  : std::string(name);
        words_["FLOAT"] = number_.limits;
        words_["IS CHOSEN"] = has_line("chosen") ? ", int is_chosen" : "";
        words_["CHOSEN"] = has_line("chosen") ? ", is_chosen" : "";
        words_["COMBINED"] = op_.combined;
        words_["COMMUTES"] = has_line("commutes") ? "1" : "0";
        words_["IS DATA"] = condition_of_data(basic_);
        const auto printed = [&](const char* of) {
            return fmt::format("{}{}", number_.printed_as, of);
        };
        words_["FORMAT"] = basic_.is_pair()      ? fmt::format("({}, %d)", number_.format)
                           : has_line("complex") ? fmt::format("{0}+{0}i", number_.format)
                                                 : std::string(number_.format);
        words_["PRINTED"] = basic_.is_pair()      ? printed("x.value") + ", x.index"
                            : has_line("complex") ? printed("x.re") + ", " + printed("x.im")
                                                  : printed("x");
        words_["BASIC"] = basic_.name;
    }

    void fill_blocks() {
        const bool is_large = call_.start() == calls::CallStart::large_count,
                   has_types = operation_.takes("sendtypes"),
                   has_addresses = is_large || (has_types && operation_.is_among_neighbours());
        words_["COUNT"] = is_large ? "MPI_Count" : "int";
        words_["DISPLACEMENT"] = has_addresses ? "MPI_Aint" : "int";
        words_["BYTES"] = has_types ? " * s->extent * (long)sizeof(element)" : "";
        words_["UNIT"] = call_.sent_type() == calls::TypeShape::plain &&
                                 call_.received_type() == calls::TypeShape::plain
                             ? "1"
                             : "4";
        words_["LARGEST GROUP"] = is_inter() ? "(size > remote_size ? size : remote_size)" : "size";
        words_["BLOCKS"] = operation_.shape == Shape::vector ? "1" : words_["LARGEST GROUP"];
        words_["PARTNERS"] = is_inter() ? "remote_size" : "size";
        words_["OWN"] = is_inter() ? "own + " : "";
        words_["OTHER"] = is_inter() ? "other + " : "";
        words_["ROOT"] = is_inter() ? "root_number" : "root";
        words_["HALF OF ROOT"] = call_.root() == calls::RootRank::last ? "1" : "0";
        words_["PENDING ROOT"] =
            is_inter() ? "half ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL" : "0";
        // As in generated calls: the count has no meaning beside MPI_PROC_NULL.
        words_["PENDING COUNT"] = is_inter() ? "half || rank == 0 ? 16 : 0" : "16";
        words_["IF PARTNER"] = is_in_place(InPlace::received_by_root) ? "if (!is_root) "
                               : is_inter() && operation_.has_root()  ? "if (is_partner) "
                                                                      : "";
        // In place, a rank has its own block among the blocks of all ranks.
        const bool is_among_all = operation_.from == Holding::scattered;
        words_["BLOCK"] = !is_among_all                        ? "k"
                          : is_in_place(InPlace::everywhere)   ? "rank"
                          : is_in_place(InPlace::sent_by_root) ? "is_root ? rank : k"
                                                               : "k";
        words_["PART"] = !is_inter()               ? "elements(0, k)"
                         : has_line("counts=none") ? "0"
                                                   : "unit * remote_size";
        words_["LAST"] = operation_.name == "MPI_Scan"     ? "rank + 1"
                         : operation_.name == "MPI_Exscan" ? "rank"
                                                           : words_["PARTNERS"];
        words_["RESULT"] = has_line("reduce-scatters")       ? "part[rank]"
                           : operation_.has_root()           ? "is_root ? all : 0"
                           : operation_.name == "MPI_Exscan" ? "rank > 0 ? all : 0"
                                                             : "all";
    }

    /// An argument in the program: a member of the data of one side.
    struct Argument {
        std::string_view name, side, member;
        std::string text() const { return fmt::format("{}.{}", side, member); }
        bool is_of(std::string_view wanted) const { return side == wanted; }
    };
    static constexpr std::string_view sent_side = "sent", received_side = "received";
    Argument member_of_side(std::string_view name) const {
        static constexpr Argument all[] = {
            {"sendbuf", sent_side, "buffer"},      {"recvbuf", received_side, "buffer"},
            {"sendcount", sent_side, "counts[0]"}, {"recvcount", received_side, "counts[0]"},
            {"sendcounts", sent_side, "counts"},   {"recvcounts", received_side, "counts"},
            {"sdispls", sent_side, "displs"},      {"rdispls", received_side, "displs"},
            {"sendtype", sent_side, "type"},       {"recvtype", received_side, "type"},
            {"sendtypes", sent_side, "types"},     {"recvtypes", received_side, "types"},
            {"count", sent_side, "counts[0]"},     {"datatype", sent_side, "type"},
        };
        if (name == "displs") name = operation_.takes("sendcounts") ? "sdispls" : "rdispls";
        return *find_in(all, name, &Argument::name);
    }

    std::string argument(std::string_view name) const {
        if (name == "op") {
            const calls::OperatorRow& op = calls::operators()[call_.op()];
            return op.is_of_user() ? "op" : std::string(op.name);
        }
        if (name == "root") return "root";
        if (name == "buffer") return "data->buffer";
        if (has_line("broadcast")) return fmt::format("data->{}", member_of_side(name).member);
        if (name == "sendbuf" && is_in_place(InPlace::everywhere)) return "MPI_IN_PLACE";
        const Argument member = member_of_side(name);
        const bool is_unused = call_.unused_arguments() == calls::UnusedArguments::null;
        const std::string text = is_unused ? unused_as_null(member) : member.text();
        if ((name == "sendbuf" && is_in_place(InPlace::sent_by_root)) ||
            (name == "recvbuf" && is_in_place(InPlace::received_by_root)))
            return fmt::format("is_root ? MPI_IN_PLACE : {}", text);
        return text;
    }

    /// Returns the argument, or null on ranks on which the argument has no meaning.
    std::string unused_as_null(const Argument& argument) const {
        const std::string_view name = argument.name;
        const std::string text = argument.text();
        const std::string_view null = name.ends_with("count")  ? "0"
                                      : name.ends_with("type") ? "MPI_DATATYPE_NULL"
                                                               : "NULL";
        const bool is_sent = argument.is_of(sent_side);
        if (operation_.is_reduction())
            return name == "recvbuf" ? fmt::format("is_root ? {} : {}", text, null) : text;
        if (operation_.in_place == InPlace::everywhere) return is_sent ? std::string(null) : text;
        const bool is_at_root_only =
            operation_.in_place == InPlace::sent_by_root ? !is_sent : is_sent;
        if (is_at_root_only) return fmt::format("is_root ? {} : {}", text, null);
        return call_.in_place() && !name.ends_with("buf")
                   ? fmt::format("is_root ? {} : {}", null, text)
                   : text;
    }

    /// Returns the call up to the arguments behind the communicator, folded.
    std::string function_call() {
        const std::string function = form_of(call_).function();
        words_["FUNCTION"] = function;
        words_["FUNCTION OF OPEN MPI 4"] = "MPIX" + function.substr(std::string_view("MPI").size());
        std::vector<std::string> pieces;
        for (std::size_t k = 0; k < operation_.argument_count(); ++k)
            pieces.push_back(argument(operation_.argument(k)) + ", ");
        pieces.emplace_back(call_.has_request() ? "comm, " : "comm");
        pieces.front() = function + "(" + pieces.front();
        return folded(pieces, "\n            ");
    }

    std::string type_of_side(const std::string& side) const {
        std::string of_side(program_of_type);
        replace_all(of_side, "@S@", side);
        std::string lines = text(of_side);
        lines.pop_back();  // the end of the last line stands in the program
        return lines;
    }

    ChosenCall call_;
    const MpiOperation& operation_;
    const BasicType& basic_;
    COperator op_;
    CNumber number_;
    std::set<std::string, std::less<>> lines_;
    std::map<std::string, std::string> words_;
};

}  // namespace

std::string program_of_call(const ChosenCall& call, const std::vector<std::string>& remarks,
                            const std::string& launcher) {
    CallInC in_c(call);
    std::vector<std::string> lines = remarks;
    for (const std::string& value : left_out_of_program(call))
        lines.push_back(fmt::format("This program cannot have {} and leaves it out.", value));
    std::string comment;
    for (const std::string& line : lines)
        comment +=
            (comment.empty() ? "/* " : " * ") + folded(words_of_line(line), "\n *     ") + '\n';
    replace_all(comment, "*/", "* /");
    in_c["COMMENT"] = fmt::format(
        "{} *\n *   mpicc -o reproduce reproduce.c\n *   {} ./reproduce\n */\n", comment, launcher);
    return in_c.text(program_with_call);
}

std::vector<std::string> left_out_of_program(const ChosenCall& call) {
    static const std::set<std::string> of_call = words_of_conditions(program_with_call),
                                       of_type = words_of_conditions(program_of_type);
    std::vector<std::string> all;
    for (std::size_t i = 0; i < calls::property_count; ++i) {
        // number_in_c(), operator_in_c() and kind_of_blocks() know all values of these.
        const auto property = static_cast<Property>(i);
        if (call.values[i] == 0 || property == Property::operation || property == Property::basic ||
            property == Property::op)
            continue;
        std::string value = name_of_value(call, i);
        const bool is_of_side =
            property == Property::sent_type || property == Property::received_type;
        const std::string of_side =
            fmt::format("@S@_type={}", calls::properties()[i].values[call.values[i]].name);
        if (is_of_side ? !of_type.contains(of_side) : !of_call.contains(value))
            all.push_back(std::move(value));
    }
    return all;
}

std::string program_of_text(const std::string& text, std::vector<std::string> found,
                            const std::string& launcher) {
    const ChosenCall call = or_usage_error([&] { return calls::parse_call(text); });
    // A program may be for another library and other ranks than those of this machine.
    constexpr int any_ranks = 4;
    const calls::Setting any{.ranks = any_ranks, .has_persistent = true, .has_large_counts = true};
    if (const char* reason = calls::obstacle(call, any)) throw UsageError("--call: {}", reason);
    found.insert(found.begin(), calls::sentence(call));
    found.push_back(fmt::format("mpiaudit verify --call \"{}\"", calls::print(call)));
    return program_of_call(call, found, launcher);
}

}  // namespace mpiaudit
