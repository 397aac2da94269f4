#!/usr/bin/env bash
# Drives the program in tmux as a person would: every file in cases/ is one story. Exits 0 when all of them hold.
#
#   run.sh [BEGINNING]     only the cases whose names begin so
set -uo pipefail
cd "$(dirname "$0")"
top=$(cd ../.. && pwd)
export ORRERY_BINARY=${ORRERY_BINARY:-$top/.build/release/orrery}
export TOP=$top
[ -x "$ORRERY_BINARY" ] || { echo "$ORRERY_BINARY is not there: make builds it"; exit 1; }
command -v tmux >/dev/null || { echo "tmux is not there: make setup-tests installs it"; exit 1; }
# What the person who runs this has set is not what is tested.
for name in $(compgen -e | grep '^ORRERY_' | grep -v '^ORRERY_BINARY$'); do unset "$name"; done
unset TMUX TMUX_PANE COLORTERM NO_COLOR CLAUDE_CONFIG_DIR CODEX_HOME

passed=0
failed=0
for case in cases/${1:-}*.sh; do
    home=$(mktemp -d)
    began=$SECONDS
    if output=$(HOME="$home" XDG_CONFIG_HOME="$home/config" XDG_DATA_HOME="$home/data" XDG_STATE_HOME="$home/state" \
        XDG_CACHE_HOME="$home/cache" TMUX_TMPDIR="$home" timeout 180 bash "$case" 2>&1); then
        echo "ok    $(basename "$case" .sh) ($((SECONDS - began)) s)"
        printf '%s\n' "$output" | sed -n 's/^skipped/      &/p'
        passed=$((passed + 1))
    else
        echo "FAIL  $(basename "$case" .sh)"
        printf '%s\n' "$output" | sed 's/^/      /'
        failed=$((failed + 1))
    fi
    rm -rf "$home"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
