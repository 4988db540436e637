C     SPDX-License-Identifier: BSD-3-Clause
C     The interface of mpif.h: what it calls has to be seen, in place too.
      program mpif
      include 'mpif.h'
      integer ierr, rank, ranks, total
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierr)
      total = rank
      call MPI_ALLREDUCE(MPI_IN_PLACE, total, 1, MPI_INTEGER,
     &                   MPI_SUM, MPI_COMM_WORLD, ierr)
      if (total .ne. ranks * (ranks - 1) / 2) stop 1
      call MPI_BARRIER(MPI_COMM_WORLD, ierr)
      call MPI_BARRIER(MPI_COMM_WORLD, ierr)
      call MPI_BCAST(total, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
      call MPI_FINALIZE(ierr)
      end
