# SPDX-License-Identifier: BSD-3-Clause
"""Audits as jobs of a batch system: what is behind the command jobs/slurm."""
