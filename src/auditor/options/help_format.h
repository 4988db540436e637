// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace mpiaudit {

/// Help in 80 columns: what an option is called on the left, what it does folded on the right,
/// under the name where that is long. Which options exclude each other is said when it matters.
class FoldedHelp : public CLI::Formatter {
  public:
    std::string make_option(const CLI::Option* option, bool is_positional) const override;
    std::string make_subcommand(const CLI::App* command) const override;
};

}  // namespace mpiaudit
