! SPDX-License-Identifier: BSD-3-Clause
! The interface of "use mpi_f08".
program usempif08
  use mpi_f08
  implicit none
  integer :: rank, ranks, total
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  total = rank
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (total /= ranks * (ranks - 1) / 2) stop 1
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Bcast(total, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call MPI_Finalize()
end program
