// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

/// Returns whether calls of the MPI library can reach the memory of the imitated device.
bool library_has_access();

/// Writes to the file IMITATED_SEEN where the buffer is, if the buffer is large.
void look_at_buffer(const char* function, const void* data, int count, MPI_Datatype type);

/// Make the memory of the imitated device accessible until the matching close_device_memory().
void open_device_memory();
void close_device_memory();
