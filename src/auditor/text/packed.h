// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace mpiaudit {

/// A struct names its members once, for JSON (record/json_members.h) and for messages:
///     MPIAUDIT_MEMBERS(Tool, (name, version), (commit))
/// The first list has required members; JSON leaves out empty members of the second list. A
/// function replaces the macro if a key differs from the name of its member or a number may be
/// negative:
///     template <> inline constexpr auto members_of<Op> = [](auto& io, auto& op) {
///         io.required("factor_s", op.factor, any_number);
///         MPIAUDIT_OPTIONAL(io, op, name, commutes)
///     };
template <class T>
constexpr std::nullptr_t members_of = nullptr;

/// The lower bound of a JSON number that may have any value.
constexpr double any_number = std::numeric_limits<double>::lowest();

#define MPIAUDIT_MEMBERS(Type, members, ...)                                     \
    template <>                                                                  \
    inline constexpr auto members_of<Type> = [](auto& io, auto& value) {         \
        MPIAUDIT_REQUIRED(io, value, MPIAUDIT_UNWRAPPED members)                 \
        __VA_OPT__(MPIAUDIT_OPTIONAL(io, value, MPIAUDIT_UNWRAPPED __VA_ARGS__)) \
    };
#define MPIAUDIT_REQUIRED(io, value, ...) MPIAUDIT_EACH(io.required, value, __VA_ARGS__)
#define MPIAUDIT_OPTIONAL(io, value, ...) MPIAUDIT_EACH(io.optional, value, __VA_ARGS__)

// A macro is not expanded within itself: every scan of the text takes one member off the list.
#define MPIAUDIT_UNWRAPPED(...) __VA_ARGS__
#define MPIAUDIT_SCAN(...) MPIAUDIT_SCAN4(MPIAUDIT_SCAN4(MPIAUDIT_SCAN4(__VA_ARGS__)))
#define MPIAUDIT_SCAN4(...) MPIAUDIT_SCAN2(MPIAUDIT_SCAN2(MPIAUDIT_SCAN2(__VA_ARGS__)))
#define MPIAUDIT_SCAN2(...) MPIAUDIT_SCAN1(MPIAUDIT_SCAN1(MPIAUDIT_SCAN1(__VA_ARGS__)))
#define MPIAUDIT_SCAN1(...) __VA_ARGS__
#define MPIAUDIT_PARENTHESES ()
#define MPIAUDIT_EACH(act, value, ...) \
    __VA_OPT__(MPIAUDIT_SCAN(MPIAUDIT_FIRST(act, value, __VA_ARGS__)))
#define MPIAUDIT_FIRST(act, value, member, ...) \
    act(#member, value.member);                 \
    __VA_OPT__(MPIAUDIT_FURTHER MPIAUDIT_PARENTHESES(act, value, __VA_ARGS__))
#define MPIAUDIT_FURTHER() MPIAUDIT_FIRST

/// Packs values into bytes for other ranks. They run the same program, so keys are not packed.
class Packer {
  public:
    std::string bytes;

    void required(const char*, const auto& value, double = 0) { put(value); }
    void optional(const char*, const auto& value, double = 0) { put(value); }

    void put(std::monostate) {}
    void put(const std::string& text) {
        put(text.size());
        bytes += text;
    }
    template <class T>
    void put(const std::optional<T>& value) {
        put(value.has_value());
        if (value) put(*value);
    }
    template <class T>
    void put(const std::vector<T>& values) {
        put(values.size());
        for (const T& each : values) put(each);
    }
    template <class First, class Second>
    void put(const std::pair<First, Second>& both) {
        put(both.first), put(both.second);
    }
    template <class... Types>
    void put(const std::variant<Types...>& value) {
        put(value.index());
        std::visit([this](const auto& held) { put(held); }, value);
    }
    template <class T>
    void put(const T& value) {
        if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
            bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
        else
            members_of<T>(*this, value);
    }
};

/// Unpacks values in the order in which a Packer has packed them. Throws std::invalid_argument for
/// other bytes.
class Unpacker {
  public:
    explicit Unpacker(std::string_view bytes) : left_{bytes} {}

    void required(const char*, auto& value, double = 0) { take(value); }
    void optional(const char*, auto& value, double = 0) { take(value); }

    void take(std::monostate&) {}
    void take(std::string& text) { text = std::string(next(size())); }
    template <class T>
    void take(std::optional<T>& value) {
        bool has_value = false;
        take(has_value);
        value.reset();
        if (has_value) take(value.emplace());
    }
    template <class T>
    void take(std::vector<T>& values) {
        values.clear();
        for (std::size_t left = size(); left > 0; --left) take(values.emplace_back());
    }
    template <class First, class Second>
    void take(std::pair<First, Second>& both) {
        take(both.first), take(both.second);
    }
    template <class... Types>
    void take(std::variant<Types...>& value) {
        std::size_t index = 0, i = 0;
        take(index);
        if (index >= sizeof...(Types)) refuse();
        ((i++ == index ? take(value.template emplace<Types>()) : void()), ...);
    }
    template <class T>
    void take(T& value) {
        if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
            std::memcpy(&value, next(sizeof(T)).data(), sizeof(T));
        else
            members_of<T>(*this, value);
    }
    void end() const {
        if (!left_.empty()) refuse();
    }

  private:
    [[noreturn]] static void refuse() { throw std::invalid_argument("not packed as expected"); }
    std::string_view next(std::size_t bytes) {
        if (bytes > left_.size()) refuse();
        const std::string_view taken = left_.substr(0, bytes);
        left_.remove_prefix(bytes);
        return taken;
    }
    /// Reads a size. Every element takes at least one byte, so a size beyond the rest is refused.
    std::size_t size() {
        std::size_t size = 0;
        take(size);
        if (size > left_.size()) refuse();
        return size;
    }

    std::string_view left_;
};

template <class T>
std::string packed(const T& value) {
    Packer packer;
    packer.put(value);
    return std::move(packer.bytes);
}

template <class T>
T unpacked(std::string_view bytes) {
    T value{};
    Unpacker unpacker(bytes);
    unpacker.take(value);
    unpacker.end();
    return value;
}

}  // namespace mpiaudit
