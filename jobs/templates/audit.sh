#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#SBATCH --job-name=@JOB_NAME@
#SBATCH --nodes=@NODES@
#SBATCH --ntasks-per-node=@RANKS_PER_NODE@
#SBATCH --time=@TIME@
#SBATCH --signal=B:USR1@@WARNING_S@
#SBATCH --chdir=@START@
#SBATCH --output=@LOG@
#SBATCH --open-mode=append
#SBATCH --requeue
@DIRECTIVES@
# Audits the MPI library on @NODES@ nodes. Written by:
#   @COMMAND@
# By hand: `sbatch` this file, or start it inside `salloc`. The job keeps earlier measurements and continues
# with the rest.
set -euo pipefail

results=@FOLDER@
program=@PROGRAM@
ranks=@RANKS@
ranks_per_node=@RANKS_PER_NODE@
launches=@LAUNCHES@
most_restarts=@RESTARTS@
warning_s=@WARNING_S@
last_chance_s=@LAST_CHANCE_S@
has_own_budget=@HAS_OWN_BUDGET@
has_fail_on=@HAS_FAIL_ON@
audit_options=(@AUDIT_OPTIONS@)
# The numbers of nodes that this job audits on its first nodes; none: all its nodes alone.
scales=(@SCALES@)

cd @START@
@SETUP@
launcher=(
    @LAUNCHER@
)
# Open MPI 4.1 under srun --mpi=pmix now and then crashes in MPI_Init with other fences.
export SLURM_PMIX_FENCE=${SLURM_PMIX_FENCE:-ring}

die() {
    echo "job.sh: $1" >&2
    exit "${2:-2}"
}
command -v python3 >/dev/null || die "python3 is missing on this node: it reads the reports"
# The job that collects the results will run on a node like this one.
obstacle=$results/../cannot-collect
if @COLLECTS@ && ! { @PACKAGES@; } 2>/dev/null; then
    echo "this node has no @NEED@: call jobs/slurm collect on another host" |
        tee "$obstacle" >&2
fi
[[ -n ${SLURM_JOB_ID:-} ]] || die "this runs in a job of Slurm: sbatch $results/job.sh"
restarts=${SLURM_RESTART_COUNT:-0}
echo "=== job $SLURM_JOB_ID on $SLURM_JOB_NODELIST, start $((restarts + 1)), $(date)"

# jobs/slurm reads this file when Slurm has forgotten the job.
rm --force "$results/exit-code"
alarm=''
# shellcheck disable=SC2317 # called by trap
on_exit() {
    echo "$?" >"$results/exit-code"
    [[ -z $alarm ]] || kill "$alarm" 2>/dev/null || true
}
trap on_exit EXIT

# The report keeps the launcher and Slurm's description of the job.
MPIAUDIT_LAUNCHER=$(printf '%q ' "${launcher[@]}")
export MPIAUDIT_LAUNCHER=${MPIAUDIT_LAUNCHER% }
export MPIAUDIT_JOB_RECORD=$results/job-$SLURM_JOB_ID.txt
{
    scontrol --version
    scontrol show job --oneliner --details "$SLURM_JOB_ID"
    scontrol show hostnames "$SLURM_JOB_NODELIST"
    scontrol show config | grep --extended-regexp \
        '^(Launch|Mpi|PMIx|ProctrackType|Select|Switch|TaskPlugin|TopologyPlugin)' || true
} >"$MPIAUDIT_JOB_RECORD"

# The time at which Slurm ends the job; 0: never. Older versions tell it by squeue only.
end=${SLURM_JOB_END_TIME:-$(date +%s --date="$(squeue --noheader --jobs="$SLURM_JOB_ID" --format=%e)" \
    2>/dev/null || echo 0)}

# budget LAUNCH: prints seconds for this launch, a share of the time up to the warning. Later launches measure
# fewer checks, so the first launch gets three times as much as each of them. Slurm may warn a minute early;
# a job that is too short for this gets half of its time.
budget() {
    local left usable weight=1 others=$((launches - $1))
    (($1 > 1)) || weight=3
    left=$((end - EPOCHSECONDS))
    ((left > 2 * (weight + others))) || left=$((2 * (weight + others)))
    usable=$((left - warning_s - 60))
    echo $(((usable > left / 2 ? usable : left / 2) * weight / (weight + others)))
}

# Slurm sends SIGUSR1 as a warning, and SIGTERM if it ends the job without a warning. In both cases the ranks get
# SIGUSR1 and leave the current problem; on SIGTERM launchers would kill them at once. Ranks that do not react
# are ended, because otherwise Slurm would end the job before the job queues again.
signal='' signals=0 running='' is_late=false
# shellcheck disable=SC2317 # called by trap
on_signal() {
    signal=$1
    signals=$((signals + 1))
    echo "job.sh: SIG$signal: the audit leaves the current problem and ends" >&2
    if [[ -n $running ]]; then kill -s USR1 "$running" || true; fi
    [[ $signal == USR1 && -z $alarm ]] || return 0
    local left=$((end == 0 ? warning_s : end - EPOCHSECONDS))
    { sleep $((left > last_chance_s ? left - last_chance_s : 0)) && kill -s ALRM $$; } >/dev/null 2>&1 &
    alarm=$!
}
trap 'on_signal USR1' USR1
trap 'on_signal TERM' TERM
trap 'is_late=true; signals=$((signals + 1))' ALRM

# run COMMAND...: runs the command to its end. A trapped signal ends `wait` early, so the loop waits again.
run() {
    "$@" </dev/null &
    running=$!
    local code seen
    while
        seen=$signals code=0
        wait "$running" || code=$?
        ! $is_late && ((seen != signals))
    do :; done
    if $is_late; then
        echo "job.sh: the current problem does not end in time and is given up" >&2
        kill -s TERM "$running" 2>/dev/null || true
    fi
    running=''
    return "$code"
}

# is_complete FOLDER: whether the report there has all problems. With several numbers of nodes, mpiaudit writes
# scaling.json when all are over.
is_complete() {
    if ((${#scales[@]} > 0)); then
        [[ -f $1/scaling.json ]]
        return
    fi
    python3 -B @AUDIT_FILES@ "$1"
}

# is_over LAUNCH: whether this launch has measured everything.
is_over() {
    is_complete "$results/launch-$1" || { (($1 > 1)) && [[ -f $results/nothing-to-confirm ]]; }
}

# options_for USE: sets `options` to those options behind -- that USE takes. USE is `first` (the first launch),
# `confirmation` (a later launch, which reads all other options in the first one) or `judge` (which writes
# files and decides about the exit code).
options_for() {
    local table name belongs_to confirmation commands word use is_wanted=false
    local -A uses=()
    options=()
    ((${#audit_options[@]} > 0)) || return 0
    table=$("$program" list options) || die "'$program list options' failed with exit code $?"
    while read -r name belongs_to _ confirmation commands _; do
        use='first confirmation'
        [[ $confirmation != taken && $belongs_to != drawn ]] || use=first
        [[ $belongs_to != session || ,$commands, != *,judge,* ]] || use=judge
        uses[$name]=$use
    done <<<"$table"
    for word in "${audit_options[@]}"; do
        if [[ $word == --* ]]; then
            word=${word#--}
            is_wanted=false
            [[ " ${uses[${word%%=*}]:-first} " != *" $1 "* ]] || is_wanted=true
            word=--$word
        fi
        ! $is_wanted || options+=("$word")
    done
}

# has_files PATTERN...: whether a file has a name of such a pattern.
has_files() {
    local pattern
    for pattern; do
        ! compgen -G "$pattern" >/dev/null || return 0
    done
    return 1
}

# measured: prints the number of measured problems.
measured() {
    cat "$results"/launch-*/{,nodes-*/}samples.jsonl 2>/dev/null | grep --count '"kind":"problem"' || true
}

# How often a launch may start. An operation that hangs or crashes ends the ranks, which note the operation; the
# next start leaves the operation out.
most_starts=12

# measure LAUNCH: starts or continues the launch. Returns the exit code of mpiaudit.
measure() {
    local output=$results/launch-$1 code start options size=(--ranks "$ranks")
    ((${#scales[@]} == 0)) || size=(--nodes "$(IFS=, && echo "${scales[*]}")")
    for ((start = 1; start <= most_starts; start++)); do
        if (($1 == 1)); then
            options_for first
        else
            options_for confirmation
            options+=(--confirm "$results/launch-1")
        fi
        options+=(--output "$output")
        ! has_files "$output/samples.jsonl" "$output/nodes-*/samples.jsonl" || options+=(--resume)
        $has_own_budget || ((end == 0)) || options+=(--budget "$(budget "$1")s")
        code=0
        run "${launcher[@]}" "$program" run "${size[@]}" \
            --ranks-per-node "$ranks_per_node"@COLOR@ "${options[@]}" || code=$?
        [[ -z $signal ]] || break
        has_files "$output/incident-*" "$output/nodes-*/incident-*" || break
        echo "job.sh: the audit goes on without the operation that has ended it" >&2
    done
    return "$code"
}

measured_before=$(measured)
for ((launch = 1; launch <= launches; launch++)); do
    ! is_over "$launch" || continue
    code=0
    measure "$launch" || code=$?
    if ((launch > 1 && code == 0)) && [[ ! -e $results/launch-$launch ]]; then
        : >"$results/nothing-to-confirm"
    fi
    # A complete job succeeds, whatever the audit has found.
    is_over "$launch" || [[ -n $signal ]] || die "launch $launch ended with exit code $code" "$code"
    [[ -z $signal ]] || break
done

if ! is_over "$launches"; then
    if [[ $signal == USR1 ]] && (($(measured) == measured_before)); then
        die "no problem has ended in the time of this job, nor would one in the next: submit jobs with more time" 75
    fi
    if [[ $signal == USR1 ]] && ((restarts < most_restarts)); then
        echo "job.sh: the time is over: restart $((restarts + 1)) of $most_restarts"
        if scontrol requeue "$SLURM_JOB_ID"; then
            # Slurm ends this job now and starts it again.
            sleep 300 >/dev/null 2>&1 &
            wait $! || true
            exit 75
        fi
    fi
    die "the audit is not complete (SIG$signal, restart $restarts of $most_restarts); to go on: sbatch $results/job.sh" 75
fi

options_for judge
if ((${#options[@]} > 0)); then
    code=0
    "$program" judge "$results"/launch-* --color never "${options[@]}" || code=$?
    case $code in
        0 | 5) ;;
        1 | 3) ! $has_fail_on || exit "$code" ;;
        *) die "'$program judge' failed with exit code $code" "$code" ;;
    esac
fi
