#!/usr/bin/env bash
# A survey with GNU parallel: shares of the games, each in a file of its own, on this machine or on several by ssh.
#
#   examples/cluster/parallel.sh FOLDER SHARES PATTERN... [-- OPTION...]
#   examples/cluster/parallel.sh two-digits 8 '0.??' -- --values 1e6 --seconds 60
#   HOSTS=node1,node2,: examples/cluster/parallel.sh ...     # ssh hosts that see the same FOLDER; : is this machine
#
# A share that was stopped, killed or failed is gone on with by the same command: a finished share is read through in
# no time. More shares than cores keep all of them busy to the end, for games differ much in what they cost.
set -euo pipefail
folder=$1 shares=$2
shift 2
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
program=${NIM_ANALYSER:-$(command -v nim-analyser)}
words=()
for word in "$@"; do
    [ "$word" = -- ] || words+=("$(printf %q "$word")")
done
hosts=()
if [ -n "${HOSTS:-}" ]; then
    hosts=(--sshlogin "$HOSTS" --workdir "$folder")
fi
seq "$shares" | parallel "${hosts[@]}" --jobs "${JOBS:-100%}" --joblog "$folder/joblog" --retries 2 \
    "$(printf %q "$program")" survey "${words[@]}" --threads 1 --quiet \
    --shard "{}/$shares" --resume "$(printf %q "$folder")/{}.ndjson"
cat "$folder"/*.ndjson | wc -l
