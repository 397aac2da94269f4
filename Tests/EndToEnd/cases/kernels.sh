# orrery PROFILE shows its launches; a kernel of one's own is added, edited, and measured again within three seconds of
# the save; one that never ends takes nothing down.
source terminal.sh
cp "$TOP"/sample-data/kernels/rms.* "$HOME"
# An editor that makes a change of its own, and says when it saved.
cat >"$HOME/editor" <<'END'
#!/bin/sh
cat "$HOME/change" >>"$1"
date +%s%N >"$HOME/saved"
END
chmod +x "$HOME/editor"
export EDITOR="$HOME/editor" VISUAL=
milliseconds_since_save() { echo $((($(date +%s%N) - $(cat "$HOME/saved")) / 1000000)); }

start 120x40 "$ORRERY_BINARY" "$TOP/sample-data/profiles/before.csv"
expect "Launches ─ 31"
expect "NVIDIA H100"
expect "tensor bf16"
press BTab BTab g g Enter
expect "not measured yet"
expect "naive: source"
typed "a$HOME/rms.toml"
press Enter
expect "own/rms ── "
expect "rms: source"

printf '// faster\n' >"$HOME/change"
typed "E"
expect "every rung agrees"
took=$(milliseconds_since_save)
[ "$took" -lt 3000 ] || fail "from the save to the figure it took $took ms"
typed "/faster"
press Enter
expect "1 of 1"

# A loop without an end: other keys work meanwhile, and it is cancelled at once.
sed -i 's/^    for (long r = 0; r < rows; r++) {$/    for (;;) __asm__ volatile("");\n&/' "$HOME/rms.c"
expect "measuring"
typed "v"
expect "rms: figures"
typed "x"
expect "Stop "
typed "s"
expect "cancelled"
expect_gone "measuring"

printf 'int broken = ;\n' >>"$HOME/rms.c"
expect "rms.c, line"
press q
expect_restored 0
end_all
start 120x40 "$ORRERY_BINARY"
expect "rms: figures"
press q
expect_restored 0
