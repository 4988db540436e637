// SPDX-License-Identifier: BSD-3-Clause
#include "device_trial/device_support.h"

#include <gtest/gtest.h>

namespace mpiaudit {
namespace {

ControlVariables variable(const std::string& name, const std::string& value) {
    return {{name, {settings::ControlVariable::Kind::boolean, value}}};
}

TEST(DeviceSupport, OpenMpiSaysWhatWasBuilt) {
    const auto without = variable("opal_built_with_cuda_support", "0");
    const KnownSupport answer = support_by_variables(without, MemoryKind::managed);
    EXPECT_EQ(answer.answer, Support::no);
    EXPECT_EQ(answer.source, "the variable opal_built_with_cuda_support is 0");
    const auto with = variable("opal_built_with_rocm_support", "1");
    EXPECT_EQ(support_by_variables(with, MemoryKind::hip).answer, Support::yes);
}

TEST(DeviceSupport, VariablesOfAnotherVendorSayNothing) {
    const auto other = variable("opal_built_with_cuda_support", "0");
    EXPECT_EQ(support_by_variables(other, MemoryKind::hip).answer, Support::unknown);
    EXPECT_EQ(support_by_variables({}, MemoryKind::cuda).answer, Support::unknown);
}

TEST(DeviceSupport, MpichSaysOnlyThatSupportIsOff) {
    for (const MemoryKind kind : {MemoryKind::cuda, MemoryKind::hip}) {
        EXPECT_EQ(support_by_variables(variable("MPIR_CVAR_ENABLE_GPU", "0"), kind).answer,
                  Support::no);
        EXPECT_EQ(support_by_variables(variable("MPIR_CVAR_ENABLE_GPU", "1"), kind).answer,
                  Support::unknown);
    }
}

}  // namespace
}  // namespace mpiaudit
