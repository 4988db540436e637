// SPDX-License-Identifier: BSD-3-Clause
// Defines annealed_tree() of broadcast_trees.h.
#include <algorithm>
#include <cmath>
#include <limits>

#include "random/random_bits.h"
#include "schedule/broadcast_trees.h"
#include "schedule/schedule.h"

namespace mpiaudit {
namespace {

// More steps find nothing better for the three sites of the paper.
constexpr int steps_per_part = 300;
constexpr double first_temperature = 0.1;  // share of the first energy
constexpr double last_temperature = 1e-4;

class Random {
  public:
    explicit Random(std::uint64_t seed) : seed_{seed} {}
    /// Returns a uniform number in 0 ... below - 1.
    std::size_t below(std::size_t below) { return mix_bits(seed_, draws_++) % below; }
    double share() { return static_cast<double>(mix_bits(seed_, draws_++) >> 11U) * 0x1p-53; }

  private:
    std::uint64_t seed_;
    std::uint64_t draws_ = 0;
};

/// A part of the pool, in the order of receiving; the first part has the datum.
struct Member {
    std::size_t part;
    int host;            ///< host that represents the part
    std::size_t parent;  ///< index in the order, before its own
};
using Broadcast = std::vector<Member>;

/// Simulated annealing of a broadcast from one part of a pool to the others.
class Annealing {
  public:
    Annealing(const Network& network, double bytes, std::vector<std::vector<int>> parts,
              std::uint64_t seed)
        : network_{network}, bytes_{bytes}, parts_{std::move(parts)}, random_{seed} {}

    Broadcast run(int root) {
        Broadcast current = shortest_paths(root);
        if (current.size() < 3 && is_single_host()) return current;
        double energy_s = end_s(current);
        Broadcast best = current;
        double best_s = energy_s;
        const int steps = steps_per_part * static_cast<int>(parts_.size());
        const double cooling = std::pow(last_temperature / first_temperature, 1.0 / steps);
        double temperature_s = first_temperature * energy_s;
        for (int step = 0; step < steps; ++step, temperature_s *= cooling) {
            Broadcast next = current;
            change(next);
            const double next_s = end_s(next);
            if (next_s > energy_s &&
                random_.share() >= std::exp((energy_s - next_s) / temperature_s))
                continue;
            current = std::move(next);
            energy_s = next_s;
            // The last of equally good trees is taken, so that the trees of different data go
            // through different hosts if hosts do not differ.
            if (energy_s > best_s) continue;
            best = current;
            best_s = energy_s;
        }
        return best;
    }

  private:
    bool is_single_host() const {
        return std::ranges::all_of(parts_, [](const auto& part) { return part.size() == 1; });
    }

    /// Returns the start of the annealing: the part that can be reached first joins next.
    Broadcast shortest_paths(int root) const {
        Broadcast made;
        std::vector<std::size_t> left;
        for (std::size_t part = 0; part < parts_.size(); ++part) {
            if (std::ranges::find(parts_[part], root) != parts_[part].end())
                made.push_back({part, root, 0});
            else
                left.push_back(part);
        }
        std::vector<double> free_s{0.0};
        while (!left.empty()) {
            double best_s = std::numeric_limits<double>::infinity();
            Member best{};
            for (std::size_t parent = 0; parent < made.size(); ++parent) {
                for (const std::size_t part : left) {
                    for (const int host : parts_[part]) {
                        const double ends_s =
                            free_s[parent] + network_.transfer_s(bytes_, made[parent].host, host);
                        if (ends_s >= best_s) continue;
                        best_s = ends_s;
                        best = {part, host, parent};
                    }
                }
            }
            free_s[best.parent] +=
                network_.send_overhead_s(bytes_, made[best.parent].host, best.host);
            free_s.push_back(best_s);
            std::erase(left, best.part);
            made.push_back(best);
        }
        return made;
    }

    /// Returns when the last part has the datum, in seconds.
    double end_s(const Broadcast& broadcast) {
        free_s_.assign(broadcast.size(), 0.0);
        double last_s = 0.0;
        for (std::size_t i = 1; i < broadcast.size(); ++i) {
            const Member& member = broadcast[i];
            const int source = broadcast[member.parent].host;
            free_s_[i] = free_s_[member.parent] + network_.transfer_s(bytes_, source, member.host);
            free_s_[member.parent] += network_.send_overhead_s(bytes_, source, member.host);
            last_s = std::max(last_s, free_s_[i]);
        }
        return last_s;
    }

    /// Makes one random change: another parent, another host of a part, or another order. The root
    /// keeps its place.
    void change(Broadcast& broadcast) {
        const std::size_t i = 1 + random_.below(broadcast.size() - 1);
        Member& member = broadcast[i];
        switch (random_.below(3)) {
            case 0:
                member.parent = random_.below(i);
                break;
            case 1: {
                const std::vector<int>& hosts = parts_[member.part];
                member.host = hosts[random_.below(hosts.size())];
                break;
            }
            default:
                exchange_with_next(broadcast, i);
        }
    }

    static void exchange_with_next(Broadcast& broadcast, std::size_t i) {
        if (i + 1 == broadcast.size() || broadcast[i + 1].parent == i) return;
        std::swap(broadcast[i], broadcast[i + 1]);
        for (Member& each : broadcast) {
            if (each.parent == i)
                each.parent = i + 1;
            else if (each.parent == i + 1)
                each.parent = i;
        }
    }

    const Network& network_;
    double bytes_;
    std::vector<std::vector<int>> parts_;
    Random random_;
    std::vector<double> free_s_;
};

void anneal(const Network& network, const Pool& pool, double bytes, int root, std::uint64_t seed,
            BroadcastTree& tree) {
    if (pool.hosts.size() < 2) return;
    const std::uint64_t own_seed = mix_bits(seed, static_cast<std::uint64_t>(pool.hosts.front()));
    const Broadcast broadcast = Annealing(network, bytes, pool.parts(), own_seed).run(root);
    for (std::size_t i = 1; i < broadcast.size(); ++i)
        tree[index(broadcast[i].host)] = broadcast[broadcast[i].parent].host;
    for (const Member& member : broadcast) {
        if (!pool.pools.empty())
            anneal(network, pool.pools[member.part], bytes, member.host, own_seed, tree);
    }
}

}  // namespace

BroadcastTree annealed_tree(const Network& network, const Pool& root_pool, double bytes, int root,
                            std::uint64_t seed) {
    BroadcastTree tree(index(network.size()), -1);
    anneal(network, root_pool, bytes, root, mix_bits(seed, static_cast<std::uint64_t>(root)), tree);
    return tree;
}

}  // namespace mpiaudit
