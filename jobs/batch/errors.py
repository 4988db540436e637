# SPDX-License-Identifier: BSD-3-Clause
"""Errors that the user's input or Slurm causes."""


class UsageError(Exception):
    """A message for the user: the error, its place and the remedy."""
