// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>

#include "operations/operations.h"
#include "text/plain.h"

namespace mpiaudit {
namespace {

/// Returns reducescatterblock for MPI_Reduce_scatter_block.
std::string word_of(std::string_view operation) {
    std::string word(without_mpi(operation));
    std::erase(word, '_');
    return lower_case(word);
}

/// Returns the operation of a word in the name of a mock-up; empty if there is none.
std::string operation_of(const std::string& word) {
    if (word == "reducelocal") return "MPI_Reduce_local";
    for (const MpiOperation& each : mpi_operations)
        if (word_of(each.name) == word) return std::string(each.name);
    return "";
}

/// The lines of a profile without comments.
class ProfileLines {
  public:
    ProfileLines(const std::string& text, const std::string& origin)
        : text_{text}, origin_{origin} {}

    /// Returns the words of the next line.
    std::istringstream next(const char* what) {
        for (std::string line; std::getline(text_, line);) {
            ++number_;
            if (!line.starts_with('#')) return std::istringstream(line);
        }
        ++number_;
        fail(fmt::format("the file ends before {}", what));
    }
    std::int64_t number(std::istringstream& line, const char* what, std::int64_t least,
                        std::int64_t most = std::numeric_limits<int>::max()) const {
        std::int64_t value = 0;
        if (!(line >> value) || value < least || value > most)
            fail(fmt::format("{} must be a number from {} to {}", what, least, most));
        return value;
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw std::invalid_argument(fmt::format("{}:{}: {}", origin_, number_, what));
    }

  private:
    std::istringstream text_;
    const std::string& origin_;
    int number_ = 0;
};

std::map<std::int64_t, std::string> read_mockups(ProfileLines& lines) {
    std::istringstream line = lines.next("the number of mock-ups");
    const std::int64_t number = lines.number(line, "the number of mock-ups", 1);
    std::map<std::int64_t, std::string> mockups;
    for (std::int64_t i = 0; i < number; ++i) {
        line = lines.next("a mock-up");
        const std::int64_t id = lines.number(line, "the number of a mock-up", 0);
        std::string name;
        if (!(line >> name)) lines.fail("the name of a mock-up is missing");
        if (path_of_mockup(name).empty())
            lines.fail(
                fmt::format("'{}' is no mock-up of PGMPITuneLib, such as "
                            "allgather_as_gather_bcast",
                            plain_line(name)));
        mockups[id] = name;
    }
    return mockups;
}

}  // namespace

int Profile::blocks() const {
    return find_mpi_operation(operation)->shape == Shape::vector ? 1 : ranks;
}

bool is_profile(const std::string& text) {
    constexpr std::string_view first_word = "MPI_";  // of an operation, known or not
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with('#')) return line.starts_with(first_word);
    return false;
}

Profile parse_profile(const std::string& text, const std::string& origin) {
    ProfileLines lines(text, origin);
    Profile profile;
    std::istringstream line = lines.next("the operation");
    line >> profile.operation;
    if (find_mpi_operation(profile.operation) == nullptr)
        lines.fail(fmt::format("'{}' is no collective operation", plain_line(profile.operation)));
    line = lines.next("the number of ranks");
    profile.ranks = static_cast<int>(lines.number(line, "the number of ranks", 1));
    const auto mockups = read_mockups(lines);
    line = lines.next("the number of ranges");
    const std::int64_t ranges = lines.number(line, "the number of ranges", 1);
    for (std::int64_t i = 0; i < ranges; ++i) {
        line = lines.next("a range");
        ProfileRange range;
        range.from_bytes = lines.number(line, "the first size", 0);
        range.to_bytes = lines.number(line, "the last size", range.from_bytes);
        const auto mockup = mockups.find(lines.number(line, "the mock-up of a range", 0));
        if (mockup == mockups.end())
            lines.fail("the range names a mock-up that is not in the list");
        range.mockup = mockup->second;
        range.path = path_of_mockup(range.mockup);
        profile.ranges.push_back(std::move(range));
    }
    return profile;
}

std::string path_of_mockup(const std::string& mockup) {
    constexpr std::string_view as = "_as_";
    const std::size_t at = mockup.find(as);
    if (at == mockup.npos || operation_of(mockup.substr(0, at)).empty()) return "";
    std::istringstream words(mockup.substr(at + as.size()));
    std::vector<std::string> operations;
    for (std::string word; std::getline(words, word, '_');) {
        // Forms over lanes and nodes stand behind the operation.
        const char* const form = word == "lane" ? "[lane]" : word == "hier" ? "[hierarchical]" : "";
        const std::string operation = *form != '\0' ? "" : operation_of(word);
        if (*form != '\0' && !operations.empty())
            operations.back() += form;
        else if (operation.empty())
            return "";
        else
            operations.push_back(operation);
    }
    std::string path;
    for (const std::string& each : operations) path += (path.empty() ? "" : " + ") + each + "(m)";
    return path;
}

std::string neither_json_nor_profile(const std::string& text, const std::string& origin) {
    constexpr std::size_t most = 40;
    const std::string line = text.substr(0, std::min(text.find('\n'), most));
    return fmt::format(
        "{}: is neither a file of guidelines in JSON nor a profile of PGMPITuneLib (.prf); it "
        "begins with "
        "'{}'",
        origin, plain_line(line));
}

}  // namespace mpiaudit
