// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "judge/verdict.h"
#include "record/json_members.h"

namespace mpiaudit {

/// The lists of shapes and texts that thousands of rows of a report share.
///
/// A row is a list: the number of its shape, and the values of the members that the shape names. A
/// member of a member is written as "ratio.median". The word behind a colon gives the kind of a
/// value:
///     left:text       the place of a text in `texts`
///     steps:texts     a list of such places
///     launches:rows   a list of rows
/// All other values stand as they are.
class RowTables {
  public:
    std::string shape_of(const std::string& members);
    std::string place_of(const std::string& text);
    /// The members "shapes" and "texts" of the report, each behind a comma and a line end.
    std::string in_json() const;

  private:
    static std::size_t place_in(std::vector<std::string>& list,
                                std::unordered_map<std::string, std::size_t>& places,
                                const std::string& text);

    std::vector<std::string> shapes_, texts_;
    std::unordered_map<std::string, std::size_t> places_of_shapes_, places_of_texts_;
};

/// Returns a number with `digits` significant digits. Six digits are more than the noise of a time.
std::string short_number(double value, int digits = 6);

/// The members of a struct (text/packed.h), as a row or as an object.
class RowWriter {
  public:
    explicit RowWriter(RowTables& tables) : tables_{&tables} {}

    void required(const char* key, const auto& value, double = 0) { put(key, value); }
    void optional(const char* key, const auto& value, double = 0) {
        if constexpr (requires { value.value(); }) {
            if (value) put(key, *value);
        } else if constexpr (requires { value.empty(); }) {
            if (!value.empty()) put(key, value);
        } else if (!(value == std::decay_t<decltype(value)>{})) {
            put(key, value);
        }
    }
    /// Writes a list of another struct as rows.
    template <class T>
    void rows(const char* key, const std::vector<T>& list, int digits = few_digits) {
        std::string text = "[";
        for (const T& each : list) {
            RowWriter writer(*tables_);
            writer.digits_ = digits;
            members_of<T>(writer, each);
            text += (text.size() == 1 ? "" : ",") + writer.row();
        }
        cells_.push_back({prefix_ + key, "rows", text + "]", {}});
    }
    /// Writes the times of a side of a check unless the statistics of its contestant are equal.
    void side(const char* key, const judge::Summary& side);

    /// \param left, right the statistics of the contestants of a check; null: unknown
    RowWriter& beside(const judge::Summary* left, const judge::Summary* right) {
        left_ = left;
        right_ = right;
        return *this;
    }

    /// Leaves a member out.
    void drop(const char* key);

    std::string row() const;
    /// Returns the members as an object with all texts in place; lists of structs stay rows.
    std::string object() const;

  private:
    /// Significant digits in a launch, and of a side that differs from its contestant.
    static constexpr int few_digits = 5;

    struct Cell {
        std::string name, kind;
        std::string json;                ///< empty for texts
        std::vector<std::string> texts;  ///< one text, or the texts of a list
    };

    /// Adds the columns of one value; a value with members adds a column for each member.
    template <class T>
    void put(const char* key, const T& value) {
        if constexpr (std::same_as<T, bool>)
            cells_.push_back({prefix_ + key, "", value ? "true" : "false", {}});
        else if constexpr (std::integral<T>)
            cells_.push_back({prefix_ + key, "", std::to_string(value), {}});
        else if constexpr (std::floating_point<T>)
            cells_.push_back({prefix_ + key, "", short_number(value, digits_), {}});
        else if constexpr (std::convertible_to<T, std::string>)
            cells_.push_back({prefix_ + key, "text", "", {value}});
        else if constexpr (requires { JsonValue<T>::written(value); })
            put_json(key, JsonValue<T>::written(value));
        else if constexpr (requires { value.begin(); })
            put_json(key, nlohmann::json(value));
        else
            put_members(key, value);
    }
    template <class T>
    void put_members(const char* key, const T& value) {
        const std::string outer = prefix_;
        prefix_ += std::string(key) + '.';
        members_of<T>(*this, value);
        prefix_ = outer;
    }
    void put_json(const char* key, const nlohmann::json& value);
    std::string in_row(const Cell& cell) const;
    std::string object_of(const std::string& outer, std::size_t& at) const;

    RowTables* tables_;
    std::string prefix_;
    int digits_ = 6;
    std::vector<Cell> cells_;
    const judge::Summary *left_ = nullptr, *right_ = nullptr;
};

}  // namespace mpiaudit
