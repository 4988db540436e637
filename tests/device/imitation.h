// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Returns whether calls of the MPI library can reach the memory of the imitated device.
bool library_has_access();

/// Make the memory of the imitated device accessible until the matching close_device_memory().
void open_device_memory();
void close_device_memory();
