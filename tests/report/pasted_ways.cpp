// SPDX-License-Identifier: BSD-3-Clause
// pasted_ways FOLDER: prints, for each form on each problem of an audit, the code to paste and the
// calls of a program of MPI alone.
#include <fmt/format.h>

#include "code/calls.h"
#include "record/samples_file.h"

int main(int, char** arguments) {
    for (const auto& [name, audit] : mpiaudit::read_launches({arguments[1]})) {
        for (const auto& problem : audit.problems) {
            for (const auto& way : problem.contestants) {
                const auto& known = audit.header.implementations;
                const auto calls = mpiaudit::calls_of_mpi(way, known);
                fmt::print("{}\t{}\t{}\t{}\t{}\t{}\n", problem.problem.id, way.from, way.to,
                           way.name, mpiaudit::pasted_code(way, known), calls ? calls->text : "");
            }
        }
    }
}
