// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "collectives/call/node_communicators.h"
#include "options/options.h"
#include "plan/inputs.h"
#include "problem/problem.h"

namespace mpiaudit {

/// What the data are and how they are reduced. Throws UsageError for an unknown name.
struct Types {
    explicit Types(const RunOptions& options, const application::Selection* selection = nullptr);
    Element element;
    Operator op;
    // Those of an application's problems, by name.
    std::map<std::string, Element> elements = {};
    std::map<std::string, Operator> operators = {};
};

/// The rank that --root names. Throws UsageError.
int root_rank(const std::string& root, int ranks);

/// The problems that inputs and options ask for, without contestants: every distribution with every
/// block size, explicit counts once, or those of an application that were selected. They are made
/// one by one, since each has a block size for every rank.
class Problems {
  public:
    /// `inputs` and `types` have to outlive it and its problems, which refer to it. Throws
    /// UsageError. \param nodes on which the ranks are
    Problems(const Inputs& inputs, const RunOptions& options, const Types& types, int ranks,
             NodeSplit nodes = {});
    std::size_t size() const;
    /// With its block sizes, the same at each call. Throws UsageError.
    Problem make(std::size_t place) const;
    /// Whether the one behind it is the next larger of the same distribution.
    bool has_next(std::size_t place) const;

  private:
    Problem made(const Distribution& distribution, Count block_size) const;
    Problem made(const application::SelectedProblem& selected) const;
    void put_on_nodes(Problem& problem) const;

    const Inputs* inputs_;
    const Types* types_;
    int ranks_, root_ = 0;
    std::uint64_t seed_;
    bool has_network_;
    NodeSplit nodes_;
    std::shared_ptr<const Graph> graph_;
    std::vector<std::pair<std::size_t, Count>> places_;  ///< distribution and block size of each
};

}  // namespace mpiaudit
