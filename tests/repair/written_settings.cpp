// SPDX-License-Identifier: BSD-3-Clause
// Prints the file that mpiaudit writes for this MPI library's choice of algorithms:
//
//     written_settings 'COLLECTIVE RANKS ALGORITHM NUMBER [FROM TO]'...
#include <mpi.h>

#include <array>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "repair/selection.h"
#include "settings/selection_tree.h"

using namespace mpiaudit::repair;

int main(int argc, char** argv) {
    const auto own = mpiaudit::settings::own_selection();
    std::vector<Setting> settings;
    for (int i = 1; i < argc; ++i) {
        Setting made;
        made.file = own ? SelectionFile::selection : SelectionFile::tuned_rules;
        SelectedAlgorithm& selected = made.selected.emplace_back();
        std::istringstream words(argv[i]);
        words >> made.collective >> made.ranks >> selected.algorithm >> selected.number;
        if (std::int64_t from = 0, to = 0; words >> from >> to) {
            selected.from = from;
            selected.to = to;
        }
        settings.push_back(made);
    }
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
    int length = 0;
    MPI_Get_library_version(library.data(), &length);
    std::puts((own ? selection_file(*own, settings) : tuned_rules_file(settings, library.data()))
                  .c_str());
}
