// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/library_algorithms.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string_view>

#include "mpi/environment.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// Variables of Open MPI for blocking and for nonblocking operations.
constexpr std::string_view tuned_prefix = "coll_tuned_", libnbc_prefix = "coll_libnbc_";

/// Initialises MPI_T once, until the program ends.
void start_tool_interface() {
    static const int started = [] {
        int provided = 0;
        // Open MPI 4.1 takes this level for MPI, too: a lower one would take the watchdog's thread
        // away.
        return MPI_T_init_thread(MPI_THREAD_FUNNELED, &provided);
    }();
    (void)started;
}

void write_variable(int variable, int value) {
    MPI_T_cvar_handle handle{};
    int count = 0;
    if (MPI_T_cvar_handle_alloc(variable, nullptr, &handle, &count) != MPI_SUCCESS) return;
    MPI_T_cvar_write(handle, &value);
    MPI_T_cvar_handle_free(&handle);
}

int read_variable(int variable) {
    MPI_T_cvar_handle handle{};
    int count = 0, value = 0;
    if (MPI_T_cvar_handle_alloc(variable, nullptr, &handle, &count) != MPI_SUCCESS) return 0;
    MPI_T_cvar_read(handle, &value);
    MPI_T_cvar_handle_free(&handle);
    return value;
}

std::optional<std::string>& refusal() {
    static std::optional<std::string> text;
    return text;
}

/// The error handler of communicators with forced algorithms.
void keep_refusal(MPI_Comm*, int* code, ...) {
    refusal() = error_text(*code);
}

/// A control variable as the library describes it.
struct VariableInfo {
    std::string name, description;
    MPI_Datatype type{};
    MPI_T_enum values{};
    int index = 0, scope = 0;
    bool is_integer() const { return type == MPI_INT || type == MPI_UNSIGNED; }
};

/// Calls visit(info) for each control variable.
template <class Visit>
void for_each_variable(const Visit& visit) {
    int count = 0;
    MPI_T_cvar_get_num(&count);
    std::array<char, 256> name{};
    std::array<char, 8192> description{};
    for (int i = 0; i < count; ++i) {
        int name_length = static_cast<int>(name.size());
        int description_length = static_cast<int>(description.size());
        int verbosity = 0, binding = 0;
        VariableInfo info;
        info.index = i;
        if (MPI_T_cvar_get_info(i, name.data(), &name_length, &verbosity, &info.type, &info.values,
                                description.data(), &description_length, &binding,
                                &info.scope) != MPI_SUCCESS)
            continue;
        info.name = name.data();
        info.description = description.data();
        visit(info);
    }
}

/// Returns the names and values of an enumeration of the MPI tool interface; empty for none.
NamedValues enumerated_values(MPI_T_enum values) {
    NamedValues named;
    if (values == MPI_T_ENUM_NULL) return named;
    int count = 0;
    std::array<char, 256> name{};
    int length = static_cast<int>(name.size());
    MPI_T_enum_get_info(values, &count, name.data(), &length);
    for (int i = 0; i < count; ++i) {
        int value = 0;
        length = static_cast<int>(name.size());
        MPI_T_enum_get_item(values, i, &value, name.data(), &length);
        named.emplace_back(name.data(), value);
    }
    return named;
}

}  // namespace

NamedValues described_values(const std::string& description) {
    const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    const auto is_space = [](unsigned char c) { return std::isspace(c) != 0; };
    constexpr std::string_view dash = "- ";
    NamedValues named;
    for (auto at = description.find(dash); at != std::string::npos;
         at = description.find(dash, at + 1)) {
        const auto meaning = std::string_view(description).substr(at + dash.size());
        if (!meaning.starts_with("Internal") && !meaning.starts_with("Force")) continue;
        const auto before = std::string_view(description).substr(0, at);
        const auto end = std::find_if_not(before.rbegin(), before.rend(), is_space);
        const auto start = std::find_if_not(end, before.rend(), is_word);
        std::string name(start.base(), end.base());
        if (name.empty()) continue;
        // The names follow the last words of preceding lines in MPICH 4.0.2. All names of
        // nonblocking algorithms begin with these words, except auto.
        for (const std::string_view engine : {"sched_", "tsp_", "gentran_"}) {
            const std::size_t begin = name.find(engine);
            if (begin != std::string::npos) name.erase(0, begin);
        }
        for (const std::string_view end_of_line : {"algorithm", "Tree", "Allgather"}) {
            if (name.starts_with(end_of_line)) name.erase(0, end_of_line.size());
        }
        named.emplace_back(name, static_cast<int>(named.size()));
    }
    return named;
}

namespace {

/// Returns the names of the values of a variable: those of its enumeration, or those that MPICH's
/// description lists.
NamedValues named_values(const VariableInfo& variable) {
    if (variable.name.starts_with("MPIR_CVAR_") && variable.name.ends_with("_ALGORITHM"))
        return described_values(variable.description);
    return enumerated_values(variable.values);
}

/// Returns the value as text; nullopt for types without one.
std::optional<settings::ControlVariable> value_of(const VariableInfo& variable) {
    using Kind = settings::ControlVariable::Kind;
    MPI_T_cvar_handle handle{};
    int count = 0;
    if (MPI_T_cvar_handle_alloc(variable.index, nullptr, &handle, &count) != MPI_SUCCESS)
        return std::nullopt;
    // Numbers have up to 8 bytes; a text has `count` characters.
    std::vector<char> bytes(static_cast<std::size_t>(std::max(count, 1)) + 16);
    const bool is_read = MPI_T_cvar_read(handle, bytes.data()) == MPI_SUCCESS;
    MPI_T_cvar_handle_free(&handle);
    if (!is_read) return std::nullopt;
    const auto as = [&]<class T>(T value) {
        std::memcpy(&value, bytes.data(), sizeof value);
        return std::to_string(value);
    };
    if (variable.type == MPI_CHAR) return {{Kind::text, bytes.data(), {}}};
    if (count != 1) return std::nullopt;
    if (variable.type == MPI_C_BOOL) return {{Kind::boolean, bytes[0] == 0 ? "0" : "1", {}}};
    std::string text;
    if (variable.type == MPI_INT) text = as(0);
    if (variable.type == MPI_UNSIGNED) text = as(0U);
    if (variable.type == MPI_UNSIGNED_LONG) text = as(0UL);
    if (variable.type == MPI_UNSIGNED_LONG_LONG) text = as(0ULL);
    if (variable.type == MPI_COUNT) text = as(MPI_Count{});
    if (text.empty()) return std::nullopt;
    return {{Kind::number, text, named_values(variable)}};
}

}  // namespace

std::map<std::string, settings::ControlVariable> control_variables() {
    start_tool_interface();
    std::map<std::string, settings::ControlVariable> found;
    for_each_variable([&](const VariableInfo& variable) {
        if (auto value = value_of(variable)) found.emplace(variable.name, std::move(*value));
    });
    return found;
}

std::string LibraryAlgorithm::environment() const {
    // Open MPI reads variables with a prefix, MPICH reads the names of an enumeration's values.
    if (variable_name.starts_with(tuned_prefix))
        return "OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_" + assignment();
    if (variable_name.starts_with(libnbc_prefix)) return "OMPI_MCA_" + assignment();
    return variable_name + "=" + name;
}

MPI_Comm LibraryAlgorithm::communicator(MPI_Comm comm) const {
    if (own_communicator != MPI_COMM_NULL) return own_communicator;
    // MPICH and libnbc would use the algorithm to create the communicator, even if the algorithm
    // does not fit.
    select_algorithm(variable_name.starts_with(tuned_prefix) ? this : nullptr);
    MPI_Comm_dup(comm, &own_communicator);
    select_algorithm(nullptr);
    MPI_Errhandler handler{};
    MPI_Comm_create_errhandler(keep_refusal, &handler);
    MPI_Comm_set_errhandler(own_communicator, handler);
    MPI_Errhandler_free(&handler);
    return own_communicator;
}

std::vector<LibraryAlgorithm> discover_algorithms() {
    start_tool_interface();
    std::vector<LibraryAlgorithm> found;
    for_each_variable([&](const VariableInfo& variable) {
        // Open MPI 4.1 to 6.0 declares the variable of MPI_Allgatherv constant: forcing it would
        // have no effect.
        if (!variable.is_integer() || variable.scope == MPI_T_SCOPE_CONSTANT ||
            variable.scope == MPI_T_SCOPE_READONLY)
            return;
        const std::string operation = settings::operation_of_variable(variable.name);
        if (operation.empty()) return;
        const int of_user = read_variable(variable.index);
        for (const auto& [name, value] : named_values(variable)) {
            // Value 0 leaves the choice to both libraries; it is an algorithm of its own only if
            // the user has chosen another value.
            // MPICH's sched_auto is a choice between algorithms, and ends the program.
            if ((value != 0 || of_user != 0) && name != "sched_auto")
                found.push_back({operation, name, variable.index, variable.name, value, of_user});
        }
    });
    return found;
}

void select_algorithm(const LibraryAlgorithm* algorithm) {
    static const LibraryAlgorithm* selected = nullptr;
    if (algorithm == selected) return;
    if (selected != nullptr) write_variable(selected->variable, selected->value_of_user);
    if (algorithm != nullptr) write_variable(algorithm->variable, algorithm->value);
    selected = algorithm;
}

std::optional<std::string> take_refusal() {
    return std::exchange(refusal(), std::nullopt);
}

namespace {

std::set<std::string>& variables_of_audit() {
    static std::set<std::string> names;
    return names;
}

/// Sets a variable of the environment unless the user has set it.
void set_unless_set(const char* variable, const char* value) {
    if (std::getenv(variable) != nullptr) return;
    setenv(variable, value, 0);
    variables_of_audit().insert(variable);
}

}  // namespace

void prepare_for_forced_algorithms() {
    // Open MPI obeys forced algorithms only with dynamic rules; MPICH would silently run another
    // algorithm if the forced one does not fit.
    set_unless_set("OMPI_MCA_coll_tuned_use_dynamic_rules", "1");
    set_unless_set("MPIR_CVAR_COLLECTIVE_FALLBACK", "error");
}

bool is_set_by_audit(const std::string& variable) {
    return variables_of_audit().contains(variable);
}

}  // namespace mpiaudit
