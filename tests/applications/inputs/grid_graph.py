# SPDX-License-Identifier: BSD-3-Clause
"""Prints a grid of x * y * z vertices as a graph of Scotch. Arguments: x, y, z."""

import itertools
import sys

sizes = [int(word) for word in sys.argv[1:4]]
strides = [1, sizes[0], sizes[0] * sizes[1]]
edges = []
for place in itertools.product(*[range(size) for size in reversed(sizes)]):
    at = place[::-1]
    edges.append([sum((at[other] + (step if other == axis else 0)) * strides[other] for other in range(3))
                  for axis in range(3) for step in (-1, 1) if 0 <= at[axis] + step < sizes[axis]])
print(0, len(edges), sum(map(len, edges)), 0, "000", sep="\n")
for ends in edges:
    print(len(ends), *ends)
