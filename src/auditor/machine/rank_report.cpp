// SPDX-License-Identifier: BSD-3-Clause
#include "machine/rank_report.h"

#include <fmt/format.h>

#include <charconv>
#include <concepts>
#include <type_traits>
#include <utility>

#include "text/string_list.h"

namespace mpiaudit {
namespace {

// The fields of each type stand in one list, for writing and reading.

template <class Field, class Report>
requires std::same_as<std::remove_const_t<Report>, RankReport>
void fields_of(Report& report, Field& field) {
    field(report.host), field(report.launched_on), field(report.processing_units);
    field(report.bound_by), field(report.cores), field(report.ranks_on_node), field(report.moves);
    field(report.topology), field(report.conditions);
}

template <class Field, class Topology>
requires std::same_as<std::remove_const_t<Topology>, NodeTopology>
void fields_of(Topology& topology, Field& field) {
    field(topology.processor), field(topology.packages), field(topology.numa_nodes);
    field(topology.cores), field(topology.processing_units), field(topology.memory_bytes);
    field(topology.l1_cache_bytes), field(topology.l2_cache_bytes), field(topology.l3_cache_bytes);
}

template <class Field, class Conditions>
requires std::same_as<std::remove_const_t<Conditions>, NodeConditions>
void fields_of(Conditions& conditions, Field& field) {
    field(conditions.load_average), field(conditions.other_tasks);
    field(conditions.frequency_governor), field(conditions.smt);
}

struct Writing {
    std::vector<std::string> texts;

    void operator()(const std::string& text) { texts.push_back(text); }
    void operator()(bool value) { texts.emplace_back(value ? "1" : "0"); }
    template <class T>
    void operator()(const T& value) {
        if constexpr (std::is_arithmetic_v<T>)
            texts.push_back(fmt::format("{}", value));
        else
            fields_of(value, *this);
    }
    template <class T>
    void operator()(const std::optional<T>& value) {
        (*this)(value.has_value());
        if (value) (*this)(*value);
    }
    void operator()(const std::vector<int>& numbers) {
        (*this)(numbers.size());
        for (const int number : numbers) (*this)(number);
    }
};

struct Reading {
    std::vector<std::string> texts;
    std::size_t next = 0;

    void operator()(std::string& text) { text = std::move(texts.at(next++)); }
    void operator()(bool& value) { value = texts.at(next++) == "1"; }
    template <class T>
    void operator()(T& value) {
        if constexpr (std::is_arithmetic_v<T>) {
            const std::string& text = texts.at(next++);
            std::from_chars(text.data(), text.data() + text.size(), value);
        } else {
            fields_of(value, *this);
        }
    }
    template <class T>
    void operator()(std::optional<T>& value) {
        bool has_value = false;
        (*this)(has_value);
        if (has_value) (*this)(value.emplace());
    }
    void operator()(std::vector<int>& numbers) {
        std::size_t size = 0;
        (*this)(size);
        numbers.resize(size);
        for (int& number : numbers) (*this)(number);
    }
};

}  // namespace

std::string packed(const RankReport& report) {
    Writing writing;
    fields_of(report, writing);
    return packed(writing.texts);
}

RankReport unpacked_report(const std::string& text) {
    RankReport report;
    Reading reading{unpacked(text), 0};
    fields_of(report, reading);
    return report;
}

}  // namespace mpiaudit
