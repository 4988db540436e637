// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalogue/arrow.h"
#include "plan/inputs.h"

namespace mpiaudit {

/// Whether a contestant of a report is a path that an application can be made to take for the
/// collective; null where nothing can make it.
using IsPath = bool (*)(const std::string& collective, const std::string& contestant);

/// What other products add to an audit; main hands it over, and an audit needs none of it. Their
/// arrows join the catalogue before anything else.
struct Additions {
    IsPath is_path = nullptr;
    /// The links between the ranks that --network names; null where it names none. Collective.
    std::unique_ptr<const RankNetwork> (*read_network)(const std::string& name) = nullptr;
    PutStandIns put_stand_ins = nullptr;
    /// What else `mpiaudit list` lists.
    std::vector<std::pair<std::string_view, void (*)()>> lists = {};

    /// Throws UsageError where one is named and nobody can read it.
    std::unique_ptr<const RankNetwork> network(const std::string& name) const;
};

/// An entry of a list: the text behind its name, folded on a terminal, with its lines below each
/// other; who reads through a pipe finds a line for each thing.
void say_entry(const std::string& name, const std::string& text);

}  // namespace mpiaudit
