# SPDX-License-Identifier: BSD-3-Clause
"""Audits as jobs of a batch system: the code of the command jobs/slurm."""
