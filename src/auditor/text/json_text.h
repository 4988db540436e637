// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpiaudit {

/// A value of a JSON document that knows its place in the document, for messages about wrong
/// values:
///     contestants[2].samples_s[4] must be a number, is a string
/// Every reading function throws std::invalid_argument with such a message if the value has another
/// type or is out of bounds. The document must outlive this object.
class LocatedJson {
  public:
    explicit LocatedJson(const nlohmann::json& document) : LocatedJson(document, document) {}

    /// Returns a member of an object; throws if the member is missing.
    LocatedJson at(std::string_view key) const;
    std::optional<LocatedJson> find(std::string_view key) const;
    /// Calls read(name, member) for each member of an object.
    template <class Read>
    void for_each_member(Read read) const {
        for (const std::string_view key : keys()) read(std::string(key), at(key));
    }
    /// Returns read(element) of each element of an array.
    template <class Read>
    auto list(Read read) const {
        std::vector<decltype(read(*this))> all;
        const std::size_t elements = size();
        all.reserve(elements);
        for (std::size_t i = 0; i < elements; ++i) all.push_back(read(element(i)));
        return all;
    }

    /// Returns plain(text), because texts come from other machines and are printed on terminals.
    std::string text() const;
    bool boolean() const;
    std::int64_t integer(std::int64_t least,
                         std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
    std::uint64_t unsigned_integer() const;
    double number(double least) const;
    std::vector<double> numbers(double least) const;  ///< reads an array of numbers
    /// Returns the index of this value among the words.
    template <std::size_t N>
    std::size_t choice(const std::array<std::string_view, N>& words) const {
        return choice(words.data(), N);
    }

    enum class Type { null, boolean, integer, number, text, array, object };
    Type type() const;
    bool is(Type type) const { return this->type() == type; }
    bool is_number() const { return is(Type::integer) || is(Type::number); }
    bool is_integer(std::int64_t least, std::int64_t most) const;
    bool is(std::string_view text) const { return is(Type::text) && this->text() == text; }
    bool contains(std::string_view key) const { return find(key).has_value(); }

    std::size_t size() const;  ///< number of elements of an array
    /// \param index below size()
    LocatedJson element(std::size_t index) const;
    std::vector<std::string_view> keys() const;  ///< keys of an object

    std::string dump() const;  ///< JSON for a message, at most 60 bytes and "..."

    /// Throws the place and these words, such as "must not be empty".
    [[noreturn]] void refuse(const std::string& what) const;

  private:
    LocatedJson(const nlohmann::json& value, const nlohmann::json& document)
        : value_{&value}, document_{&document} {}
    std::size_t choice(const std::string_view* words, std::size_t number) const;
    [[noreturn]] void refuse_type(const char* wanted) const;
    std::string place() const;

    const nlohmann::json *value_, *document_;
};

/// Parses a text. Returns a discarded value if the text is malformed or nested more than 64 deep:
/// no file of mpiaudit is, and code that walks through a value recurses to its depth.
nlohmann::json parsed_json(std::string_view text);

/// Returns a value as JSON text. Replaces bytes that are not UTF-8: names of hosts and programs may
/// have any encoding.
/// \param indent spaces per level; -1 for one line
std::string json_text(const nlohmann::json& value, int indent = -1);
std::string json_text(const nlohmann::ordered_json& value, int indent = -1);

/// A JSON file in memory. Readers start at its root and need not compile a JSON library.
class JsonDocument {
  public:
    /// Throws std::invalid_argument "ORIGIN:LINE:COLUMN: what is wrong" if the text is malformed or
    /// nested more than 64 deep.
    /// \param origin name of the file
    JsonDocument(const std::string& text, const std::string& origin);

    /// The returned value is valid while the document lives.
    LocatedJson root() const { return LocatedJson(*value_); }
    /// Returns the value for readers whose errors name no places.
    const nlohmann::json& value() const { return *value_; }

  private:
    std::shared_ptr<const nlohmann::json> value_;
};

/// Throws std::invalid_argument, which suggests the nearest valid key, if the object has any other
/// key.
void check_keys(const LocatedJson& object, const std::vector<std::string>& valid,
                const std::string& origin);

/// Returns a text as a JSON string, including the quotation marks.
std::string json_quoted(std::string_view text);

}  // namespace mpiaudit
