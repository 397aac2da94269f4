#!/usr/bin/env bash
# Drives the program in tmux as a person would: every file in cases/ is one story. Exits 0 when all of them hold.
set -uo pipefail
cd "$(dirname "$0")"
top=$(cd ../.. && pwd)
export ORRERY_BINARY=${ORRERY_BINARY:-$top/.build/release/orrery}
export TOP=$top

passed=0
failed=0
for case in cases/${1:-}*.sh; do
    home=$(mktemp -d)
    if output=$(HOME="$home" XDG_CONFIG_HOME="$home/config" XDG_DATA_HOME="$home/data" XDG_STATE_HOME="$home/state" \
        XDG_CACHE_HOME="$home/cache" bash "$case" 2>&1); then
        echo "ok    $(basename "$case" .sh)"
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
