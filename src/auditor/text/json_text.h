// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "text/located_json.h"

namespace mpiaudit {

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
    ~JsonDocument();

    /// Lives as long as the document.
    LocatedJson root() const { return LocatedJson(*value_); }
    /// For a reader whose errors name no places.
    const nlohmann::json& value() const { return *value_; }

  private:
    std::unique_ptr<nlohmann::json> value_;
};

/// Throws std::invalid_argument, with the nearest valid key, when the object has any other key.
void check_keys(const LocatedJson& object, const std::vector<std::string>& valid,
                const std::string& origin);

/// A text as it stands in JSON, quotation marks included.
std::string json_quoted(std::string_view text);

}  // namespace mpiaudit
