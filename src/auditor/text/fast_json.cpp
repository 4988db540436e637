// SPDX-License-Identifier: BSD-3-Clause
#include "text/fast_json.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

namespace mpiaudit {
namespace {

using nlohmann::json;

/// Thrown if the text needs the JSON library's parser.
struct Unusual {};

class FastParser {
  public:
    explicit FastParser(std::string_view text) : at_{text.data()}, end_{at_ + text.size()} {}

    json document() {
        json value = parsed_value(0);
        skip_blanks();
        if (at_ != end_) throw Unusual();
        return value;
    }

  private:
    static constexpr int deepest = 64;

    void skip_blanks() {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
    }
    /// Skips blanks. Returns the next character; throws at the end of the text.
    char next() {
        skip_blanks();
        if (at_ == end_) throw Unusual();
        return *at_;
    }
    /// Skips `wanted` if it is the next character; returns false otherwise.
    bool takes(char wanted) {
        if (next() != wanted) return false;
        ++at_;
        return true;
    }
    void take(char wanted) {
        if (!takes(wanted)) throw Unusual();
    }
    json word(std::string_view word, json value) {
        if (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).substr(0, word.size()) !=
            word)
            throw Unusual();
        at_ += word.size();
        return value;
    }

    /// Parses the value at the current place. Throws Unusual for everything that the slower parser
    /// must judge.
    json parsed_value(int depth) {
        if (depth > deepest) throw Unusual();
        switch (next()) {
            case '{':
                return parsed_object(depth);
            case '[':
                return parsed_array(depth);
            case '"':
                return parsed_string();
            case 't':
                return word("true", true);
            case 'f':
                return word("false", false);
            case 'n':
                return word("null", nullptr);
            default:
                return parsed_number();
        }
    }

    json parsed_object(int depth) {
        json::object_t object;
        ++at_;
        if (takes('}')) return object;
        do {
            if (next() != '"') throw Unusual();
            std::string key = parsed_string();
            take(':');
            object.insert_or_assign(std::move(key), parsed_value(depth + 1));
        } while (takes(','));
        take('}');
        return object;
    }

    json parsed_array(int depth) {
        json::array_t array;
        ++at_;
        if (takes(']')) return array;
        do {
            array.push_back(parsed_value(depth + 1));
        } while (takes(','));
        take(']');
        return array;
    }

    /// Accepts ASCII without escapes only.
    std::string parsed_string() {
        const char* const begin = ++at_;
        for (; at_ != end_ && *at_ != '"'; ++at_) {
            const auto byte = static_cast<unsigned char>(*at_);
            if (byte < 0x20 || byte >= 0x7f || byte == '\\') throw Unusual();
        }
        if (at_ == end_) throw Unusual();
        return std::string(begin, at_++);
    }

    void skip_digits() {
        const char* const begin = at_;
        while (at_ != end_ && *at_ >= '0' && *at_ <= '9') ++at_;
        if (at_ == begin) throw Unusual();
    }

    json parsed_number() {
        const char* const begin = at_;
        const bool is_negative = *at_ == '-';
        if (is_negative) ++at_;
        const char* const digits = at_;
        skip_digits();
        if (*digits == '0' && at_ - digits > 1) throw Unusual();
        const bool is_integer = at_ == end_ || (*at_ != '.' && *at_ != 'e' && *at_ != 'E');
        if (is_integer && is_negative) return converted<std::int64_t>(begin);
        if (is_integer) return converted<std::uint64_t>(begin);
        if (*at_ == '.') {
            ++at_;
            skip_digits();
        }
        if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
            ++at_;
            if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
            skip_digits();
        }
        return converted<double>(begin);
    }

    template <class Number>
    Number converted(const char* begin) const {
        Number number{};
        const auto [end, error] = std::from_chars(begin, at_, number);
        if (error != std::errc() || end != at_) throw Unusual();
        return number;
    }

    const char *at_, *end_;
};

}  // namespace

std::optional<json> fast_parsed_json(std::string_view text) {
    try {
        return FastParser(text).document();
    } catch (const Unusual&) {
        return std::nullopt;
    }
}

}  // namespace mpiaudit
