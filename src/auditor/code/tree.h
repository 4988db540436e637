// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// C as a tree, which is printed last. Nobody looks into printed C: what a piece of C uses is asked
// of the tree.
namespace mpiaudit::c_text {

// clang-format off
/// All names of variables. Each has one meaning: see pasted_names.h for code to paste and program.inc for
/// programs.
#define MPIAUDIT_C_NAMES(name)                                                                     \
    name(sendbuf) name(recvbuf) name(buffer) name(tmp) name(tmp2) name(tmp3) name(tmp4) name(tmp5) \
    name(count) name(counts) name(displs) name(sendcounts) name(sdispls) name(recvcounts)          \
    name(rdispls) name(sendtypes) name(recvtypes) name(type) name(op) name(root) name(comm)        \
    name(p) name(rank) name(lower) name(extent) name(true_lower) name(true_extent) name(size)      \
    name(is_dense) name(request) name(requests) name(k) name(i) name(at) name(end)                 \
    name(block) name(rest) name(own) name(all) name(numbers) name(offsets) name(largest)           \
    name(types) name(offsets_in_bytes) name(displs_in_bytes) name(sdispls_in_bytes)                \
    name(rdispls_in_bytes) name(zeros) name(root_numbers) name(root_offsets) name(own_for_root)    \
    name(all_for_root) name(own_for_all) name(own_of_all) name(places) name(any)                   \
    name(all_but_rank_0) name(sent_numbers) name(sent_offsets) name(received_numbers)              \
    name(received_offsets) name(part_numbers) name(part_offsets) name(total) name(bytes)           \
    name(block_bytes) name(started) name(by_function) name(kept_order) name(dup_comm)              \
    name(split_comm) name(create_group_comm) name(merged_comm) name(session_comm) name(one_type)   \
    name(packed_type) name(packed_bytes) name(position) name(usual) name(made) name(in) name(out)  \
    name(done) name(group) name(sizes) name(around) name(asked) name(answers) name(of_all)           \
    name(part)
// clang-format on

enum class Name : std::uint8_t {
#define MPIAUDIT_C_NAME(name) name,
    MPIAUDIT_C_NAMES(MPIAUDIT_C_NAME)
#undef MPIAUDIT_C_NAME
};
std::string_view text_of(Name name);

/// A value of C.
struct Expression {
    enum class Kind : std::uint8_t {
        name,
        word,    ///< a constant: MPI_COMM_SELF, 0
        index,   ///< parts[0][parts[1]]
        call,    ///< word(parts...)
        prefix,  ///< word parts[0]: & and casts
        binary,  ///< parts[0] word parts[1]
        choice   ///< parts[0] ? parts[1] : parts[2]
    };
    Kind kind = Kind::word;
    Name name{};
    std::string word = {};
    std::vector<Expression> parts = {};

    Expression(Name of) : kind{Kind::name}, name{of} {}
    Expression(int number) : word{std::to_string(number)} {}
    Expression(Kind of, std::string by, std::vector<Expression> with)
        : kind{of}, word{std::move(by)}, parts{std::move(with)} {}
    bool operator==(const Expression&) const = default;
};
Expression constant(std::string word);
Expression operator+(Expression a, Expression b);
Expression operator-(Expression a, Expression b);
Expression operator*(Expression a, Expression b);
Expression operator/(Expression a, Expression b);
Expression operator%(Expression a, Expression b);
// Of two names: the language looks for such functions only.
inline Expression operator+(Name a, Expression b) {
    return Expression(a) + std::move(b);
}
inline Expression operator-(Name a, Expression b) {
    return Expression(a) - std::move(b);
}
inline Expression operator*(Name a, Expression b) {
    return Expression(a) * std::move(b);
}
inline Expression operator/(Name a, Expression b) {
    return Expression(a) / std::move(b);
}
inline Expression operator%(Name a, Expression b) {
    return Expression(a) % std::move(b);
}
/// \param sign == < > >= &&
Expression binary(Expression a, std::string sign, Expression b);
Expression choice(Expression condition, Expression there, Expression elsewhere);
Expression item(Expression list, Expression at);
Expression address_of(Expression value);
Expression cast(const std::string& type, Expression value);
Expression value_of(std::string function, std::vector<Expression> arguments);

/// The address is that of memory that the code allocates.
bool is_memory(const Expression& address);
/// The C type of an address is one of bytes.
bool is_of_bytes(const Expression& address);

struct Statement;
using Block = std::vector<Statement>;

struct Call {
    std::string function;
    std::vector<Expression> arguments;
};
struct Declaration {
    std::string_view type;               ///< char * ends with its sign
    Expression variable;                 ///< also numbers[p]
    std::vector<Expression> value = {};  ///< one or none
};
struct Assignment {
    Expression to;
    std::string_view sign;  ///< = += -=
    Expression value;
};
/// A loop up to a number without it; or down to 0.
struct Loop {
    Name index;
    Expression first;
    std::vector<Expression> end;  ///< none: down to 0
    Block body;
};
struct If {
    Expression condition;
    Block then, otherwise = {};
};
struct Scope {
    Block body;
};
struct Remark {
    std::string text;
};
struct Statement {
    std::variant<Call, Declaration, Assignment, Loop, If, Scope, Remark> is;

    template <class Kind>
    Statement(Kind kind) : is{std::move(kind)} {}
};

Statement call(std::string function, std::vector<Expression> arguments);
Statement loop_over(Name index, Expression end, Block body);
/// Adds the statements of a block to another block.
void add(Block& block, Block more);
Block joined(Block first, Block second);

/// The names of variables that a piece of C uses or declares.
std::set<Name> names_in(const Block& block);
bool uses(const Expression& expression, Name name);
/// The texts of these names, and the names of functions.
std::set<std::string> words_in(const Block& block);
std::set<std::string> words_in(const Expression& expression);
/// Puts a value in the place of a variable.
Block renamed(Block block, Name name, const Expression& by);
/// Gives calls of a function another name.
Block renamed(Block block, const std::string& function, const std::string& by);

struct Style {
    std::size_t width = 78;  ///< 80 columns on a screen, which indents code by 2
    std::size_t indent = 0;  ///< blanks before each line
};
/// Returns one statement a line. The last line has no end.
std::string printed(const Block& block, Style style = {});
std::string printed(const Expression& expression);

}  // namespace mpiaudit::c_text
