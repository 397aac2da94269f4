# A run in one terminal obeys the panel in another: paused, let go on, slower, ended; then one is trained in the panel,
# and a log of another program is read on while it grows.
source terminal.sh
cd "$HOME"
for i in $(seq 200); do echo "The $((i % 7)) moons of planet $((i % 5)) rise at $((i % 11))."; done >text.txt
cat >moons.toml <<'END'
[data]
train = ["text.txt"]
context = 32
[data.tokenizer]
vocabulary = 280
[model]
layers = 1
width = 32
heads = 2
[training]
steps = 1000000
batch = 4
[checkpoints]
every = 1000
END
sed 's/steps = 1000000/steps = 20/' moons.toml >short.toml

"$ORRERY_BINARY" train moons.toml >/dev/null 2>train.err &
run=$!
trap 'kill "$run" 2>/dev/null || true; end_all' EXIT
listed() { "$ORRERY_BINARY" train list 2>/dev/null | grep -q running; }
wait_until listed || fail "the run never began: $(cat train.err)"

start 120x40 "$ORRERY_BINARY" show training
end_all
start 120x40 "$ORRERY_BINARY"
expect "Traces"
typed "gn"
expect "●  moons"
expect "running"
press Enter
typed "p"
expect "moons will pause after this step"
expect "paused"
typed "p"
expect "resuming moons"
expect "running"
typed "*"
press C-u
typed "0.5"
press Enter
expect "◇"
typed "x"
expect "stop and keep the checkpoint"
typed "s"
expect "stopped"
wait_until eval '! kill -0 $run 2>/dev/null' || fail "the run goes on"
wait "$run" || fail "the run ended with $?: $(cat train.err)"

typed "r"
expect "moons.toml"
typed "another"
press Enter
expect "Train from a configuration"
typed "$HOME/short.toml"
press Enter
expect "20 of 20"
expect "finished"

echo '{"step": 1, "loss": 3.5}' >night.jsonl
typed "i$HOME/night.jsonl"
press Enter
expect "step 1 "
for step in 2 3 4; do echo "{\"step\": $step, \"loss\": 2.5}" >>night.jsonl; done
expect "step 4"
rm night.jsonl
expect "log error"
press q
expect_restored 0
