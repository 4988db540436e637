// SPDX-License-Identifier: BSD-3-Clause
// Defines join_papers() of tables.h.
#include "catalogue/catalogue.h"
#include "grid/job_network.h"
#include "optimal_trees/optimal_tree.h"
#include "tables/tables.h"
#include "zero_copy/zero_copy_algorithms.h"

namespace mpiaudit {

void join_papers(OtherProducts& other_products) {
    join_algorithms(zero_copy_algorithms());
    join_algorithms(optimal_tree_algorithms());
    join_product("papers", zero_copy_arrows());
    join_catalogue(grid_arrows());
    join_types_only();
    other_products.read_network = read_network;
    other_products.lists.emplace_back("networks", list_networks);
}

}  // namespace mpiaudit
