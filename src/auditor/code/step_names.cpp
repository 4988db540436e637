// SPDX-License-Identifier: BSD-3-Clause
#include "code/step_names.h"

namespace mpiaudit {

using namespace c_text;

namespace {

/// Changes the first factor of a product.
Expression with_first(const Expression& product, Expression (*changed)(const Expression&)) {
    if (product.kind == Expression::Kind::binary && product.word == "*")
        return with_first(product.parts[0], changed) * product.parts[1];
    return changed(product);
}

}  // namespace

Expression StepNames::list(c_text::Name name, const Expression& value) {
    define(name, list_of(name, value));
    return name;
}

Expression StepNames::in_bytes(const Expression& elements) {
    return with_first(elements,
                      [](const Expression& first) { return c_text::Name::extent * first; });
}

Expression StepNames::in_64_bits(const Expression& number) {
    return with_first(number, [](const Expression& first) { return cast("long long", first); });
}

Block list_of(c_text::Name name, const Expression& value) {
    return {Declaration{"int", item(name, c_text::Name::p)},
            loop_over(c_text::Name::k, c_text::Name::p,
                      {Assignment{item(name, c_text::Name::k), "=", value}})};
}

}  // namespace mpiaudit
