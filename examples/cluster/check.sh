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
values=${VALUES:-20000}
"$NIM_ANALYSER" survey '0.??' --values "$values" --quiet > "$folder/whole.ndjson"

# The first worker that has written a line is killed outright, and so is the survey.
"$here/parallel.sh" "$folder/shares" 4 '0.??' -- --values "$values" > "$folder/first.log" 2>&1 &
survey=$!
victim=
while kill -0 "$survey" 2> /dev/null && [ -z "$victim" ]; do
    for file in "$folder"/shares/*.ndjson; do
        if [ -s "$file" ]; then
            victim=$(pgrep -f -- "^$NIM_ANALYSER survey .*--resume $file" | head -n 1 || true)
            [ -z "$victim" ] || kill -KILL "$victim" 2> /dev/null || victim=
        fi
    done
done
wait "$survey" || true
[ -n "$victim" ] || { echo "no worker could be killed: the survey was too quick; set VALUES higher" >&2; exit 1; }
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
