// SPDX-License-Identifier: BSD-3-Clause
// How far are gather trees from the best ordered one? On the paper's distributions, in the linear
// model, with one port and several: the trees alone, without their construction. A scatter takes
// the same time.
//
// Usage: optimal_trees FOLDER_OF_DISTRIBUTIONS, from any folder; needs no mpirun.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>

#include "optimal_trees/optimal_tree.h"
#include "problem/distribution.h"
#include "tests/gather_trees.h"

namespace {

using namespace mpiaudit;

using Tree = std::vector<GatherNode>;

/// A tree of which the nodes and their children are known, but not the amounts.
Tree with_amounts(Tree tree, const std::vector<std::int64_t>& bytes) {
    const auto amount = [&](const Subtree& subtree) {
        std::int64_t sum = 0;
        for (int i = 0; i < subtree.ranks; ++i)
            sum += bytes[static_cast<std::size_t>(subtree.first + i) % bytes.size()];
        return sum;
    };
    for (GatherNode& node : tree)
        for (Subtree& child : node.children) child.amount = amount(child);
    return tree;
}

Tree binomial_tree(const std::vector<std::int64_t>& bytes, int root) {
    Tree tree;
    for (std::size_t rank = 0; rank < bytes.size(); ++rank)
        tree.push_back(fixed_tree(static_cast<int>(rank), root, static_cast<int>(bytes.size()), 2));
    return with_amounts(std::move(tree), bytes);
}

Tree linear_tree(const std::vector<std::int64_t>& bytes, int root) {
    Tree tree(bytes.size());
    for (int rank = 0; rank < static_cast<int>(bytes.size()); ++rank) {
        if (rank == root) continue;
        tree[static_cast<std::size_t>(rank)].parent = root;
        tree[static_cast<std::size_t>(root)].children.push_back({rank, rank, 1, 0});
    }
    return with_amounts(std::move(tree), bytes);
}

/// The binomial tree in which ranks with larger blocks are nearer to the root: by sorting, for
/// which the root has to know all sizes, and blocks do not stay in order (as in Träff 2004, Dichev
/// 2010).
Tree sorted_tree(std::vector<std::int64_t> bytes, int root) {
    std::swap(bytes.front(), bytes[static_cast<std::size_t>(root)]);
    std::sort(bytes.begin() + 1, bytes.end(), std::greater{});
    std::vector<unsigned> places(bytes.size());
    std::iota(places.begin(), places.end(), 0);
    std::ranges::stable_sort(places, {}, [](unsigned place) { return std::popcount(place); });
    std::vector<std::int64_t> placed(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) placed[places[i]] = bytes[i];
    return binomial_tree(placed, 0);
}

struct Ratios {
    double largest = 0, sum = 0;
    int problems = 0;
    void add(double ratio) {
        largest = std::max(largest, ratio);
        sum += ratio;
        ++problems;
    }
    std::string text() const { return fmt::format("{:8.3f} {:8.3f}", sum / problems, largest); }
};

Distribution read(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return parse_distribution({std::istreambuf_iterator<char>(stream), {}}, file.string());
}

constexpr const char* names[] = {"same",        "random",     "spikes",   "decreasing",
                                 "alternating", "two-blocks", "far-block"};

/// Calls `each` with the bytes of all ranks and the root, for b = 1, 10, ..., 10000 ints.
template <class Each>
void for_sizes(const Distribution& distribution, int p, Each each) {
    for (Count b = 1; b <= 10000; b *= 10) {
        std::vector<std::int64_t> bytes;
        for (const Count count : block_sizes(distribution, p, b, p / 2, 1))
            bytes.push_back(4 * count);
        each(bytes, p / 2);
    }
}

void compare_on_one_port(const std::filesystem::path& folder, std::int64_t startup) {
    Ratios all, all_sorted;
    for (const int p : {2, 4, 8, 16, 35, 128, 560}) {
        for (const char* name : names) {
            Ratios ordered, binomial, linear, sorted;
            for_sizes(read(folder / (std::string(name) + ".json")), p, [&](auto& bytes, int root) {
                const auto time = [&](const Tree& tree) {
                    return gather_cost(tree, {static_cast<double>(startup), 1});
                };
                const double best = time(optimal_gather_tree(bytes, root, startup));
                if (best == 0) return;  // the root has everything
                const double ratio = time(ordered_gather_tree(bytes, root)) / best;
                ordered.add(ratio);
                all.add(ratio);
                binomial.add(time(binomial_tree(bytes, root)) / best);
                linear.add(time(linear_tree(bytes, root)) / best);
                const double of_sorted = time(sorted_tree(bytes, root)) / best;
                sorted.add(of_sorted);
                all_sorted.add(of_sorted);
            });
            if (ordered.problems > 0)
                fmt::print("{:>9} {:>4} {:<13}{} {} {} {}\n", startup, p, name, ordered.text(),
                           binomial.text(), linear.text(), sorted.text());
        }
    }
    fmt::print("{:>9}  all {:<13}{}{:39}{}\n\n", startup, "", all.text(), "", all_sorted.text());
}

void compare_on_ports(const std::filesystem::path& folder, std::int64_t startup) {
    Ratios all[2];
    for (const int p : {2, 4, 8, 16, 35, 128}) {
        for (const char* name : names) {
            Ratios ordered[2];
            for_sizes(read(folder / (std::string(name) + ".json")), p, [&](auto& bytes, int root) {
                for (const int ports : {2, 3}) {
                    const auto best = optimal_completion_time(bytes, root, startup, ports);
                    if (best == 0) return;
                    const double ratio =
                        static_cast<double>(ordered_completion_time(bytes, root, startup, ports)) /
                        static_cast<double>(best);
                    ordered[ports - 2].add(ratio);
                    all[ports - 2].add(ratio);
                }
            });
            if (ordered[0].problems > 0)
                fmt::print("{:>9} {:>4} {:<13}{} {}\n", startup, p, name, ordered[0].text(),
                           ordered[1].text());
        }
    }
    fmt::print("{:>9}  all {:<13}{} {}\n\n", startup, "", all[0].text(), all[1].text());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "usage: optimal_trees FOLDER_OF_DISTRIBUTIONS\n");
        return 2;
    }
    constexpr std::int64_t startups[] = {1024, startup_of_optimum, 262144};
    fmt::print(
        "Completion times over that of the best ordered tree, mean and largest over b = 1, 10, "
        "..., 10000 ints and root p/2.\nA start-up takes as long as so many bytes.\n\n"
        "{:>9} {:>4} {:<13}{:^18}{:^18}{:^18}{:^18}\n",
        "start-up", "p", "distribution", "TUW_Gatherv", "binomial", "linear", "sorted");
    for (const std::int64_t startup : startups) compare_on_one_port(argv[1], startup);
    fmt::print(
        "The same where a rank receives from 2 or 3 others at a time.\n\n"
        "{:>9} {:>4} {:<13}{:^18}{:^18}\n",
        "start-up", "p", "distribution", "TUW_Gatherv_k2", "TUW_Gatherv_k3");
    for (const std::int64_t startup : startups) compare_on_ports(argv[1], startup);
}
