import Console
import System
import Testing

@Suite("Key notation")
struct KeyNotationTests {
    @Test(
        "each key has one notation",
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
        "alternative spellings are parsed as the key that the terminal sends",
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
        "key sequences are parsed and written",
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
        "typed keys are parsed",
        arguments: [
            ("/timeout<enter>jj]e", "/ t i m e o u t enter j j ] e"),
            ("<ctrl-p>x<esc>", "ctrl-p x esc"), ("a b", "a space b"), ("<lt><gt>", "< >"), ("<<>", "<"), ("<>>", ">"),
            ("3>2", "3 > 2"), ("<down><shift-tab>", "down shift-tab"), ("", ""), ("<alt->>", "alt->"),
        ])
    func typed(text: String, keys: String) throws {
        #expect(try KeyNotation.typed(text).map { KeyNotation.text(of: $0) }.joined(separator: " ") == keys)
    }

    @Test(
        "errors contain the position of the invalid key",
        arguments: [
            ("jj<entre>", "\"jj<entre>\", character 4: unknown key \"entre\""),
            ("ab<enter", "\"ab<enter\", character 3: unclosed \"<\". Use <lt> for the character itself."),
            ("x<>", "\"x<>\", character 3: missing key"),
            ("<ctrl-nope>", "\"<ctrl-nope>\", character 7: unknown key \"nope\""),
            ("<f21>", "\"<f21>\", character 2: unknown key \"f21\""),
        ])
    func wrong(text: String, sentence: String) {
        let error = #expect(throws: Problem.self) { try KeyNotation.typed(text) }
        #expect(error?.sentence.hasPrefix(sentence) == true, "\(error?.sentence ?? "")")
    }

    @Test("invalid key sequences are errors", arguments: ["", "   ", "ctrl-", "nonsense", "a hyper-x", "f0"])
    func wrongBinding(text: String) {
        #expect(throws: Problem.self) { try KeyNotation.keys(text) }
    }

    @Test(
        "the bytes of a key are parsed as that key",
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
