// SPDX-License-Identifier: BSD-3-Clause
// Compares callables from outside; returns the number of facts that do not hold.
#include <mpi.h>
#include <mpiaudit/comparison/compare.h>

#include <chrono>
#include <cstdio>
#include <thread>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const auto sleep = [](int milliseconds) {
        return [=] { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };
    };
    mpiaudit::CompareOptions sure;
    sure.alpha = 1e-6;
    sure.limit_s = 250;  // for busy machines; 20 to 30 rounds suffice
    const auto slow = mpiaudit::compare(sleep(20), sleep(1), MPI_COMM_WORLD, sure);
    const auto fast = mpiaudit::compare(sleep(1), sleep(20), MPI_COMM_WORLD, sure);
    sure.limit_s = 0.5;
    const auto equal = mpiaudit::compare(sleep(1), sleep(1), MPI_COMM_WORLD, sure);
    for (const auto& found : {slow, fast, equal}) std::puts(found.sentence().c_str());
    const int wrong = (slow.conclusion != mpiaudit::Conclusion::left_is_slower) +
                      (fast.conclusion != mpiaudit::Conclusion::left_is_no_slower) +
                      (equal.conclusion == mpiaudit::Conclusion::left_is_slower) +
                      (equal.p_slower <= sure.alpha) + !(slow.ratio > fast.ratio);
    MPI_Finalize();
    return wrong;
}
