// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "operations/layout.h"
#include "operations/operations.h"

// Forms of operations, and the notation of the papers in which guidelines and reports name them.
// This is the only code that takes such a name apart.
namespace mpiaudit {

/// How a call of an operation begins and ends.
enum class Start {
    blocking,         ///< MPI_Gather
    nonblocking,      ///< MPI_Igather and MPI_Wait
    persistent,       ///< MPI_Start and MPI_Wait, after MPI_Gather_init
    persistent_once,  ///< MPI_Gather_init, MPI_Start, MPI_Wait and MPI_Request_free
};
std::string_view name(Start start);

/// A way to call an operation.
struct Form {
    /// The blocking function: MPI_Gather. For an algorithm of the literature, the function with the
    /// same signature. Other functions of MPI have their own names. Empty for moves within a rank.
    std::string operation = {};
    Start start = Start::blocking;
    bool has_large_counts = false;  ///< MPI_Gather_c, whose counts have the type MPI_Count
    /// An algorithm of the literature (TUW_Gather), or a move within a rank (zero fill).
    std::string algorithm = {};
    bool is_in_place = false;  ///< with MPI_IN_PLACE: MPI_Gather[in place]
    int parts = 1;             ///< calls in flight, each with a part of the data: [4 parts]
    /// Other words in brackets: how the operation is called (MPI_Gather[sent with gaps]), or the
    /// algorithm of the library that is forced (MPI_Gather[binomial]).
    std::string variant = {};

    bool operator==(const Form&) const = default;
    /// The function that is called first: MPI_Igather, MPI_Gather_init, MPI_Gather_c, TUW_Gather.
    std::string function() const;
    /// The function, and in brackets how it is called: MPI_Gather_init[once].
    std::string name() const;
    /// Null for functions that are not in the table of operations.
    const MpiOperation* mpi_operation() const { return find_mpi_operation(operation); }
    /// True for a function of the library, false for our own algorithms and moves.
    bool is_of_mpi() const { return algorithm.empty(); }
    bool is_move() const { return !is_of_mpi() && operation.empty(); }
    /// True for a call with nothing in brackets.
    bool has_no_brackets() const;
    /// True for the blocking function of an operation of the table, called as usual.
    bool is_plain() const;
    /// True for several calls, one after the other.
    bool is_in_a_row() const;
    /// True for an operation of the library, however it is called; false for algorithms, moves and
    /// compositions.
    bool is_operation() const;
    /// True for functions that make a communicator.
    bool makes_communicator() const;
    /// True for forms that test whether a library is consistent, and that no program would call in
    /// place of another form: other communicators, other descriptions of the data, operators hidden
    /// in functions, several calls.
    bool is_consistency_test() const;
};

/// Reads a name that Form::name() prints. Every text is the name of some form.
Form parse_form(std::string_view name);

/// The words in the parentheses of a term: MPI_Gather(m), MPI_Gather(m'), MPI_Allreduce(1).
enum class Argument { whole, padded, one };

/// One operation of a way: MPI_Gather(m').
struct Term {
    Form form = {};
    Argument argument = Argument::whole;
    bool is_bare = false;         ///< written without parentheses, as MPI_Barrier is
    std::string completion = {};  ///< MPI_Wait or MPI_Waitall, if the way names it

    bool operator==(const Term&) const = default;
};

/// A sum of operations in the notation of the papers: a side of a guideline, or what a contestant
/// does. m is the problem itself, m' the problem with padded blocks, 1 a single element.
struct Way {
    std::vector<Term> terms = {};
    Scale scale = {};
    int copy = 1;  ///< 2 for the second contestant with the same way: MPI_Gather(m) #2

    bool operator==(const Way&) const = default;
    std::string name() const;
    /// The name without sizes and copy: MPI_Scatter + MPI_Allgather, MPI_Igather + MPI_Wait.
    std::string operations() const;
    /// The only form, null if there are several or none.
    const Form* only() const { return terms.size() == 1 ? &terms.front().form : nullptr; }
    /// True for one operation on the whole problem, with nothing to wait for.
    bool is_one_call() const;
    /// True for one call of an operation of the table by its blocking function.
    bool is_plain() const { return is_one_call() && only()->is_plain(); }
    /// True for another form of an operation of the table, and for functions that make a
    /// communicator: programs call these rarely.
    bool is_other_form() const;
    bool makes_communicator() const;
    /// True for another copy of the same way.
    bool is_copy_of(const Way& other) const { return terms == other.terms && scale == other.scale; }
};

/// An error in the text of a statement or a way, with its place.
class NotationError : public std::invalid_argument {
  public:
    /// `column` counts bytes from 0 in `text`; the message shows the text and points there.
    NotationError(std::string_view text, std::size_t column, const std::string& what);
};

/// Reads ways from a text. Each function throws NotationError.
class WayReader {
  public:
    explicit WayReader(std::string_view text) : text_{text} {}

    /// Reads a sum of operations. If `columns` is given, it gets the place of each term.
    Way way(std::vector<std::size_t>* columns = nullptr);
    /// Reads `token` if it comes next, with the blanks around it.
    bool accept(std::string_view token);
    bool is_at_end() const { return at_ == text_.size(); }
    [[noreturn]] void fail(const std::string& what) const { fail_at(at_, what); }
    int copy();

  private:
    Term term();
    void argument(Term& term);
    int number(int otherwise);
    void skip_space();
    [[noreturn]] void fail_at(std::size_t column, const std::string& what) const {
        throw NotationError(text_, column, what);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Scale scale_;  ///< of the term that was read last
};

/// Reads a name that Way::name() prints. Throws NotationError.
Way parse_way(std::string_view name);

/// The name of a way. The name is parsed once, when it is set; other text throws NotationError.
class WayName : public std::string {
  public:
    WayName() = default;
    WayName(std::string name) : std::string{std::move(name)}, way_{parse_way(*this)} {}
    WayName(const char* name) : WayName{std::string(name)} {}
    const Way& way() const { return way_; }

  private:
    Way way_;
};

}  // namespace mpiaudit
