import Console
import Testing

@Suite("Keys are written as people read them")
struct KeyNotationTests {
    @Test(
        "a key and its one notation",
        arguments: [
            (Key.character("a"), "a"), (.character("A"), "A"), (.character("]"), "]"), (.character(" "), "space"),
            (.character("-"), "-"), (Key(.enter), "enter"), (Key(.escape), "esc"), (Key(.tab, .shift), "shift-tab"),
            (.control("p"), "ctrl-p"), (Key(.character("x"), .alt), "alt-x"), (.control("-"), "ctrl--"),
            (Key(.up), "up"), (Key(.pageDown), "pgdn"), (Key(.function(5)), "f5"), (Key(.delete), "del"),
            (Key(.left, [.control, .alt, .shift]), "ctrl-alt-shift-left"), (.character("é"), "é"),
        ])
    func spelling(key: Key, text: String) throws {
        #expect(KeyNotation.text(of: key) == text)
        #expect(try KeyNotation.key(text) == key)
    }

    @Test(
        "other spellings mean the key that the terminal sends",
        arguments: [
            ("escape", "esc"), ("Return", "enter"), ("PageDown", "pgdn"), ("F5", "f5"), ("Ctrl-P", "ctrl-p"),
            ("shift-a", "A"), ("ctrl-i", "tab"), ("ctrl-m", "enter"), ("ctrl-[", "esc"),
            ("shift-ctrl-left", "ctrl-shift-left"),
            ("alt-ctrl-x", "ctrl-alt-x"), ("lt", "<"),
        ])
    func aliases(text: String, canonical: String) throws {
        #expect(KeyNotation.text(of: try KeyNotation.key(text)) == canonical)
    }

    @Test(
        "keys that follow each other",
        arguments: [
            ("]e", "]e"), ("] e", "]e"), ("g g", "gg"), ("gg", "gg"), ("ctrl-x s", "ctrl-x s"), ("space", "space"),
            ("up", "up"), ("u p", "u p"), ("f5 x", "f5 x"),
        ])
    func sequences(text: String, canonical: String) throws {
        let keys = try KeyNotation.keys(text)
        #expect(KeyNotation.text(of: keys) == canonical)
        #expect(try KeyNotation.keys(canonical) == keys)
    }

    @Test(
        "typed keys",
        arguments: [
            ("/timeout<enter>jj]e", "/ t i m e o u t enter j j ] e"),
            ("<ctrl-p>x<esc>", "ctrl-p x esc"), ("a b", "a space b"), ("<lt><gt>", "< >"), ("<<>", "<"), ("<>>", ">"),
            ("3>2", "3 > 2"), ("<down><shift-tab>", "down shift-tab"), ("", ""), ("<alt->>", "alt->"),
        ])
    func typed(text: String, keys: String) throws {
        #expect(try KeyNotation.typed(text).map { KeyNotation.text(of: $0) }.joined(separator: " ") == keys)
    }

    @Test(
        "a wrong notation is answered with its place",
        arguments: [
            ("jj<entre>", "\"jj<entre>\", character 4: \"entre\" is no key"),
            ("ab<enter", "\"ab<enter\", character 3: \"<\" has no \">\"; write <lt> for the character itself."),
            ("x<>", "\"x<>\", character 3: a key is missing"),
            ("<ctrl-nope>", "\"<ctrl-nope>\", character 7: \"nope\" is no key"),
            ("<f21>", "\"<f21>\", character 2: \"f21\" is no key"),
        ])
    func wrong(text: String, sentence: String) {
        let error = #expect(throws: KeyNotationError.self) { try KeyNotation.typed(text) }
        #expect(error?.sentence.hasPrefix(sentence) == true, "\(error?.sentence ?? "")")
    }

    @Test("a wrong binding is an error", arguments: ["", "   ", "ctrl-", "nonsense", "a hyper-x", "f0"])
    func wrongBinding(text: String) {
        #expect(throws: KeyNotationError.self) { try KeyNotation.keys(text) }
    }

    @Test(
        "what a terminal sends for a key is read as that key",
        arguments: KeyNotation.names.map(\.name) + [
            "a", "Z", "é", "ctrl-a", "ctrl-space", "alt-x", "shift-up", "ctrl-right", "alt-left", "ctrl-pgup",
            "shift-tab",
            "alt-enter",
        ])
    func roundTrip(text: String) throws {
        let key = try KeyNotation.key(text)
        if case .function = key.code { return }
        var parser = InputParser()
        var events: [InputEvent] = []
        parser.feed(key.bytes, at: 0, into: &events)
        parser.flush(at: 0, into: &events)
        #expect(events == [.key(key)])
    }
}
