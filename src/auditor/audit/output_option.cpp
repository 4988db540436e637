// SPDX-License-Identifier: BSD-3-Clause
#include "audit/output_option.h"

#include <fmt/format.h>

#include <stdexcept>

#include "files/written_file.h"
#include "options/options.h"
#include "record/samples_file.h"

namespace mpiaudit {

void check_output(const std::string& option, const std::string& path) {
    if (path.empty()) return;
    if (holds_samples(path))
        throw UsageError(fmt::format(
            "{}: {} holds the samples of an audit, which would be lost; give another name", option,
            path));
    write_output(option, [&] { check_replaceable(path); });
}

void write_output(const std::string& option, const std::function<void()>& write) {
    try {
        write();
    } catch (const std::runtime_error& error) {
        throw UsageError(fmt::format("{}: {}", option, error.what()));
    }
}

}  // namespace mpiaudit
