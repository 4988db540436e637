// SPDX-License-Identifier: BSD-3-Clause
// What the program says about itself without measuring anything.
#include <fmt/format.h>

#include "audit/commands.h"
#include "mpi/environment.h"
#include "options/option_table.h"
#include "text/console.h"
#include "text/version.h"

namespace mpiaudit {
namespace {

std::string compiler() {
#if defined(__clang__)
    return fmt::format("Clang {}", __clang_version__);
#elif defined(__GNUC__)
    return fmt::format("GCC {}", __VERSION__);
#else
    return "unknown";
#endif
}

}  // namespace

int print(const PrintOptions& options, std::span<const CommandRow> commands) {
    say("{}",
        options.what == "man" ? manual_page(commands) : completion_for(options.what, commands));
    return exit_done;
}

int say_version() {
    // All but the first line of some libraries is how they were configured.
    const std::string library = Environment::library_version();
    say("mpiaudit {}\ncommit:   {}\nMPI:      {}, standard {}\ncompiler: {}\n", version(), commit(),
        library.substr(0, library.find('\n')), Environment::standard_version(), compiler());
    return exit_done;
}

}  // namespace mpiaudit
