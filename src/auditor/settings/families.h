// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "operations/form.h"

namespace mpiaudit::settings {

/// Returns the family of an algorithm in the words of the literature, such as "k-nomial tree", for
/// the name that a library gives the algorithm: knomial. Returns an unknown name with blanks in
/// place of underscores.
std::string family_of(std::string_view algorithm);

/// Returns the family of the algorithm of a form: of a reference algorithm, or of an algorithm that
/// the library is told to take. Empty for other forms.
std::string family_of(const Form& form);

/// Returns the name of an algorithm with its family in parentheses; the name alone if the family
/// says no more.
std::string with_family(const std::string& algorithm);

}  // namespace mpiaudit::settings
