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

/// A value of a JSON document that knows its place in it, for the message about what is wrong:
///     contestants[2].samples_s[4] must be a number, is a string
/// Everything throws std::invalid_argument with such a message unless the value is what is asked
/// for. The document must outlive it.
class LocatedJson {
  public:
    explicit LocatedJson(const nlohmann::json& document) : LocatedJson(document, document) {}

    /// A member of an object; find() for one that may be missing.
    LocatedJson at(std::string_view key) const;
    std::optional<LocatedJson> find(std::string_view key) const;
    /// Calls read(name, member) for each member of an object.
    template <class Read>
    void for_each_member(Read read) const {
        for (const std::string_view key : keys()) read(std::string(key), at(key));
    }
    /// What read(element) makes of each element of an array.
    template <class Read>
    auto list(Read read) const {
        std::vector<decltype(read(*this))> all;
        const std::size_t elements = size();
        all.reserve(elements);
        for (std::size_t i = 0; i < elements; ++i) all.push_back(read(element(i)));
        return all;
    }

    /// As plain() makes it: texts come from other machines, and end on terminals.
    std::string text() const;
    bool boolean() const;
    std::int64_t integer(std::int64_t least,
                         std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
    std::uint64_t unsigned_integer() const;
    double number(double least) const;
    std::vector<double> numbers(double least) const;  ///< an array of them
    /// The place of the text among the words.
    template <std::size_t N>
    std::size_t choice(const std::array<std::string_view, N>& words) const {
        return choice(words.data(), N);
    }

    enum class Type { null, boolean, integer, number, text, array, object };
    Type type() const;
    bool is(Type type) const { return this->type() == type; }
    bool is_number() const { return is(Type::integer) || is(Type::number); }
    bool is_integer(std::int64_t least, std::int64_t most) const;
    /// Is it a text, and this one?
    bool is(std::string_view text) const { return is(Type::text) && this->text() == text; }
    bool contains(std::string_view key) const { return find(key).has_value(); }

    std::size_t size() const;  ///< of an array
    /// \param index below size()
    LocatedJson element(std::size_t index) const;
    std::vector<std::string_view> keys() const;  ///< of an object

    std::string dump() const;  ///< for a message: as in a file, the beginning of what is long

    /// Throws with the place and these words, such as "must not be empty".
    [[noreturn]] void refuse(const std::string& what) const;

  private:
    LocatedJson(const nlohmann::json& value, const nlohmann::json& document)
        : value_{&value}, document_{&document} {}
    std::size_t choice(const std::string_view* words, std::size_t number) const;
    [[noreturn]] void refuse_type(const char* wanted) const;
    std::string place() const;

    const nlohmann::json *value_, *document_;
};

/// The value of a text, discarded where the text is malformed, or lists and objects stand in each
/// other more than 64 deep: nothing of ours does, and what walks through a value calls itself as
/// often.
nlohmann::json parsed_json(std::string_view text);

/// A value as text. What is not UTF-8 is replaced: names of hosts and programs may be in any
/// encoding.
/// \param indent spaces of a level; -1 for one line
std::string json_text(const nlohmann::json& value, int indent = -1);
std::string json_text(const nlohmann::ordered_json& value, int indent = -1);

/// A file of JSON in memory. Who reads it asks its root, and need not compile a JSON library.
class JsonDocument {
  public:
    /// Throws std::invalid_argument "ORIGIN:LINE:COLUMN: what is wrong" when the text is malformed,
    /// or nested as deep as parsed_json() refuses.
    /// \param origin the file's name
    JsonDocument(const std::string& text, const std::string& origin);

    /// Lives as long as the document.
    LocatedJson root() const { return LocatedJson(*value_); }
    /// For a reader whose errors name no places.
    const nlohmann::json& value() const { return *value_; }

  private:
    std::shared_ptr<const nlohmann::json> value_;
};

/// Throws std::invalid_argument, with the nearest valid key, when the object has any other key.
void check_keys(const LocatedJson& object, const std::vector<std::string>& valid,
                const std::string& origin);

/// A text as it stands in JSON, quotation marks included.
std::string json_quoted(std::string_view text);

}  // namespace mpiaudit
