import Console
import Testing

private enum Action: Hashable, Sendable { case down, top, nextError, previousError, palette }

private let bindings: [Binding<Action>] = [
    Binding("j", "down", .down, name: "down", description: "next row", group: "Moving"),
    Binding("g g", .top, name: "top", description: "to the first row", group: "Moving", hint: "top"),
    Binding(
        "]e", .nextError, name: "next-error", description: "to the next failed step", group: "Replay", hint: "error"),
    Binding("[e", .previousError, name: "previous-error", description: "to the previous failed step", group: "Replay"),
    Binding("ctrl-p", .palette, name: "palette", description: "find an action", group: "Workbench", hint: "find"),
]

@Suite struct `Keymaps` {
    /// Returns the result of each key: an action, `…` for a pending sequence, or `-` for an unbound key.
    private func outcomes(_ keymap: Keymap<Action>, _ typed: String) throws -> [String] {
        var keymap = keymap
        return try KeyNotation.typed(typed).map { key in
            switch keymap.press(key) {
            case .action(let action): "\(action)"
            case .pending: "… " + keymap.pendingText
            case .unbound: "-"
            }
        }
    }

    @Test func `keys and sequences resolve as they are typed`() throws {
        let keymap = Keymap(bindings)
        #expect(keymap.problems.isEmpty)
        #expect(
            try outcomes(keymap, "j]egg<ctrl-p><down>x") == [
                "down", "… ]", "nextError", "… g", "top", "palette", "down", "-",
            ])
    }

    @Test func `an interrupted sequence is discarded`() throws {
        #expect(try outcomes(Keymap(bindings), "]j]<esc>j") == ["… ]", "-", "… ]", "-", "down"])
        var keymap = Keymap(bindings)
        _ = keymap.press(.character("]"))
        #expect(keymap.continuations.map(\.name) == ["next-error"])
        keymap.cancelPending()
        #expect(keymap.pendingText == "" && keymap.continuations.isEmpty)
    }

    @Test func `settings replace or remove keys`() throws {
        let keymap = Keymap(
            bindings, overrides: ["down": [[.character("n")], [.control("n")]], "palette": []])
        #expect(try outcomes(keymap, "jn<ctrl-n><ctrl-p>") == ["-", "down", "down", "-"])
        #expect(keymap.binding(named: "down")?.label == "n, Ctrl-N")
        #expect(keymap.binding(named: "palette")?.keys == [])
        #expect(keymap.hints().map(\.key) == ["gg", "]e"])
    }

    @Test func `conflicting keys and unreachable sequences are reported`() throws {
        let keymap = Keymap(bindings, overrides: ["next-error": [[.character("j")]], "top": [[.character("[")]]])
        #expect(
            keymap.problems.map(\.sentence) == [
                "The key j is bound to both down and next-error; it runs down. Change one of them.",
                "The sequence [e for previous-error is never reached because [ runs top. Change one of them.",
            ])
        #expect(try outcomes(keymap, "j[") == ["down", "top"])
        let wrong = Keymap([Binding("ctrl-", Action.top, name: "top", description: "", group: "")])
        #expect(wrong.problems.count == 1)
        #expect(wrong.problems.first?.sentence.hasPrefix("The key for top is invalid: ") == true)
    }

    @Test func `the footer shows hints of actions that can run`() {
        let hints = Keymap(bindings).hints { $0 == .top ? "no rows" : nil }
        #expect(hints == [KeyHint("]e", "error"), KeyHint("Ctrl-P", "find")])
    }

    @Test(
        "labels use the names printed on keyboards",
        arguments: [
            ("space", "Space"), ("ctrl-p", "Ctrl-P"), ("pgdn", "PgDn"), ("shift-tab", "Shift-Tab"), ("]e", "]e"),
            ("A", "A"),
            ("f5", "F5"), ("ctrl-x s", "Ctrl-X s"), ("?", "?"), ("ctrl-nothing", "ctrl-nothing"),
        ])
    func labels(notation: String, label: String) {
        #expect(KeyLabel.text(notation) == label)
    }

    @Test func `mapping a binding changes only its action`() {
        let mapped = bindings[2].map { "\($0)" }
        #expect(mapped.action == "nextError" && mapped.keys == ["]e"] && mapped.hint == "error")
    }
}

@Suite struct `Key reference` {
    @Test func `the key reference is Markdown with one table per group`() {
        var reference = KeyReference()
        reference.introduction = "How to change keys."
        reference.add(
            "Traces",
            [
                Binding("|", 1, name: "pipe", description: "a | b", group: "Odd"),
                Binding("`", "space", 2, name: "tick", description: "tick", group: "Odd"),
            ], introduction: "What the panel does.")
        reference.add("Shell", [Binding("q", 3, name: "quit", description: "leave", group: "Shell")])
        #expect(
            reference.markdown == #"""
                # Keys

                How to change keys.

                ## Traces

                What the panel does.

                ### Odd

                | Key | What it does | Name |
                |---|---|---|
                | `\|` | a \| b | `pipe` |
                | `` ` ``, `Space` | tick | `tick` |

                ## Shell

                | Key | What it does | Name |
                |---|---|---|
                | `q` | leave | `quit` |

                """#)
    }
}
