// SPDX-License-Identifier: BSD-3-Clause
#include "settings/given.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ranges>
#include <utility>

namespace mpiaudit::settings {
namespace {

constexpr std::string_view open_mpi_prefix = "OMPI_MCA_", mpich_prefix = "MPIR_CVAR_";

std::string_view trimmed(std::string_view text) {
    constexpr const char* spaces = " \t\r";
    const std::size_t first = text.find_first_not_of(spaces);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

/// Adds the lines "name = value" of a parameter file of Open MPI.
void add_file(const std::string& path, const ReadFile& read, std::vector<Given>& all) {
    const std::optional<std::string> text = read(path);
    if (!text) return;
    for (const auto part : *text | std::views::split('\n')) {
        std::string_view line(part.begin(), part.end());
        line = trimmed(line.substr(0, line.find('#')));
        const std::size_t equals = line.find('=');
        if (line.empty() || equals == line.npos) continue;
        const std::string name(trimmed(line.substr(0, equals)));
        all.push_back({name, name, std::string(trimmed(line.substr(equals + 1))), path});
    }
}

/// Returns the library's name for a variable of the environment; empty if the variable belongs to
/// no library of this kind. MPICH takes each variable by three names.
std::string own_name(const std::string& variable, const Library& library) {
    if (library.is_open_mpi())
        return variable.starts_with(open_mpi_prefix) ? variable.substr(open_mpi_prefix.size()) : "";
    for (const std::string_view prefix :
         {mpich_prefix, std::string_view("MPIR_PARAM_"), std::string_view("MPICH_")}) {
        if (variable.starts_with(prefix))
            return std::string(mpich_prefix) + variable.substr(prefix.size());
    }
    return "";
}

}  // namespace

std::vector<std::string> files_of(const Library& library, const std::string& variable) {
    const ControlVariable* const list = library.find(variable);
    std::vector<std::string> files;
    if (list == nullptr) return files;
    std::size_t begin = 0;
    while (begin < list->value.size()) {
        const std::size_t end =
            std::min(list->value.find_first_of(",:", begin), list->value.size());
        if (end > begin) files.push_back(list->value.substr(begin, end - begin));
        begin = end + 1;
    }
    return files;
}

std::vector<Given> given_settings(const Library& library, const ReadFile& read) {
    std::vector<Given> all;
    for (const std::string& file : files_of(library, "mca_base_override_param_file"))
        add_file(file, read, all);
    for (const auto& [variable, value] : library.environment) {
        const std::string name = own_name(variable, library);
        if (!name.empty()) all.push_back({name, variable, value, of_environment});
    }
    for (const std::string& file : files_of(library, "mca_base_param_files"))
        add_file(file, read, all);
    return all;
}

std::optional<std::int64_t> number_in(const std::string& text) {
    char* end = nullptr;
    std::int64_t number = std::strtoll(text.c_str(), &end, 0);
    if (end == text.c_str()) return std::nullopt;
    constexpr std::string_view suffixes = "kmg";
    const std::size_t power =
        suffixes.find(static_cast<char>(std::tolower(static_cast<unsigned char>(*end))));
    if (*end != '\0' && power != suffixes.npos) {
        number <<= 10 * (power + 1);
        ++end;
    }
    return *end == '\0' ? std::optional(number) : std::nullopt;
}

std::optional<bool> boolean_in(const std::string& given) {
    const std::string text = lower_case(given);
    for (const char* yes : {"1", "true", "t", "yes", "y", "on", "enabled"})
        if (text == yes) return true;
    for (const char* no : {"0", "false", "f", "no", "n", "off", "disabled"})
        if (text == no) return false;
    return std::nullopt;
}

std::optional<bool> has_value(const ControlVariable& variable, const std::string& value,
                              const Library& library) {
    if (value == variable.value || value == variable.text()) return true;
    if (variable.kind == ControlVariable::Kind::text) {
        // MPICH shows the defaults of its texts, whatever their values are.
        if (!library.is_open_mpi() || value.find('~') != value.npos) return std::nullopt;
        return false;
    }
    const std::optional<std::int64_t> own = number_in(variable.value);
    if (const auto number = number_in(value)) return number == own;
    if (const auto* const named =
            find_in(variable.names, value, &std::pair<std::string, int>::first))
        return named->second == own;
    const std::optional<bool> boolean = boolean_in(value);
    if (boolean && own && (*own == 0 || *own == 1)) return *boolean == (*own == 1);
    return std::nullopt;
}

bool has_component(const std::string& list, const std::string& component) {
    if (list.empty()) return true;
    const bool excludes = list.front() == '^';
    std::string_view rest = std::string_view(list).substr(excludes ? 1 : 0);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        if (trimmed(rest.substr(0, end)) == component) return !excludes;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return excludes;
}

}  // namespace mpiaudit::settings
