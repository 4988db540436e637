// SPDX-License-Identifier: BSD-3-Clause
#include "screens/report_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "answer/answer.h"
#include "text/json_text.h"

namespace mpiaudit {

std::size_t RowTables::place_in(std::vector<std::string>& list,
                                std::unordered_map<std::string, std::size_t>& places,
                                const std::string& text) {
    const auto [known, is_new] = places.try_emplace(text, list.size());
    if (is_new) list.push_back(text);
    return known->second;
}

std::string RowTables::shape_of(const std::string& members) {
    return std::to_string(place_in(shapes_, places_of_shapes_, members));
}

std::string RowTables::place_of(const std::string& text) {
    return std::to_string(place_in(texts_, places_of_texts_, text));
}

std::string RowTables::in_json() const {
    std::string text = ",\n \"shapes\": [";
    for (const std::string& each : shapes_)
        text += (&each == shapes_.data() ? "\n  [" : ",\n  [") + each + ']';
    text += "\n ],\n \"texts\": [";
    for (const std::string& each : texts_)
        text += (&each == texts_.data() ? "\n  " : ",\n  ") + json_text(nlohmann::json(each));
    return text + "\n ]";
}

std::string short_number(double value, int digits) {
    if (!std::isfinite(value)) return "null";
    std::string text = fmt::format("{:.{}g}", value, digits);
    // 4.5e-07 is 4.5e-7: thousands of times are in a report.
    const std::size_t exponent = text.find('e');
    if (exponent != std::string::npos && text[exponent + 2] == '0') text.erase(exponent + 2, 1);
    return text;
}

void RowWriter::put_json(const char* key, const nlohmann::json& value) {
    const auto is_text = [](const nlohmann::json& each) { return each.is_string(); };
    if (value.is_string())
        cells_.push_back({prefix_ + key, "text", "", {value.get<std::string>()}});
    else if (value.is_array() && !value.empty() && std::ranges::all_of(value, is_text))
        cells_.push_back({prefix_ + key, "texts", "", value.get<std::vector<std::string>>()});
    else
        cells_.push_back({prefix_ + key, "", json_text(value), {}});
}

void RowWriter::side(const char* key, const judge::Summary& side) {
    const judge::Summary* const known = std::string_view(key) == "left_statistics" ? left_ : right_;
    const auto is_alike = [&](auto member) {
        return short_number(side.*member, few_digits) == short_number(known->*member, few_digits);
    };
    if (known != nullptr && is_alike(&judge::Summary::mean) && is_alike(&judge::Summary::median) &&
        is_alike(&judge::Summary::raw_minimum))
        return;
    const std::string outer = prefix_;
    const int usual = std::exchange(digits_, few_digits);
    prefix_ += std::string(key) + '.';
    required("mean_s", side.mean);
    required("median_s", side.median);
    required("minimum_s", side.raw_minimum);
    prefix_ = outer;
    digits_ = usual;
}

void RowWriter::drop(const char* key) {
    std::erase_if(cells_, [key](const Cell& cell) { return cell.name == key; });
}

std::string RowWriter::in_row(const Cell& cell) const {
    if (cell.kind == "text") return tables_->place_of(cell.texts.front());
    if (cell.kind != "texts") return cell.json;
    std::string text = "[";
    for (const std::string& each : cell.texts)
        text += (text.size() == 1 ? "" : ",") + tables_->place_of(each);
    return text + ']';
}

std::string RowWriter::row() const {
    std::string members, values;
    for (const Cell& cell : cells_) {
        members += (members.empty() ? "\"" : ",\"") + cell.name;
        members += (cell.kind.empty() ? "" : ":" + cell.kind) + '"';
        values += ',' + in_row(cell);
    }
    return '[' + tables_->shape_of(members) + values + ']';
}

/// Returns an object of the cells from `at` on whose names begin with `outer`, which is empty or
/// ends with a dot.
std::string RowWriter::object_of(const std::string& outer, std::size_t& at) const {
    std::string text = "{";
    while (at < cells_.size() && cells_[at].name.starts_with(outer)) {
        const Cell& cell = cells_[at];
        const std::size_t dot = cell.name.find('.', outer.size());
        const std::string name = cell.name.substr(outer.size(), dot - outer.size());
        text += (text.size() == 1 ? "\"" : ",\"") + name + "\":";
        if (dot != std::string::npos) {
            text += object_of(cell.name.substr(0, dot + 1), at);
            continue;
        }
        text += cell.kind == "text"    ? json_text(nlohmann::json(cell.texts.front()))
                : cell.kind == "texts" ? json_text(nlohmann::json(cell.texts))
                                       : cell.json;
        ++at;
    }
    return text + '}';
}

std::string RowWriter::object() const {
    std::size_t at = 0;
    return object_of("", at);
}

}  // namespace mpiaudit
