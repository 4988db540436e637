// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "record/audit_record.h"
#include "text/command.h"
#include "text/json_text.h"
#include "text/packed.h"

// A struct names its members once (text/packed.h), for writing and for reading:
//     required(key, value)  the key is always there
//     optional(key, value)  the key is left out if the value is empty: nothing, false, 0, "" or no
//     elements
// A number is at least 0 unless another bound follows the value.
namespace mpiaudit {

/// Writes and reads a type that is no object in JSON:
///     static json written(const T&)
///     static T read(const LocatedJson&)
template <class T>
struct JsonValue;

template <>
struct JsonValue<OptionValues> {
    static nlohmann::json written(const OptionValues& options) {
        nlohmann::json object = nlohmann::json::object();
        for (const NamedOption& each : options)
            object[each.name] =
                std::visit([](const auto& value) { return value_json(value); }, each.value);
        return object;
    }
    static OptionValues read(const LocatedJson& from) {
        OptionValues options;
        from.for_each_member([&](std::string name, const LocatedJson& value) {
            options.push_back({std::move(name), value_of(value)});
        });
        return options;
    }

  private:
    static nlohmann::json value_json(std::monostate) { return nullptr; }
    static nlohmann::json value_json(const auto& value) { return value; }
    static OptionValue value_of(const LocatedJson& from) {
        using Type = LocatedJson::Type;
        if (from.is(Type::null)) return std::monostate{};
        if (from.is(Type::boolean)) return from.boolean();
        if (from.is(Type::integer)) return from.unsigned_integer();
        if (from.is(Type::number)) return from.number(0);
        if (!from.is(Type::array)) return from.text();
        return from.list([](const LocatedJson& each) { return each.text(); });
    }
};

/// An enumerator, which is written as its name.
template <class Value, const auto& names>
struct JsonByName {
    static nlohmann::json written(Value value) { return names[value]; }
    static Value read(const LocatedJson& from) {
        return names.entries[from.choice(names.all())].first;
    }
};

template <>
struct JsonValue<judge::Criterion> : JsonByName<judge::Criterion, judge::criterion_names> {};

template <>
struct JsonValue<FaultKind> : JsonByName<FaultKind, fault_names> {};

template <>
struct JsonValue<ReasonKind> : JsonByName<ReasonKind, reason_names> {};

template <>
struct JsonValue<judge::Outliers> : JsonByName<judge::Outliers, judge::outliers_names> {};

template <>
struct JsonValue<record::Stopped> : JsonByName<record::Stopped, record::stopped_names> {};

template <>
struct JsonValue<record::Step> {
    static nlohmann::json written(const record::Step& step) { return step.text(); }
    static record::Step read(const LocatedJson& from) { return record::Step(from.text()); }
};

template <>
struct JsonValue<WayName> {
    static const std::string& written(const WayName& name) { return name; }
    static WayName read(const LocatedJson& from) {
        try {
            return from.text();
        } catch (const NotationError& error) {
            from.refuse(std::string("names no way: ") + error.what());
        }
    }
};

/// Versions before 2.0 wrote a command as one text.
template <>
struct JsonValue<CommandLine> {
    static nlohmann::json written(const CommandLine& command) { return command.words; }
    static CommandLine read(const LocatedJson& from) {
        if (from.is(LocatedJson::Type::text)) return CommandLine::of(from.text());
        return {from.list([](const LocatedJson& word) { return word.text(); })};
    }
};

class MemberWriter {
  public:
    explicit MemberWriter(nlohmann::json& object) : object_{object} {}

    void required(const char* key, const auto& value, double = 0) { object_[key] = value; }
    void optional(const char* key, const auto& value, double = 0) {
        if constexpr (requires { value.value(); }) {
            if (value) object_[key] = *value;
        } else if (!is_empty(value)) {
            object_[key] = value;
        }
    }

  private:
    template <class T>
    static bool is_empty(const T& value) {
        if constexpr (requires { value.empty(); })
            return value.empty();
        else
            return value == T{};
    }

    nlohmann::json& object_;
};

class MemberReader {
  public:
    explicit MemberReader(const LocatedJson& object) : object_{object} {}

    void required(const char* key, auto& value, double least = 0) {
        read(object_.at(key), value, least);
    }
    void optional(const char* key, auto& value, double least = 0) {
        if (const auto member = object_.find(key)) read(*member, value, least);
    }

  private:
    template <class T>
    static void read(const LocatedJson& from, T& value, double least) {
        if constexpr (std::is_same_v<T, bool>)
            value = from.boolean();
        else if constexpr (std::is_same_v<T, std::uint64_t>)
            value = from.unsigned_integer();
        else if constexpr (std::integral<T>)
            value = static_cast<T>(
                from.integer(static_cast<std::int64_t>(least), std::numeric_limits<T>::max()));
        else if constexpr (std::floating_point<T>)
            value = from.number(least);
        else if constexpr (std::is_same_v<T, std::string>)
            value = from.text();
        else if constexpr (requires { JsonValue<T>::read(from); })
            value = JsonValue<T>::read(from);
        else {
            MemberReader reader(from);
            members_of<T>(reader, value);
        }
    }
    template <class T>
    static void read(const LocatedJson& from, std::optional<T>& value, double least) {
        read(from, value.emplace(), least);
    }
    static void read(const LocatedJson& from, std::vector<double>& values, double least) {
        values = from.numbers(least);
    }
    template <class T>
    static void read(const LocatedJson& from, std::vector<T>& values, double least) {
        if constexpr (requires { JsonValue<std::vector<T>>::read(from); }) {
            values = JsonValue<std::vector<T>>::read(from);
        } else {
            values = from.list([least](const LocatedJson& element) {
                T value{};
                read(element, value, least);
                return value;
            });
        }
    }
    template <class T>
    static void read(const LocatedJson& from, std::map<std::string, T>& values, double least) {
        from.for_each_member([&](std::string name, const LocatedJson& member) {
            read(member, values[std::move(name)], least);
        });
    }

    LocatedJson object_;
};

/// Returns the struct that an object holds. Throws std::invalid_argument as LocatedJson does.
template <class T>
T read_members(const LocatedJson& object) {
    T value;
    MemberReader reader(object);
    members_of<T>(reader, value);
    return value;
}

template <class T>
concept HasMembers = !std::is_null_pointer_v<decltype(members_of<T>)>;
template <class T>
concept HasJsonValue = requires(const T& value) {
    JsonValue<T>::written(value);
};

}  // namespace mpiaudit

/// Lets the JSON library write structs that name their members, and types that have a JsonValue.
template <class T>
requires mpiaudit::HasMembers<T> || mpiaudit::HasJsonValue<T>
struct nlohmann::adl_serializer<T> {
    static void to_json(nlohmann::json& written, const T& value) {
        if constexpr (mpiaudit::HasJsonValue<T>) {
            written = mpiaudit::JsonValue<T>::written(value);
        } else {
            written = nlohmann::json::object();
            mpiaudit::MemberWriter writer(written);
            mpiaudit::members_of<T>(writer, value);
        }
    }
};
