// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <initializer_list>
#include <string>

#include "options/option_table.h"
#include "report/report.h"
#include "text/plain.h"

namespace mpiaudit {

// Words of the commands that `mpiaudit local` starts.

/// The options whose present names `is_wanted` accepts, with their values, in the order of the
/// words.
Words options_where(const Words& words, const auto& is_wanted) {
    Words wanted;
    bool is_kept = false;
    for (const std::string& word : words) {
        if (word.starts_with("--"))
            is_kept = is_wanted(find_run_row(word.substr(2, word.find('=') - 2))->name);
        if (is_kept) wanted.push_back(word);
    }
    return wanted;
}

Words options_without(const Words& words, const Words& names);

Words joined(std::initializer_list<Words> lists);

/// The words that start the ranks. mpiaudit binds the ranks and says why it ends, alike for all
/// libraries, so the launcher does neither; only a program without hwloc leaves the binding to it.
Words start_of_local_ranks(const std::string& launcher, int ranks, int cores);

/// The options of the audit, completed. Behind a launcher the program cannot see the terminal.
/// \param run the same options, parsed
Words completed(Words words, const RunOptions& run, const char* budget);

/// Returns what --algorithms shall compare: the operations that lose most, at the sizes at
/// which they lose most. Returns nothing if no operation has a choice.
Words words_of_algorithms(const Report& report);

}  // namespace mpiaudit
