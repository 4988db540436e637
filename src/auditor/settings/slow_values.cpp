// SPDX-License-Identifier: BSD-3-Clause
#include "settings/slow_values.h"

#include <algorithm>
#include <array>

namespace mpiaudit::settings {
namespace {

// Values that make all operations slow.

bool is_above_0(const std::string& value) {
    return number_in(value).value_or(0) > 0;
}
bool is_on(const std::string& value) {
    return boolean_in(value).value_or(false);
}
bool is_off(const std::string& value) {
    return value == "none";
}
bool lacks_shared_memory(const std::string& value) {
    return !has_component(value, "vader") && !has_component(value, "sm");
}
bool lacks_tuned(const std::string& value) {
    return !has_component(value, "tuned");
}
bool names_no_memory(const std::string& value) {
    constexpr std::array memory = {"sm", "shm", "all", "posix", "sysv", "cma", "xpmem", "knem"};
    return !value.empty() && std::ranges::none_of(memory, [&](const char* each) {
        return value.find(each) != value.npos;
    });
}
bool locks(const std::string& value) {
    return value == "MPI_THREAD_MULTIPLE" || value == "multiple" || value == "3";
}

struct SlowValue {
    std::string_view variable;  ///< as Library::find() or the environment names it
    bool (*is_slow)(const std::string& value);
    std::string_view why;
    bool unless_set = false;  ///< the library may have the value by itself
    std::string_view why_unless_set = {};
};
constexpr SlowValue slow_values[] = {
    {"coll_sync_barrier_before", is_above_0, "collectives wait at a barrier before them"},
    {"coll_sync_barrier_after", is_above_0, "collectives wait at a barrier behind them"},
    {"btl", lacks_shared_memory, "ranks of a host exchange no message through shared memory"},
    {"btl_vader_single_copy_mechanism", is_off, "large messages within a host are copied twice",
     true,
     "the system does not allow CMA, as in a container without the capability SYS_PTRACE: large "
     "messages within a host are copied twice"},
    {"coll", lacks_tuned, "collectives take the algorithms of coll/basic, most of them linear"},
    {"mpi_yield_when_idle", is_on, "ranks that wait yield their processor"},
    {"OMPI_MPI_THREAD_LEVEL", locks, "every call takes locks"},
    {"MPIR_CVAR_DEFAULT_THREAD_LEVEL", locks, "every call takes locks"},
    {"MPIR_CVAR_ASYNC_PROGRESS", is_on, "a thread of each rank competes for its processor"},
    {"MPIR_CVAR_NOLOCAL", is_on, "ranks of a host exchange no message through shared memory"},
    {"UCX_TLS", names_no_memory, "ranks of a host exchange no message through shared memory"},
    {"I_MPI_FABRICS", names_no_memory, "ranks of a host exchange no message through shared memory"},
    {"I_MPI_ASYNC_PROGRESS", is_on, "a thread of each rank competes for its processor"},
};

/// Adds the reason to the setting's outcome; makes an outcome if nobody set it.
void explain(const SlowValue& slow, const Library& library, const std::vector<Given>& all,
             std::vector<Outcome>& results) {
    const auto given = std::ranges::find(all, slow.variable, &Given::name);
    const ControlVariable* const variable = library.find(std::string(slow.variable));
    if (given != all.end()) {
        const auto outcome = std::ranges::find_if(results, [&](const Outcome& each) {
            return each.name == given->written && each.origin == given->origin;
        });
        const bool is_known = variable != nullptr && outcome->in_effect.has_value();
        if (outcome->in_effect != false && slow.is_slow(is_known ? variable->text() : given->value))
            outcome->sentence = fmt::format("{}{} slows all operations: {}", given->text(),
                                            given->from(), slow.why);
        return;
    }
    const auto in_environment = library.environment.find(std::string(slow.variable));
    if (in_environment != library.environment.end() && slow.is_slow(in_environment->second)) {
        const auto& [name, value] = *in_environment;
        if (find_in(results, name, &Outcome::name) == nullptr)
            results.push_back(
                {name,
                 value,
                 of_environment,
                 {},
                 fmt::format("{}={} slows all operations: {}", name, value, slow.why)});
    } else if (slow.unless_set && variable != nullptr && slow.is_slow(variable->text())) {
        results.push_back(
            {std::string(slow.variable),
             variable->text(),
             "",
             {},
             fmt::format("{} is {}: {}", slow.variable, variable->text(), slow.why_unless_set)});
    }
}

}  // namespace

void explain_slow_values(const Library& library, const std::vector<Given>& all,
                         std::vector<Outcome>& results) {
    for (const SlowValue& each : slow_values) explain(each, library, all, results);
}

}  // namespace mpiaudit::settings
