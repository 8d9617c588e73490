#!/usr/bin/env bash
# Tests the engines that are installed: all two-digit octal codes in shares under GNU parallel, one worker killed in the
# middle and the survey gone on with, give what one process gives; so says DuckDB, which reads the lines.
#
#   examples/cluster/check.sh PROGRAM
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export NIM_ANALYSER=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Kills the first worker that has written a line outright, and so the survey; fails where the survey ended before one was met.
kill_a_worker() {
    local survey file victim=
    "$here/parallel.sh" "$folder/shares" 4 '0.??' -- --values "$values" > "$folder/first.log" 2>&1 &
    survey=$!
    while kill -0 "$survey" 2> /dev/null && [ -z "$victim" ]; do
        for file in "$folder"/shares/*.ndjson; do
            if [ -s "$file" ] && [ -z "$victim" ]; then
                victim=$(pgrep -f -- "^$NIM_ANALYSER survey .*--resume $file" | head -n 1 || true)
                [ -z "$victim" ] || kill -KILL "$victim" 2> /dev/null || victim=
            fi
        done
    done
    wait "$survey" || true
    [ -n "$victim" ]
}

# A survey that is too quick to be met in the middle is made four times as long.
values=20000
until kill_a_worker; do
    rm -rf "$folder/shares"
    values=$((4 * values))
    [ "$values" -le 20000000 ] || { echo "no worker could be killed in the middle of a survey" >&2; exit 1; }
done
"$NIM_ANALYSER" survey '0.??' --values "$values" --quiet > "$folder/whole.ndjson"
# What a machine that goes down may leave behind.
printf '{"code":"0.1' >> "$(ls "$folder"/shares/*.ndjson | head -n 1)"

lines=$("$here/parallel.sh" "$folder/shares" 4 '0.??' -- --values "$values" 2> /dev/null)
[ "$lines" -eq 64 ] || { echo "$lines lines instead of 64" >&2; exit 1; }
python3 - "$folder" <<'PYTHON'
import sys, duckdb
folder = sys.argv[1]
one, shares = (f"(SELECT * EXCLUDE (seconds) FROM read_json_auto('{folder}/{files}'))" for files in ("whole.ndjson", "shares/*.ndjson"))
games = duckdb.sql(f"SELECT count(*) FROM {one}").fetchall()[0][0]
differ = duckdb.sql(f"SELECT code FROM ({one} EXCEPT {shares}) UNION ALL SELECT code FROM ({shares} EXCEPT {one})").fetchall()
if games != 64 or differ:
    sys.exit(f"{games} games; shares and one process differ at {differ}")
print(f"{games} games: four shares, one worker killed, and one process agree")
PYTHON
