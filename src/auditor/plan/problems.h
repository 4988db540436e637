// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/patterns/node_communicators.h"
#include "options/options.h"
#include "plan/inputs.h"
#include "problem/problem.h"

namespace mpiaudit {

/// What the data are and how they are reduced. Throws UsageError for an unknown name.
struct Types {
    Types(const std::string& named_element, const std::string& named_op,
          const application::Selection* selection = nullptr, std::span<const Look> looks = {});
    Element element;
    Operator op;
    // Those of an application's problems and of looks, by name.
    std::map<std::string, Element> elements = {};
    std::map<std::string, Operator> operators = {};
};

/// Where a problem is among the distributions and their block sizes.
struct SweepPoint {
    std::size_t distribution;
    Count block_size;
    Count next = 0;  ///< the larger block size that m+k stands for; 0: none
    bool operator==(const SweepPoint&) const = default;
};

/// The problems that inputs and options ask for, without contestants: every distribution with every
/// block size, explicit counts once, or those of an application that were selected. They are made
/// one by one, since each has a block size for every rank.
class Problems {
  public:
    /// `inputs` and `types` have to outlive it and its problems, which refer to it. Throws
    /// UsageError. \param nodes on which the ranks are
    Problems(const Inputs& inputs, const InputOptions& options, const Types& types, int ranks,
             NodeSplit nodes = {});
    std::size_t size() const;
    /// With its block sizes, the same at each call. Throws UsageError.
    Problem make(std::size_t place) const;
    /// The larger one that m+k stands for, if there is one.
    std::optional<Problem> make_next(std::size_t place) const;
    /// A problem more, behind the others. Returns where it is.
    std::size_t add(const SweepPoint& place);
    bool is_spread() const { return is_spread_; }
    const SweepPoint& place(std::size_t place) const { return places_[place]; }
    /// How it differs from what the options say; null where it does not.
    const Look* look(std::size_t place) const;

  private:
    Problem made(const SweepPoint& place) const;
    Problem made(const application::SelectedProblem& selected) const;
    void put_on_nodes(Problem& problem) const;

    const Inputs* inputs_;
    const Types* types_;
    int ranks_, root_ = 0;
    std::uint64_t seed_;
    bool has_network_, is_spread_;
    NodeSplit nodes_;
    std::shared_ptr<const Graph> graph_;
    std::vector<SweepPoint> places_;
};

}  // namespace mpiaudit
