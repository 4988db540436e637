// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/library_algorithms.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include "mpi/environment.h"

namespace mpiaudit {
namespace {

constexpr std::string_view open_mpi_prefix = "coll_tuned_";

/// Initialises MPI_T once, until the program ends.
void start_tool_interface() {
    static const int started = [] {
        int provided = 0;
        return MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
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

/// Calls visit(index, name, description, values) for each integer control variable that a program
/// can write. Open MPI 4.1 to 6.0 declares the variable of MPI_Allgatherv constant: forcing it
/// would have no effect.
template <class Visit>
void for_each_integer_variable(const Visit& visit) {
    int count = 0;
    MPI_T_cvar_get_num(&count);
    for (int i = 0; i < count; ++i) {
        std::array<char, 256> name{};
        std::array<char, 8192> description{};
        int name_length = static_cast<int>(name.size());
        int description_length = static_cast<int>(description.size());
        int verbosity = 0, binding = 0, scope = 0;
        MPI_Datatype type{};
        MPI_T_enum values{};
        if (MPI_T_cvar_get_info(i, name.data(), &name_length, &verbosity, &type, &values,
                                description.data(), &description_length, &binding,
                                &scope) == MPI_SUCCESS &&
            (type == MPI_INT || type == MPI_UNSIGNED) && scope != MPI_T_SCOPE_CONSTANT &&
            scope != MPI_T_SCOPE_READONLY)
            visit(i, name.data(), description.data(), values);
    }
}

/// Returns MPI_Gather for "gather" and "GATHER".
std::string operation_name(std::string collective) {
    std::ranges::transform(collective, collective.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    collective[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(collective[0])));
    return "MPI_" + collective;
}

/// Returns the part of `name` between its prefix and its suffix; "" if `name` lacks them.
std::string between(std::string_view name, std::string_view before, std::string_view behind) {
    if (name.size() < before.size() + behind.size() || !name.starts_with(before) ||
        !name.ends_with(behind))
        return {};
    return std::string(name.substr(before.size(), name.size() - before.size() - behind.size()));
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
        // The names follow the last words of preceding lines in MPICH 4.0.2.
        for (const std::string_view end_of_line : {"algorithm", "Tree", "Allgather"}) {
            if (name.starts_with(end_of_line)) name.erase(0, end_of_line.size());
        }
        named.emplace_back(name, static_cast<int>(named.size()));
    }
    return named;
}

std::string LibraryAlgorithm::environment() const {
    // Open MPI reads variables with a prefix, MPICH reads the names of an enumeration's values.
    if (variable_name.starts_with(open_mpi_prefix))
        return "OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_" + assignment();
    return variable_name + "=" + name;
}

MPI_Comm LibraryAlgorithm::communicator(MPI_Comm comm) const {
    if (own_communicator != MPI_COMM_NULL) return own_communicator;
    // MPICH would use the algorithm to create the communicator, even if it does not fit.
    select_algorithm(variable_name.starts_with(open_mpi_prefix) ? this : nullptr);
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
    for_each_integer_variable(
        [&](int index, const char* variable, const char* description, MPI_T_enum enumeration) {
            NamedValues values;
            std::string collective = between(variable, open_mpi_prefix, "_algorithm");
            if (!collective.empty()) {
                values = enumerated_values(enumeration);
            } else {
                collective = between(variable, "MPIR_CVAR_", "_INTRA_ALGORITHM");
                if (!collective.empty()) values = described_values(description);
            }
            const int of_user = read_variable(index);
            for (const auto& [name, value] : values) {
                // Value 0 leaves the choice to both libraries; it is an algorithm of its own only
                // if the user has chosen another value.
                if (value != 0 || of_user != 0)
                    found.push_back(
                        {operation_name(collective), name, index, variable, value, of_user});
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

void prepare_for_forced_algorithms() {
    // Open MPI obeys forced algorithms only with dynamic rules; MPICH would silently run another
    // algorithm if the forced one does not fit.
    setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 0);
    setenv("MPIR_CVAR_COLLECTIVE_FALLBACK", "error", 0);
}

}  // namespace mpiaudit
