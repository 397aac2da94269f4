# The same facts on the command line: exit statuses, one sentence for what is wrong, JSON for programs.
source terminal.sh
out=$("$ORRERY_BINARY" show traces --size 100x30)
grep -q "Runs" <<<"$out"
"$ORRERY_BINARY" trace list --json | python3 -c 'import json,sys; assert len(json.load(sys.stdin)["traces"]) == 5'
if "$ORRERY_BINARY" </dev/null >"$HOME/out" 2>"$HOME/err"; then exit 1; else [ $? -eq 1 ]; fi
[ "$(wc -l <"$HOME/err")" -eq 1 ]
if "$ORRERY_BINARY" trace import /dev/null/nothing 2>"$HOME/err"; then exit 1; else [ $? -eq 1 ]; fi
[ "$(wc -l <"$HOME/err")" -eq 1 ]
if "$ORRERY_BINARY" trace list --filter "kind:tol" 2>"$HOME/err"; then exit 1; else [ $? -eq 1 ]; fi
grep -q "tool" "$HOME/err"
if "$ORRERY_BINARY" trace lst 2>/dev/null; then exit 1; else [ $? -eq 64 ]; fi
