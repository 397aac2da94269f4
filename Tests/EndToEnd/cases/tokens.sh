# A session with somebody who answers by a script: said, answered, answered again and compared, kept over a restart; a
# model file that is none is answered with a sentence; a kill loses nothing that had come.
source terminal.sh
start 120x40 "$ORRERY_BINARY"
typed "2"
expect "Sessions"
typed "a"
typed "M"
typed "scripted:The planets wander for the Earth moves too."
press Enter
expect "this session now uses"
typed "i"
typed "Why do planets wander?"
press Enter
expect "The planets wander for the Earth moves too."
expect "Why do planets wander?"
typed "]"
expect "not reported"
typed "r"
expect "2 answers"
typed "d"
expect "identical for"
press Escape
typed "A$HOME/nothing.gguf"
press Enter
expect "nothing.gguf"
press q
expect_restored 0
end_all
start 120x40 "$ORRERY_BINARY"
expect "The planets wander for the Earth moves too."
press q
expect_restored 0
end_all

# An answer that comes slowly, and a program that is killed meanwhile.
cat >"$HOME/slow" <<'END'
#!/bin/sh
read -r request
for word in one two three; do
    printf '{"text":"%s "}\n' "$word"
done
sleep 2
printf '{"text":"four "}\n'
exec sleep 60
END
chmod +x "$HOME/slow"
start 120x40 "$ORRERY_BINARY"
typed "a"
typed "Mexec:$HOME/slow"
press Enter
expect "this session now uses"
typed "ihello"
press Enter
expect "one two three"
expect "four"
kill -KILL "$(program)"
end_all
start 120x40 "$ORRERY_BINARY"
expect "hello"
press BTab g g Enter
expect "one two three"
expect "Orrery exited while the model was generating"
press q
expect_restored 0
