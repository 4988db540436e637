// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/broadcast_trees.h"

#include <algorithm>

#include "schedule/earliest_first.h"
#include "schedule/replay.h"

namespace mpiaudit {
namespace {

/// Options of EarliestFirst: messages from hosts of the tree to hosts outside.
class ShortestPaths : public LowestSenderFirst {
  public:
    ShortestPaths(const Network& network, double bytes, int root)
        : network_{network},
          bytes_{bytes},
          free_s_(index(network.size()), -1.0),
          tree_(index(network.size()), -1) {
        free_s_[index(root)] = 0.0;
    }

    Candidate best(int sender) {
        Candidate best;
        if (!is_reached(sender)) return best;
        for (int receiver = 0; receiver < network_.size(); ++receiver) {
            if (is_reached(receiver)) continue;
            const double arrives_s = end_s(sender, receiver);
            if (arrives_s < best.end_s) best = {arrives_s, receiver, 0};
        }
        return best;
    }
    bool is_unchanged(int sender, const Candidate& candidate) const {
        return !is_reached(candidate.destination) &&
               end_s(sender, candidate.destination) == candidate.end_s;
    }
    void send(int sender, const Candidate& sent) {
        free_s_[index(sent.destination)] = sent.end_s;
        free_s_[index(sender)] += network_.send_overhead_s(bytes_, sender, sent.destination);
        tree_[index(sent.destination)] = sender;
    }
    BroadcastTree take() { return std::move(tree_); }

  private:
    bool is_reached(int host) const { return free_s_[index(host)] >= 0.0; }
    double end_s(int sender, int receiver) const {
        return free_s_[index(sender)] + network_.transfer_s(bytes_, sender, receiver);
    }

    const Network& network_;
    double bytes_;
    std::vector<double> free_s_;  ///< when a host can send; negative: the host lacks the datum
    BroadcastTree tree_;
};

/// Options of EarliestFirst: messages along given trees.
class AlongTrees : public LowestSenderFirst {
  public:
    AlongTrees(const Network& network, Ports ports, std::span<const double> bytes,
               const std::vector<BroadcastTree>& trees)
        : network_{network},
          bytes_{bytes},
          trees_{trees},
          times_{network, ports},
          open_(trees.size()) {
        schedule_.hosts = network.size();
        for (int root = 0; root < network.size(); ++root) open_children(root, root, 0.0);
    }

    Candidate best(int sender) {
        Candidate best;
        for (const Open& each : open_[index(sender)]) {
            const double arrives_s = end_s(sender, each);
            if (arrives_s < best.end_s) best = {arrives_s, each.child, each.datum};
        }
        return best;
    }
    bool is_unchanged(int sender, const Candidate& candidate) const {
        return end_s(sender, *find(sender, candidate)) == candidate.end_s;
    }
    void send(int sender, const Candidate& sent) {
        const auto found = find(sender, sent);
        const double ends_s =
            times_.send(sender, sent.destination, bytes_[index(sent.datum)], found->held_s).end_s;
        open_[index(sender)].erase(found);
        schedule_.add(sender, sent.destination, sent.datum);
        schedule_.predicted_s = std::max(schedule_.predicted_s, ends_s);
        open_children(sent.destination, sent.datum, ends_s);
    }
    AllgatherSchedule take() { return std::move(schedule_); }

  private:
    /// A message whose source has the datum and has not sent it.
    struct Open {
        int child;
        int datum;
        double held_s;
    };

    void open_children(int host, int datum, double held_s) {
        const BroadcastTree& tree = trees_[index(datum)];
        for (int child = 0; child < network_.size(); ++child) {
            if (tree[index(child)] == host) open_[index(host)].push_back({child, datum, held_s});
        }
    }
    std::vector<Open>::const_iterator find(int sender, const Candidate& candidate) const {
        return std::ranges::find_if(open_[index(sender)], [&](const Open& each) {
            return each.child == candidate.destination && each.datum == candidate.datum;
        });
    }
    double end_s(int sender, const Open& open) const {
        return std::max(times_.available_s(sender, open.child), open.held_s) +
               network_.transfer_s(bytes_[index(open.datum)], sender, open.child);
    }

    const Network& network_;
    std::span<const double> bytes_;
    const std::vector<BroadcastTree>& trees_;
    PortTimes times_;
    std::vector<std::vector<Open>> open_;  ///< open messages of each source
    AllgatherSchedule schedule_;
};

}  // namespace

BroadcastTree shortest_path_tree(const Network& network, double bytes, int root) {
    ShortestPaths paths(network, bytes, root);
    EarliestFirst<ShortestPaths>(paths, {root}, network.size()).run();
    return paths.take();
}

AllgatherSchedule schedule_from_trees(const Network& network, Ports ports,
                                      std::span<const double> bytes,
                                      const std::vector<BroadcastTree>& trees) {
    AlongTrees along(network, ports, bytes, trees);
    EarliestFirst<AlongTrees>(along, all_hosts(network), network.size()).run();
    return along.take();
}

}  // namespace mpiaudit
