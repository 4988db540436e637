// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Commands that repeat a part of an audit. Users copy these commands into a shell.
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/audit_record.h"

namespace mpiaudit {

/// The options that the commands of an audit repeat. Reading options takes longer than judging a
/// check, so the words are kept.
class RepeatedOptions {
  public:
    explicit RepeatedOptions(const record::Header& header) : header_{header} {}

    /// Words for a shell, each with a blank in front.
    struct Words {
        std::string flags_and_lists, values;
    };
    /// \param blocks block_size_options(), whose options are not given twice
    const Words& beside(const std::string& blocks);

  private:
    const record::Header& header_;
    std::map<std::vector<std::string>, Words> known_;  ///< key: the options that are left out
};

/// Returns the command that measures one check of an audit again.
std::string reproduce_command(const record::Header& header, const std::string& guideline,
                              const record::ProblemDescription& problem, RepeatedOptions& options);
std::string reproduce_command(const record::Header& header, const std::string& guideline,
                              const record::ProblemDescription& problem);

/// Returns the start of a command of mpiaudit ("verify") on the system of the audit: settings of
/// the MPI library, launcher and program.
std::string start_of_command(const record::Header& header, std::string_view command);

using Variables = std::vector<std::pair<std::string, std::string>>;  ///< names and values

/// Returns the environment variables of an audit that steer its MPI library, without variables that
/// the launcher sets itself and variables with names that no shell accepts.
Variables library_settings(const record::Header& header);

/// Returns the number of ranks that a command has to start to repeat the audit.
int ranks_of_launch(const record::Header& header);

/// Returns the words that start the ranks: the recorded launcher, else mpirun with the hosts of the
/// audit.
CommandLine launcher_of(const record::Header& header);

/// Returns the settings of the MPI library and the launcher of an audit, quoted for a shell.
std::string start_of_ranks(const record::Header& header);

/// Returns the operations that a path calls, without free views and moves within a rank.
std::vector<std::string> called_operations(const record::ContestantDescription& contestant);

/// Returns the command that verifies a wrong contestant again.
std::string verify_command(const record::Header& header,
                           const record::ContestantDescription& contestant,
                           const record::ProblemDescription& problem);

}  // namespace mpiaudit
