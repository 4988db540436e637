// SPDX-License-Identifier: BSD-3-Clause
// A cluster for SimGrid: smpirun loads it as a platform. docs/simulation.md has the reasons for the
// model and for each parameter.
#include <simgrid/s4u.hpp>
// After the simulator's own headers, which it needs.
#include <simgrid/version.h>
#include <smpi/smpi.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

namespace {

namespace s4u = simgrid::s4u;

#if SIMGRID_VERSION < 40000  // the names of version 4, in which every zone is part of another one
#define add_host create_host
#define add_link create_link
#define add_split_duplex_link create_split_duplex_link
s4u::NetZone& add_cluster(const s4u::Engine&) {
    return *s4u::create_star_zone("cluster");
}
#else
s4u::NetZone& add_cluster(const s4u::Engine& engine) {
    return *engine.get_netzone_root()->add_netzone_star("cluster");
}
#endif

/// name=value pairs, separated by commas, of which every name is known and given.
std::map<std::string, double> read_parameters() {
    std::map<std::string, double> parameters;
    for (const char* name :
         {"nodes", "cores", "network_GB_per_s", "link_latency_us", "memory_GB_per_s",
          "memory_latency_us", "send_remote_us", "receive_remote_us", "send_local_us",
          "receive_local_us", "copy_GB_per_s", "eager_bytes"})
        parameters[name] = 0.0;
    const char* text = std::getenv("MPIAUDIT_PLATFORM_PARAMETERS");
    std::istringstream pairs(text != nullptr ? text : "");
    std::size_t given = 0;
    for (std::string pair; std::getline(pairs, pair, ','); ++given) {
        const std::size_t equals = pair.find('=');
        const auto found = parameters.find(pair.substr(0, equals));
        if (equals == std::string::npos || found == parameters.end())
            throw std::invalid_argument("MPIAUDIT_PLATFORM_PARAMETERS: '" + pair + "'");
        found->second = std::stod(pair.substr(equals + 1));
    }
    if (given < parameters.size())
        throw std::invalid_argument("MPIAUDIT_PLATFORM_PARAMETERS: some are missing");
    return parameters;
}

/// What a message costs the processor of one side. Larger ones than eager ones are not copied.
struct Overhead {
    double local_s, remote_s, copy_s_per_byte, eager_bytes;
    double operator()(std::size_t size, const s4u::Host* from, const s4u::Host* to) const {
        const auto bytes = static_cast<double>(size);
        const double startup_s = from == to ? local_s : remote_s;
        return startup_s + (bytes < eager_bytes ? bytes * copy_s_per_byte : 0.0);
    }
};

void add_node(s4u::NetZone& cluster, int number, const std::map<std::string, double>& parameters) {
    constexpr double flops = 9.2e9;  // computation is not simulated: any speed will do
    const std::string name = "node-" + std::to_string(number);
    auto* host = cluster.add_host(name, flops)
                     ->set_core_count(static_cast<int>(parameters.at("cores")))
                     ->seal();
    const auto* network =
        cluster.add_split_duplex_link(name + "-network", parameters.at("network_GB_per_s") * 1e9)
            ->set_latency(parameters.at("link_latency_us") * 1e-6)
            ->seal();
    const auto* memory = cluster.add_link(name + "-memory", parameters.at("memory_GB_per_s") * 1e9)
                             ->set_latency(parameters.at("memory_latency_us") * 1e-6)
                             ->set_sharing_policy(s4u::Link::SharingPolicy::SHARED)
                             ->seal();
    const s4u::LinkInRoute up(network, s4u::LinkInRoute::Direction::UP);
    cluster.add_route(host->get_netpoint(), nullptr, nullptr, nullptr, {up}, true);
    cluster.add_route(host->get_netpoint(), host->get_netpoint(), nullptr, nullptr,
                      {s4u::LinkInRoute(memory)});
}

}  // namespace

extern "C" void load_platform(const s4u::Engine& engine) {
    const std::map<std::string, double> parameters = read_parameters();
    s4u::NetZone& cluster = add_cluster(engine);
    for (int node = 0; node < static_cast<int>(parameters.at("nodes")); ++node)
        add_node(cluster, node, parameters);
    cluster.seal();
    const auto overhead = [&](const char* local, const char* remote) {
        return Overhead{parameters.at(local) * 1e-6, parameters.at(remote) * 1e-6,
                        1.0 / (parameters.at("copy_GB_per_s") * 1e9), parameters.at("eager_bytes")};
    };
    const Overhead send = overhead("send_local_us", "send_remote_us");
    smpi_register_op_cost_callback(SmpiOperation::SEND, send);
    smpi_register_op_cost_callback(SmpiOperation::ISEND, send);
    smpi_register_op_cost_callback(SmpiOperation::RECV,
                                   overhead("receive_local_us", "receive_remote_us"));
}
