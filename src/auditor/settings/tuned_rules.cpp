// SPDX-License-Identifier: BSD-3-Clause
#include "settings/tuned_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <tuple>

#include "text/json_text.h"
#include "text/plain.h"

namespace mpiaudit::settings {
namespace {

constexpr std::array tuned_collectives = {
    TunedCollective{"MPI_Allgather", 0, Compared::all_blocks, true},
    TunedCollective{"MPI_Allgatherv", 1, Compared::mean_block, true},
    TunedCollective{"MPI_Allreduce", 2, Compared::vector, true},
    TunedCollective{"MPI_Alltoall", 3, Compared::all_blocks, true},
    TunedCollective{"MPI_Alltoallv", 4},
    TunedCollective{"MPI_Alltoallw", 5, Compared::nothing, false, false},
    TunedCollective{"MPI_Barrier", 6},
    TunedCollective{"MPI_Bcast", 7, Compared::vector, true},
    TunedCollective{"MPI_Exscan", 8},
    TunedCollective{"MPI_Gather", 9, Compared::all_blocks},
    TunedCollective{"MPI_Gatherv", 10, Compared::nothing, false, false},
    TunedCollective{"MPI_Reduce", 11, Compared::vector},
    TunedCollective{"MPI_Reduce_scatter", 12, Compared::all_blocks},
    TunedCollective{"MPI_Reduce_scatter_block", 13, Compared::all_blocks},
    TunedCollective{"MPI_Scan", 14},
    TunedCollective{"MPI_Scatter", 15, Compared::all_blocks},
    TunedCollective{"MPI_Scatterv", 16, Compared::nothing, false, false},
    TunedCollective{"MPI_Neighbor_allgather", 17, Compared::nothing, false, false},
    TunedCollective{"MPI_Neighbor_allgatherv", 18, Compared::nothing, false, false},
    TunedCollective{"MPI_Neighbor_alltoall", 19, Compared::nothing, false, false},
    TunedCollective{"MPI_Neighbor_alltoallv", 20, Compared::nothing, false, false},
    TunedCollective{"MPI_Neighbor_alltoallw", 21, Compared::nothing, false, false},
};

/// The three numbers of a release of Open MPI.
using Release = std::tuple<int, int, int>;

Release release_of(const std::string& library) {
    int major = 0, minor = 0, patch = 0;
    const std::size_t at = library.find(" v");
    if (at != std::string::npos)
        std::sscanf(library.c_str() + at + 2, "%d.%d.%d", &major, &minor, &patch);
    return {major, minor, patch};
}

/// Returns whether files may begin with rule-file-version-2.
bool knows_version_2(const Release& release) {
    return release >= Release{5, 0, 7} ||
           (release >= Release{4, 1, 8} && release < Release{5, 0, 0});
}

/// Reads numbers as Open MPI does: it skips words and comments, and takes 0x10 and 010 for numbers
/// of base 16 and 8.
class NumbersOfFile {
  public:
    explicit NumbersOfFile(const std::string& text) : text_{text} {}

    /// Returns the next number. Throws std::invalid_argument if there is none, or if the number is
    /// negative or larger than `most`.
    std::int64_t next(const char* what, std::int64_t most = any_bytes) {
        const std::optional<std::int64_t> number = next_number();
        if (!number)
            throw std::invalid_argument(
                fmt::format("the file ends before {} (line {})", what, line_));
        if (*number < 0 || *number > most)
            throw std::invalid_argument(fmt::format("line {}: {} is no {}", line_, *number, what));
        return *number;
    }
    bool skip(std::string_view prefix) {
        if (!std::string_view(text_).substr(at_).starts_with(prefix)) return false;
        at_ += prefix.size();
        return true;
    }
    /// Returns whether another number follows in the same line.
    bool has_more_in_line() const {
        const std::size_t next = text_.find_first_not_of(" \t", at_);
        return next != std::string::npos && text_[next] >= '0' && text_[next] <= '9';
    }
    int line() const { return line_; }

  private:
    std::optional<std::int64_t> next_number() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            char* end = nullptr;
            errno = 0;
            const bool is_space = c == ' ' || (c >= '\t' && c <= '\r');
            const std::int64_t number = is_space ? 0 : std::strtoll(text_.c_str() + at_, &end, 0);
            if (!is_space && end != text_.c_str() + at_) {
                at_ = static_cast<std::size_t>(end - text_.c_str());
                return number;
            }
            if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size());
            if (at_ < text_.size() && text_[at_] == '\n') ++line_;
            ++at_;
        }
        return std::nullopt;
    }

    const std::string& text_;
    std::size_t at_ = 0;
    int line_ = 1;
};

/// The numbers that files may have: Open MPI ignores a file with another one.
constexpr std::int64_t most_collectives = 22, most_entries = 1'000'000;

std::vector<SizeRule> read_sizes(NumbersOfFile& file, std::int64_t version) {
    std::vector<SizeRule> sizes;
    const std::int64_t number = file.next("number of sizes", most_entries);
    for (std::int64_t i = 0; i < number; ++i) {
        SizeRule rule{.from = file.next("size in bytes")};
        if (i == 0 && rule.from != 0)
            throw std::invalid_argument(
                fmt::format("line {}: the first size of a number of ranks must be 0, is {}",
                            file.line(), rule.from));
        rule.algorithm = static_cast<int>(file.next("algorithm", most_entries));
        file.next("fan");
        file.next("segment size");
        if (version > 1 && file.has_more_in_line()) file.next("number of requests");
        if (!sizes.empty()) sizes.back().to = rule.from - 1;
        sizes.push_back(rule);
    }
    return sizes;
}

RulesOfCollective read_collective(NumbersOfFile& file, std::int64_t version) {
    RulesOfCollective rules;
    rules.collective =
        find_tuned(static_cast<int>(file.next("number of a collective", most_collectives - 1)));
    const std::int64_t entries = file.next("number of communicator sizes", most_entries);
    for (std::int64_t i = 0; i < entries; ++i) {
        const auto ranks =
            static_cast<int>(file.next("communicator size", std::numeric_limits<int>::max()));
        // Open MPI stops at the first entry for more ranks than a communicator has.
        if (!rules.ranks.empty()) rules.ranks.back().to = ranks - 1;
        rules.ranks.push_back(
            {.from = i == 0 ? 0 : ranks, .written = ranks, .sizes = read_sizes(file, version)});
    }
    return rules;
}

std::vector<RulesOfCollective> read_numbers(const std::string& text, const std::string& library) {
    constexpr std::string_view mark = "rule-file-version-";
    const Release release = release_of(library);
    NumbersOfFile file(text);
    std::int64_t version = 1;
    if (file.skip(mark)) {
        version = file.next("version of a rules file");
        if (!knows_version_2(release))
            throw std::invalid_argument(
                fmt::format("it begins with {}{}, which Open MPI knows from 4.1.8 and 5.0.7 on",
                            mark, version));
    }
    if (release >= Release{6, 0, 0})
        throw std::invalid_argument("Open MPI 6.0 takes a file in JSON");
    std::vector<RulesOfCollective> all;
    const std::int64_t collectives = file.next("number of collectives", most_collectives);
    for (std::int64_t i = 0; i < collectives; ++i) {
        RulesOfCollective rules = read_collective(file, version);
        // The last entry of a collective counts.
        std::erase_if(all, [&](const auto& each) { return each.collective == rules.collective; });
        all.push_back(std::move(rules));
    }
    return all;
}

/// Returns a bound of a range in JSON.
std::int64_t bound(const LocatedJson& object, const char* key, std::int64_t otherwise) {
    const auto member = object.find(key);
    if (!member) return otherwise;
    if (member->is("inf") || member->is("Inf") || member->is("INF")) return any_bytes;
    return member->integer(0);
}

SizeRule read_size(const LocatedJson& object) {
    SizeRule rule{.from = bound(object, "msg_size_min", 0),
                  .to = bound(object, "msg_size_max", any_bytes)};
    const LocatedJson algorithm = object.at("alg");
    if (algorithm.is(LocatedJson::Type::text))
        rule.name = algorithm.text();
    else
        rule.algorithm = static_cast<int>(algorithm.integer(0, most_entries));
    if (rule.name == "ignore") rule.name.clear();
    return rule;
}

std::vector<RulesOfCollective> read_json(const std::string& text, const std::string& library) {
    if (release_of(library) < Release{6, 0, 0})
        throw std::invalid_argument("it is a file in JSON, which Open MPI knows from 6.0 on");
    const JsonDocument document(text, "JSON");
    std::vector<RulesOfCollective> all;
    document.root()
        .at("collectives")
        .for_each_member([&](std::string key, const LocatedJson& list) {
            std::string name = "MPI_" + key;
            name[4] = static_cast<char>(name[4] - 'a' + 'A');
            RulesOfCollective rules{.collective = find_tuned(name), .ranks = {}};
            if (rules.collective == nullptr)
                throw std::invalid_argument(fmt::format("it names an unknown collective: {}", key));
            rules.ranks = list.list([](const LocatedJson& entry) {
                constexpr std::int64_t most = std::numeric_limits<int>::max();
                const auto from = static_cast<int>(bound(entry, "comm_size_min", 0));
                return RulesOfRanks{
                    .from = from,
                    .to = static_cast<int>(std::min(bound(entry, "comm_size_max", most), most)),
                    .written = from,
                    .sizes = entry.at("rules").list(read_size)};
            });
            all.push_back(std::move(rules));
        });
    return all;
}

}  // namespace

const TunedCollective* find_tuned(std::string_view name) {
    return find_in(tuned_collectives, name, &TunedCollective::name);
}

const TunedCollective* find_tuned(int number) {
    return find_in(tuned_collectives, number, &TunedCollective::number);
}

std::int64_t compared_bytes(const TunedCollective& collective, std::int64_t total_bytes,
                            int ranks) {
    if (collective.compared == Compared::nothing) return 0;
    return collective.compared == Compared::mean_block ? total_bytes / ranks : total_bytes;
}

const RulesOfRanks* RulesOfCollective::find(int number_of_ranks) const {
    const auto found = std::ranges::find_if(ranks, [&](const RulesOfRanks& each) {
        return each.from <= number_of_ranks && number_of_ranks <= each.to;
    });
    return found == ranks.end() ? nullptr : &*found;
}

const SizeRule* RulesOfCollective::rule(int number_of_ranks, std::int64_t total_bytes) const {
    const RulesOfRanks* const entry = find(number_of_ranks);
    if (entry == nullptr || !collective->has_algorithms) return nullptr;
    const std::int64_t bytes = compared_bytes(*collective, total_bytes, number_of_ranks);
    const auto found = std::ranges::find_if(
        entry->sizes, [&](const SizeRule& each) { return each.from <= bytes && bytes <= each.to; });
    return found == entry->sizes.end() || found->is_own_choice() ? nullptr : &*found;
}

std::vector<RulesOfCollective> read_tuned_rules(const std::string& text,
                                                const std::string& library) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != std::string::npos && text[first] == '{') return read_json(text, library);
    return read_numbers(text, library);
}

}  // namespace mpiaudit::settings
