# SPDX-License-Identifier: BSD-3-Clause
# Sourced: how ranks are started on this machine, alike for all libraries.

# set_launch LAUNCHER RANKS CORES: sets `launch` to the words that start the ranks.
set_launch() {
    local version
    launch=("$1" -n "$2")
    version=$("$1" --version 2>&1)
    [[ $version == *"Open MPI"* || $version == *OpenRTE* ]] || return 0
    ((EUID != 0)) || launch+=(--allow-run-as-root)
    # mpiaudit binds the ranks itself, alike for all libraries, and records what it did. It also
    # says itself why it ends, so mpirun need not explain its exit code: -q, which Open MPI 5 no longer has.
    launch+=(--bind-to none)
    [[ ! $version =~ \)\ [1-4]\. ]] || launch+=(-q)
    (($2 <= $3)) || launch+=(--oversubscribe --mca mpi_yield_when_idle 1)
}

# tell_launcher WORD...: what starts the ranks, which reports repeat in the command that measures a
# violation again.
tell_launcher() {
    printf -v MPIAUDIT_LAUNCHER '%q ' "$@"
    export MPIAUDIT_LAUNCHER=${MPIAUDIT_LAUNCHER% }
}

# One line for each physical core in the CPU mask of this process, at most as many as a container's
# quota of processor time pays for.
physical_cores() {
    local allowed cores quota period
    allowed=$(taskset --cpu-list --pid $$ | sed 's/.*: //')
    cores=$(lscpu --parse=CPU,CORE,SOCKET | awk -F, -v allowed="$allowed" '
        BEGIN {
            count = split(allowed, ranges, ",")
            for (i = 1; i <= count; i++) {
                last = split(ranges[i], ends, "-")
                for (cpu = ends[1] + 0; cpu <= ends[last] + 0; cpu++) usable[cpu] = 1
            }
        }
        !/^#/ && ($1 in usable) && !seen[$2 "," $3]++ { cores++ }
        END { print cores + 0 }')
    ((cores > 0)) || cores=$(nproc)
    if read -r quota period 2>/dev/null </sys/fs/cgroup/cpu.max && [[ $quota != max ]] &&
        ((quota / period < cores)); then
        cores=$((quota < period ? 1 : quota / period))
    fi
    echo "$cores"
}
