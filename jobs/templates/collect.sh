#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#SBATCH --job-name=@JOB_NAME@
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=15
#SBATCH --chdir=@START@
#SBATCH --output=@LOG@
#SBATCH --open-mode=append
@DIRECTIVES@
# Merges the measurements of all audits, after their jobs have ended.
set -euo pipefail

cd @START@
@SETUP@
exec @ROOT@/jobs/slurm --results @RESULTS@ collect @NAME@
