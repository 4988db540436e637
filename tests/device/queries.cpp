// SPDX-License-Identifier: BSD-3-Clause
// Imitates the functions by which MPI libraries say whether they support the memory of devices.
// IMITATED_SUPPORT is what the functions return (default 1).
#include <cstdlib>

namespace {

int support() {
    const char* const text = std::getenv("IMITATED_SUPPORT");
    return text == nullptr ? 1 : std::atoi(text);
}

}  // namespace

extern "C" {
int MPIX_Query_cuda_support() {
    return support();
}
int MPIX_Query_rocm_support() {
    return support();
}
int MPIX_Query_hip_support() {
    return support();
}
}
