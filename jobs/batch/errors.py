# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong because of the input or of Slurm."""


class UsageError(Exception):
    """A message for the user: what is wrong, where, and what to do about it."""
