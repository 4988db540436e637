// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <muParser.h>

#include <map>
#include <string>
#include <vector>

namespace mpiaudit {

/// What the formula of a distribution sees, in the names it is written in.
struct FormulaVariables {
    double i = 0;     ///< the rank whose block size is asked for
    double p = 1;     ///< the number of ranks
    double b = 1;     ///< the block size of the problem
    double root = 0;  ///< the root
    double u = 0;     ///< uniform in [0, 1), drawn anew for every rank and block size
};

/// A compiled formula: the operators and functions of muParser, and floor, ceil and mod, which it
/// lacks. mod takes the sign of the divisor, as in the notation of the literature.
class Formula {
  public:
    /// Compiles. Throws std::invalid_argument, its message starting with the owner (a file, a
    /// distribution), for a formula or a parameter's name that cannot be used; the message shows
    /// the formula and the place.
    Formula(const std::string& owner, const std::string& text,
            const std::map<std::string, double>& parameters);

    // The parser points into this object.
    Formula(const Formula&) = delete;
    Formula& operator=(const Formula&) = delete;

    /// Another value for a parameter.
    void set(const std::string& parameter, double value) { parameters_.at(parameter) = value; }
    /// The value, which may be anything a double can hold.
    double evaluate(const FormulaVariables& variables);

  private:
    void define_functions();
    void define_names();
    void compile();
    std::vector<std::string> known_names() const;
    [[noreturn]] void reject(int position, const std::string& reason) const;

    std::string owner_;
    std::string text_;
    std::map<std::string, double> parameters_;
    FormulaVariables variables_;
    mu::Parser parser_;
};

}  // namespace mpiaudit
