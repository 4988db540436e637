// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace mpiaudit::interposition {

/// Calls of MPI inside a wrapper are not the application's.
inline constinit thread_local int depth __attribute__((tls_model("initial-exec"))) = 0;

class Inside {
  public:
    Inside() { ++depth; }
    ~Inside() { --depth; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
};

}  // namespace mpiaudit::interposition
