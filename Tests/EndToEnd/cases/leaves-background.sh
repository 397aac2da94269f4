# q offers to continue a training run and an eval in the background; both go on after the workbench is gone.
source terminal.sh
cd "$HOME"
for i in $(seq 200); do echo "The $((i % 7)) moons of planet $((i % 5)) rise at $((i % 11))."; done >text.txt
cat >moons.toml <<'TOML'
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
every = 100
TOML
running() { "$ORRERY_BINARY" "$1" list 2>/dev/null | grep -q running; }
not_running() { ! running "$1"; }

start 120x40 "$ORRERY_BINARY"
wait_until grep -aq "Importing samples" "$HOME/raw" || fail "the first frame says nothing"
expect "duty-engineer"
typed "gn"
typed "r"
expect "Train from a configuration"
press C-u
typed "$HOME/moons.toml"
press Enter
expect "●  moons"
press q
expect "Leave Orrery?"
expect "running in the background and leave"
typed "b"
expect "moons continues in the background."
expect_restored 0
end_all
wait_until running train || fail "the training run ended with the workbench"
"$ORRERY_BINARY" train stop moons
wait_until not_running train || fail "the training run in the background does not stop"

# Each answer takes a while, so that the eval outlives the workbench.
cat >slow.sh <<'SH'
#!/bin/sh
while read -r line; do
    sleep 0.5
    echo '{"text": "42"}'
done
SH
chmod +x slow.sh
start 120x40 "$ORRERY_BINARY"
expect "Traces"
typed "5"
typed "r"
expect "Run a task"
press C-u
typed "$TOP/sample-data/evals/reading.toml"
press Enter
expect "Model for reading.toml"
press C-u
typed "exec:$HOME/slow.sh"
press Enter
expect "Run reading.toml"
press Enter
expect "running"

# x on another page stops nothing; here it asks, and Esc lets the run continue.
typed "1"
typed "x"
expect "Traces has no running job"
press q
expect "Leave Orrery?"
expect "of 120 samples"
typed "b"
expect_restored 0
end_all
finished() { "$ORRERY_BINARY" eval list | grep slow.sh | grep -q done; }
wait_until finished || fail "the eval did not finish: $("$ORRERY_BINARY" eval list)"
