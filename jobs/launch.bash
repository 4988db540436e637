# SPDX-License-Identifier: BSD-3-Clause
# Sourced: how ranks are started on this machine, alike for all libraries.

# set_launch LAUNCHER RANKS CORES [core]: sets `launch` to the words that start the ranks; core: the launcher binds each to a
# core, where a program without hwloc cannot.
set_launch() {
    local version
    launch=("$1" -n "$2")
    version=$("$1" --version 2>&1)
    [[ ${4:-} != core ]] || (($2 > $3)) || launch+=(--bind-to core)
    [[ $version == *"Open MPI"* || $version == *OpenRTE* ]] || return 0
    ((EUID != 0)) || launch+=(--allow-run-as-root)
    # mpiaudit binds the ranks itself, alike for all libraries, and records what it did. It also
    # says itself why it ends, so mpirun need not explain its exit code: -q, which Open MPI 5 no longer has.
    [[ ${launch[*]} == *"--bind-to core"* ]] || launch+=(--bind-to none)
    [[ ! $version =~ \)\ [1-4]\. ]] || launch+=(-q)
    (($2 <= $3)) || launch+=(--oversubscribe --mca mpi_yield_when_idle 1)
}

# tell_launcher WORD...: what starts the ranks, which reports repeat in the command that measures a
# violation again.
tell_launcher() {
    printf -v MPIAUDIT_LAUNCHER '%q ' "$@"
    export MPIAUDIT_LAUNCHER=${MPIAUDIT_LAUNCHER% }
}

# run_to_end WORD...: runs a command without input to its end and returns its exit code. SIGINT, SIGTERM and
# SIGHUP to a script with traps that call pass_on end the command instead of the script; `ended_by` then has the name
# of the signal.
ended_by='' running=''
run_to_end() {
    local code
    # As a job of its own: bash starts other commands in the background so that they ignore SIGINT.
    set -m
    "$@" </dev/null &
    running=$!
    set +m
    [[ -z $ended_by ]] || kill -TERM "$running"  # the signal came before the command
    # A signal ends `wait`, too.
    while :; do
        code=0
        wait "$running" || code=$?
        kill -0 "$running" 2>/dev/null || break
    done
    running=''
    return "$code"
}

# pass_on SIGNAL: for traps. Launchers know SIGTERM better than SIGHUP.
pass_on() {
    ended_by=SIG$1
    [[ -z $running ]] || kill "-${1/HUP/TERM}" "$running" 2>/dev/null || :
}

# granted_processors [SYSTEM]: how many processors the control groups of this process grant, from its own group up to the
# one that is mounted, of versions 1 and 2; nothing where no group has a limit. SYSTEM: another root folder, in tests.
granted_processors() {
    awk -v system_root="${1:-}" '
        function first_line(file,    line) {
            line = ""
            if ((getline line <file) < 0) line = ""
            close(file)
            return line
        }
        function look_at(folder, is_version_2,    words) {
            if (is_version_2) split(first_line(folder "/cpu.max"), words, " ")
            else {
                words[1] = first_line(folder "/cpu.cfs_quota_us")
                words[2] = first_line(folder "/cpu.cfs_period_us")
            }
            if (words[1] + 0 > 0 && words[2] + 0 > 0 && (granted == 0 || words[1] / words[2] < granted))
                granted = words[1] / words[2]
        }
        FILENAME ~ /mountinfo$/ {
            for (i = 7; i <= NF && $i != "-"; i++) continue
            if ($(i + 1) !~ /^cgroup2?$/) next
            mounts++
            root[mounts] = $4
            place[mounts] = system_root $5
            controllers[mounts] = $(i + 1) == "cgroup2" ? "" : "," $(i + 3) ","
            next
        }
        {
            split($0, part, ":")
            of_group = part[2]
            for (i = 1; i <= mounts; i++) {
                is_version_2 = of_group == ""
                if (is_version_2 != (controllers[i] == "")) continue
                if (!is_version_2 && !index("," of_group ",", ",cpu,")) continue
                if (!is_version_2 && !index(controllers[i], ",cpu,")) continue
                group = substr($0, length(part[1]) + length(part[2]) + 3)
                # A group outside of the mounted one is seen as the mounted one.
                if (root[i] != "/")
                    group = index(group "/", root[i] "/") == 1 ? substr(group, length(root[i]) + 1) : ""
                if (group == "/" || group ~ /^\/\.\.(\/|$)/) group = ""
                look_at(place[i] group, is_version_2)
                while (sub(/\/[^\/]*$/, "", group)) look_at(place[i] group, is_version_2)
            }
        }
        END { if (granted > 0) print (granted < 1 ? 1 : int(granted)) }' \
        "${1:-}/proc/self/mountinfo" "${1:-}/proc/self/cgroup" 2>/dev/null
}

# The number of physical cores in the CPU mask of this process, at most as many as its control groups grant.
physical_cores() {
    local allowed cores granted
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
    granted=$(granted_processors "")
    [[ -z $granted ]] || ((granted >= cores)) || cores=$granted
    echo "$cores"
}
