# kill -9 in the middle of an import loses nothing that was there: the job shows as interrupted, can be resumed or removed,
# and the workspace is whole.
source terminal.sh
python3 - "$TOP/sample-data/traces/otlp/reindex-loop.jsonl" "$HOME/many" <<'PYTHON'
# Enough sessions that the import takes some seconds, none of them a copy of another.
import os, sys
text = open(sys.argv[1]).read()
os.mkdir(sys.argv[2])
for number in range(1500):
    with open(f"{sys.argv[2]}/{number:04}.jsonl", "w") as file:
        file.write(text.replace("0ddba115", f"{number:08x}"))
PYTHON
state() { "$ORRERY_BINARY" workspace jobs --json | python3 -c '
import json, sys
jobs = [job for job in json.load(sys.stdin)["jobs"] if job["kind"] == "traces.import"]
print(*("{id}:{state}".format(**job) for job in jobs))'; }
begin_import() {
    start 120x40 "$ORRERY_BINARY"
    expect "Runs"
    typed "i"
    expect "Import a trace"
    typed "$HOME/many"
    press Enter
    wait_until is_running || fail "no import runs: $(state)"
    kill -9 "$(program)"
    expect "ended with 137"
    end_all
}
is_running() { [[ $(state) == *:running* ]]; }
"$ORRERY_BINARY" show traces >/dev/null
before=$("$ORRERY_BINARY" trace list --json)
begin_import
[[ $(state) == *:interrupted ]] || fail "the job is $(state)"
"$ORRERY_BINARY" workspace check
job=$(state | grep -oE '[0-9]+:interrupted' | head -1 | cut -d: -f1)
"$ORRERY_BINARY" workspace jobs --resume "$job"
[[ $(state) == "$job:done" ]] || fail "after resuming the job is $(state)"
count=$("$ORRERY_BINARY" trace list --limit 2000 --json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["traces"]))')
[ "$count" -eq 1505 ] || fail "there are $count traces, not 1505"
"$ORRERY_BINARY" workspace jobs --remove "$job"
[ -z "$(state)" ] || fail "the job is still there: $(state)"
"$ORRERY_BINARY" workspace check
