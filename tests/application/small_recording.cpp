// SPDX-License-Identifier: BSD-3-Clause
#include "application/small_recording.h"

namespace mpiaudit::application {

Recording small_recording() {
    Recording recording;
    recording.library = "L";
    recording.program = "app";
    recording.ranks = 4;
    recording.hosts = {{"a", {0, 1}}, {"b", {2, 3}}};
    recording.threads = "single";
    recording.wall_seconds = 10;
    recording.lost = {3, 0.5};
    recording.groups = {{{0, 1, 2, 3}, 7}, {{1, 3}, 1}};
    return recording;
}

Problem small_problem(const std::string& collective) {
    Problem problem;
    problem.collective = collective;
    problem.mode = "blocking";
    problem.element = Element{"MPI_INT", 4, 4, "predefined"};
    problem.calls = 10;
    problem.seconds = {2.0, 1.5, 0.25, 1e-6, {}, {}};
    return problem;
}

}  // namespace mpiaudit::application
