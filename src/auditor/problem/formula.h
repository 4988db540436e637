// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <muParser.h>

#include <map>
#include <string>
#include <vector>

namespace mpiaudit {

/// The variables of a formula, by the names that the formula uses.
struct FormulaVariables {
    double i = 0;     ///< rank whose block size or delay is computed
    double p = 1;     ///< number of ranks
    double b = 1;     ///< block size of the problem
    double root = 0;  ///< root of the problem
    double u = 0;     ///< uniform in [0, 1), drawn anew for every rank and block size
};

/// A compiled formula with the operators and functions of muParser, and the functions floor, ceil
/// and mod. mod(x, y) has the sign of y.
class Formula {
  public:
    /// Compiles the formula. Throws std::invalid_argument if the formula or the name of a parameter
    /// is invalid. The message begins with `owner` (a file or a distribution) and shows the formula
    /// and the position of the error.
    Formula(const std::string& owner, const std::string& text,
            const std::map<std::string, double>& parameters);

    // The parser holds pointers into this object.
    Formula(const Formula&) = delete;
    Formula& operator=(const Formula&) = delete;

    /// Changes the value of a parameter.
    void set(const std::string& parameter, double value) { parameters_.at(parameter) = value; }
    /// Returns the value of the formula, which may be infinite or NaN.
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
