# SPDX-License-Identifier: BSD-3-Clause
"""k-means on blocks of unequal size: points of each rank are scattered, labels of each round gathered.

Arguments: points, rounds."""

import sys

import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
points, rounds, clusters = int(sys.argv[1]), int(sys.argv[2]), 8
weights = numpy.arange(1, comm.size + 1)
counts = points * weights // weights.sum()
counts[-1] += points - counts.sum()
starts = numpy.concatenate(([0], numpy.cumsum(counts)[:-1]))
everything = None
if comm.rank == 0:
    everything = numpy.random.default_rng(1).normal(size=(points, 2))
own = numpy.empty((counts[comm.rank], 2))
comm.Scatterv([everything, 2 * counts, 2 * starts, MPI.DOUBLE], own)
centres = numpy.array([[numpy.cos(k), numpy.sin(k)] for k in range(clusters)])
labels = numpy.empty(points, dtype=numpy.int32) if comm.rank == 0 else None
for _ in range(rounds):
    nearest = ((own[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2).argmin(axis=1).astype(numpy.int32)
    sums = numpy.array([[*own[nearest == k].sum(axis=0), (nearest == k).sum()] for k in range(clusters)])
    comm.Allreduce(MPI.IN_PLACE, sums)
    centres = sums[:, :2] / numpy.maximum(sums[:, 2:], 1)
    comm.Gatherv(nearest, [labels, counts, starts, MPI.INT])
sizes = comm.gather(len(own))
if comm.rank == 0:
    print(sizes, numpy.bincount(labels, minlength=clusters), centres.round(6).tolist())
