/* SPDX-License-Identifier: BSD-3-Clause */
int foreign_mpi(void);
int main(void) {
    return foreign_mpi();
}
