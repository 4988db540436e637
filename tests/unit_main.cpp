// SPDX-License-Identifier: BSD-3-Clause
// The main function of all tests without MPI: runs the tests in the named files, or all.
#include <gmock/gmock.h>

#include "chosen_tests.h"

int main(int argc, char** argv) {
    testing::InitGoogleMock(&argc, argv);
    return mpiaudit::choose_tests(argc, argv) ? RUN_ALL_TESTS() : 1;
}
