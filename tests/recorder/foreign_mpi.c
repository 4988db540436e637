/* SPDX-License-Identifier: BSD-3-Clause
 * By its name, and by what it has, an MPI library of the other kind. */
#include <mpi.h>
int foreign_mpi(void);
int foreign_mpi(void) {
    return 0;
}
#ifndef OPEN_MPI
extern int ompi_mpi_comm_world;
int ompi_mpi_comm_world;
#endif
