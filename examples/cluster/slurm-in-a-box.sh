#!/usr/bin/env bash
# Tests slurm.sbatch with a Slurm of one node, made for the occasion: a job array of four tasks surveys all two-digit
# octal codes, one task is cancelled and run again, and the whole agrees with one process. Needs root, and slurm-wlm and
# munge from the distribution. What it printed is in slurm-in-a-box.out.
#
#   examples/cluster/slurm-in-a-box.sh PROGRAM
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export NIM_ANALYSER=$1
box=$(mktemp -d)
chmod 755 "$box"
mkdir "$box/state" "$box/spool" "$box/out"
# The daemons that were started here, and no others, are ended.
finish() {
    for daemon in slurmd slurmctld munged; do
        [ ! -s "$box/$daemon.pid" ] || kill "$(cat "$box/$daemon.pid")" 2> /dev/null || true
    done
    sleep 1
    rm -rf "$box"
}
trap finish EXIT

[ -s /etc/munge/munge.key ] || mungekey --create
munged --force --socket="$box/munge" --pid-file="$box/munged.pid" --log-file="$box/munged.log" --seed-file="$box/munge.seed"
cat > "$box/slurm.conf" <<CONF
ClusterName=box
SlurmctldHost=$(hostname -s)(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$box/munge
CredType=cred/munge
SlurmUser=root
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$box/state
SlurmdSpoolDir=$box/spool
SlurmctldPidFile=$box/slurmctld.pid
SlurmdPidFile=$box/slurmd.pid
SlurmctldLogFile=$box/slurmctld.log
SlurmdLogFile=$box/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=box Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$box/slurm.conf
slurmctld
slurmd
sinfo --version
for _ in $(seq 60); do
    [ "$(sinfo --noheader --format=%t)" != idle ] || break
    sleep 1
done
sinfo

submit() {
    sbatch --parsable --wait --array="$1" --output="$box/out/log-%a" --export=ALL,SHARES=4,OUT="$box/out" \
        "$here/slurm.sbatch" '0.??' --values "${VALUES:-20000}"
}
submit 1-4 > "$box/job" &
first=$!
until [ -s "$box/out/2.ndjson" ]; do sleep 0.1; done
scancel --name=nim-survey --state=RUNNING
wait "$first" || true
echo "after cancelling: $(cat "$box"/out/*.ndjson | wc -l) games"
submit 1-4 > /dev/null
"$NIM_ANALYSER" survey '0.??' --values "${VALUES:-20000}" --quiet > "$box/whole"
without_time() { sed -E 's/"seconds":[^,]*,//' "$@" | sort; }
without_time "$box"/out/*.ndjson > "$box/shares"
without_time "$box/whole" | diff - "$box/shares"
echo "$(wc -l < "$box/shares") games: a job array of four tasks, cancelled and run again, and one process agree"
