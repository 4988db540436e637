// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Make the memory of the imitated device accessible until the matching close_device_memory().
void open_device_memory();
void close_device_memory();
