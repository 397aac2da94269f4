# The same facts on the command line, in pipes as people write them.
source terminal.sh
out=$("$ORRERY_BINARY" show traces --size 100x30)
grep -q "Runs" <<<"$out"
"$ORRERY_BINARY" trace list --json | python3 -c 'import json,sys; assert len(json.load(sys.stdin)["traces"]) == 5'
# A reader that has gone ends the program as it does any filter: without a word.
("$ORRERY_BINARY" trace show 7e57 2>"$HOME/err" || true) | head -1 >/dev/null
[ ! -s "$HOME/err" ]
if "$ORRERY_BINARY" </dev/null >"$HOME/out" 2>"$HOME/err"; then exit 1; else [ $? -eq 1 ]; fi
[ "$(wc -l <"$HOME/err")" -eq 1 ]
"$ORRERY_BINARY" trace export 7e57 "$HOME/run.md"
grep -q "midnight" "$HOME/run.md"
"$ORRERY_BINARY" --generate-completion-script bash >"$HOME/completion"
bash -n "$HOME/completion"
"$ORRERY_BINARY" reference man >"$HOME/orrery.1"
if command -v groff >/dev/null; then groff -man -Tascii -ww "$HOME/orrery.1" >/dev/null 2>"$HOME/err"; [ ! -s "$HOME/err" ]; fi
