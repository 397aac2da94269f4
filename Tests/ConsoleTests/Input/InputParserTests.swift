import Console
import Testing

@Suite("Input parser")
struct InputParserTests {
    private func events(_ text: String, parser: InputParser = InputParser()) -> [InputEvent] {
        var parser = parser
        var events: [InputEvent] = []
        parser.feed(Array(text.utf8), at: 0, into: &events)
        parser.flush(at: 0, into: &events)
        return events
    }

    @Test(
        "key sequences are parsed as the expected key",
        arguments: [
            ("j", "j"), ("G", "G"), (" ", "space"), ("é", "é"), ("漢", "漢"), ("👩‍💻", "👩‍💻"),
            ("\r", "enter"), ("\n", "enter"), ("\t", "tab"), ("\u{1B}", "esc"), ("\u{7F}", "backspace"),
            ("\u{10}", "ctrl-p"), ("\u{1}", "ctrl-a"), ("\u{0}", "ctrl-space"), ("\u{1C}", "ctrl-\\"),
            ("\u{1B}x", "alt-x"), ("\u{1B}é", "alt-é"), ("\u{1B}\r", "alt-enter"), ("\u{1B}[", "alt-["),
            ("\u{1B}O", "alt-O"),
            ("\u{1B}[A", "up"), ("\u{1B}OA", "up"), ("\u{1B}[B", "down"), ("\u{1B}OC", "right"), ("\u{1B}[D", "left"),
            ("\u{1B}[1;2A", "shift-up"), ("\u{1B}[1;5C", "ctrl-right"), ("\u{1B}[1;3D", "alt-left"),
            ("\u{1B}[1;8B", "ctrl-alt-shift-down"), ("\u{1B}\u{1B}[A", "alt-up"),
            ("\u{1B}[H", "home"), ("\u{1B}OH", "home"), ("\u{1B}[1~", "home"), ("\u{1B}[7~", "home"),
            ("\u{1B}[F", "end"), ("\u{1B}OF", "end"), ("\u{1B}[4~", "end"), ("\u{1B}[8~", "end"),
            ("\u{1B}[5~", "pgup"), ("\u{1B}[6~", "pgdn"), ("\u{1B}[6;5~", "ctrl-pgdn"),
            ("\u{1B}[2~", "ins"), ("\u{1B}[3~", "del"), ("\u{1B}[3;2~", "shift-del"), ("\u{1B}[Z", "shift-tab"),
            ("\u{1B}OP", "f1"), ("\u{1B}[11~", "f1"), ("\u{1B}[[A", "f1"), ("\u{1B}[[E", "f5"), ("\u{1B}[15~", "f5"),
            ("\u{1B}[24~", "f12"), ("\u{1B}[1;2P", "shift-f1"), ("\u{1B}[24;5~", "ctrl-f12"),
            ("\u{1B}OM", "enter"), ("\u{1B}Oq", "1"),
            ("\u{1B}[97;5u", "ctrl-a"), ("\u{1B}[27;5;9~", "ctrl-tab"), ("\u{1B}[65;2u", "A"),
        ])
    func keys(bytes: String, notation: String) {
        #expect(events(bytes).map(name) == [notation])
    }

    private func name(_ event: InputEvent) -> String {
        if case .key(let key) = event { KeyNotation.text(of: key) } else { "\(event)" }
    }

    @Test("consecutive keys are separated") func consecutiveKeys() {
        #expect(events("j\u{1B}[Ak\u{1B}x").map(name) == ["j", "up", "k", "alt-x"])
    }

    @Test(
        "a sequence can be split at any byte",
        arguments: [
            "\u{1B}[1;5C", "\u{1B}OP", "\u{1B}[<0;12;7M", "\u{1B}[[C", "漢", "👩", "\u{1B}[200~pa\u{1B}ste\u{1B}[201~",
            "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\x",
        ])
    func cuts(text: String) {
        let bytes = Array(text.utf8)
        let whole = events(text)
        #expect(!whole.isEmpty)
        for cut in 1..<bytes.count {
            var parser = InputParser()
            var events: [InputEvent] = []
            parser.feed(bytes[..<cut], at: 0, into: &events)
            parser.feed(bytes[cut...], at: 0, into: &events)
            parser.flush(at: 0, into: &events)
            #expect(events == whole, "split at \(cut)")
        }
    }

    @Test("Escape waits for the rest of a sequence until a flush") func escape() {
        var parser = InputParser()
        var events: [InputEvent] = []
        parser.feed([0x1B], at: 0, into: &events)
        #expect(events.isEmpty)
        #expect(parser.isWaiting)
        parser.flush(at: 25, into: &events)
        #expect(events == [.key(Key(.escape))])
        #expect(!parser.isWaiting)
    }

    @Test(
        "mouse reports are parsed",
        arguments: [
            ("\u{1B}[<0;5;3M", Mouse(.press, button: .left, at: Point(column: 4, row: 2))),
            ("\u{1B}[<0;5;3m", Mouse(.release, button: .left, at: Point(column: 4, row: 2))),
            ("\u{1B}[<2;1;1M", Mouse(.press, button: .right, at: Point(column: 0, row: 0))),
            ("\u{1B}[<32;300;90M", Mouse(.drag, button: .left, at: Point(column: 299, row: 89))),
            ("\u{1B}[<64;9;9M", Mouse(.scrollUp, button: .none, at: Point(column: 8, row: 8))),
            ("\u{1B}[<65;9;9M", Mouse(.scrollDown, button: .none, at: Point(column: 8, row: 8))),
            ("\u{1B}[<16;2;2M", Mouse(.press, button: .left, at: Point(column: 1, row: 1), modifiers: .control)),
            ("\u{1B}[M !!", Mouse(.press, button: .left, at: Point(column: 0, row: 0))),
            ("\u{1B}[M#\"!", Mouse(.release, button: .none, at: Point(column: 1, row: 0))),
        ])
    func mouse(bytes: String, mouse: Mouse) {
        #expect(events(bytes) == [.mouse(mouse)])
    }

    @Test(
        "the second press within 400 ms on the same cell is a double click",
        arguments: [
            (Int64(399), "\u{1B}[<0;5;3M", Mouse.Action.doubleClick),
            (401, "\u{1B}[<0;5;3M", .press),
            (100, "\u{1B}[<0;6;3M", .press),
            (100, "\u{1B}[<2;5;3M", .press),
        ])
    func doubleClick(after: Int64, second: String, action: Mouse.Action) {
        var parser = InputParser()
        var events: [InputEvent] = []
        parser.feed(Array("\u{1B}[<0;5;3M".utf8), at: 1_000, into: &events)
        parser.feed(Array(second.utf8), at: 1_000 + after, into: &events)
        guard case .mouse(let mouse) = events.last else {
            Issue.record("no mouse report")
            return
        }
        #expect(mouse.action == action)
    }

    @Test("a paste is one event, even if it contains escape sequences") func paste() {
        let text = "one\ntwo\u{1B}[A\u{3}漢\u{1B}[20"
        #expect(
            events("a\u{1B}[200~\(text)\u{1B}[201~b") == [.key(.character("a")), .paste(text), .key(.character("b"))])
    }

    @Test("a paste is truncated at its limit") func pasteLimit() {
        var parser = InputParser()
        var events: [InputEvent] = []
        parser.feed(Array("\u{1B}[200~".utf8), at: 0, into: &events)
        let piece = Array(String(repeating: "é", count: 1 << 19).utf8)
        for _ in 0..<18 { parser.feed(piece, at: 0, into: &events) }
        parser.feed(Array("\u{1B}[201~j".utf8), at: 0, into: &events)
        guard events.count == 2, case .paste(let text) = events[0] else {
            Issue.record("expected a paste and a key")
            return
        }
        #expect(text.utf8.count == InputParser.pasteLimit)
        #expect(events[1] == .key(.character("j")))
    }

    @Test(
        "terminal replies are reported, not treated as keys",
        arguments: [
            ("\u{1B}[?2026;2$y", InputParser.Report.mode(2026, settable: true)),
            ("\u{1B}[?2026;0$y", .mode(2026, settable: false)),
            ("\u{1B}[?2026;4$y", .mode(2026, settable: false)),
            ("\u{1B}[?62;4;22c", .deviceAttributes),
            ("\u{1B}]11;rgb:ffff/8080/0000\u{7}", .background(Quantizer.RGB(red: 255, green: 128, blue: 0))),
            ("\u{1B}]11;rgb:1e/1e/2e\u{1B}\\", .background(Quantizer.RGB(red: 30, green: 30, blue: 46))),
        ])
    func replies(bytes: String, report: InputParser.Report) {
        var parser = InputParser()
        var events: [InputEvent] = []
        parser.feed(Array(bytes.utf8), at: 0, into: &events)
        #expect(events.isEmpty)
        #expect(parser.reports == [report])
    }

    @Test(
        "unknown sequences are dropped, but the key that follows is not",
        arguments: [
            "\u{1B}[99;99z", "\u{1B}[?1;2;3x", "\u{1B}]52;c;abc\u{7}", "\u{1B}]11;nonsense\u{1B}\\", "\u{1B}[<0;0;0M",
            "\u{1B}[I", "\u{1B}[1;99999999999999999999A",
        ])
    func unknown(bytes: String) {
        #expect(events(bytes + "j").last == .key(.character("j")))
    }

    @Test("sequences from the terminal's description take precedence") func specialSequences() {
        // The F7 sequence of a VT100 is the sequence that xterm sends for 6 on the keypad.
        let special = KeySequences.special { ["kf7": "\u{1B}Ov", "kcuu1": "\u{1B}OA"][$0] }
        #expect(special == [Array("\u{1B}Ov".utf8): Key(.function(7))])
        #expect(events("\u{1B}Ov", parser: InputParser(special: special)).map(name) == ["f7"])
        #expect(events("\u{1B}Ov").map(name) == ["6"])
    }

    @Test("the terminal's erase byte is Backspace", arguments: [(UInt8(0x08), "backspace"), (0x7F, "ctrl-h")])
    func erase(byte: UInt8, notation: String) {
        #expect(events("\u{8}", parser: InputParser(erase: byte)).map(name) == [notation])
    }

    @Test("random bytes never block the keys that follow", arguments: 0..<8)
    func noise(seed: UInt64) {
        var generator = SplitMix(state: seed)
        var parser = InputParser()
        var events: [InputEvent] = []
        let alphabet = Array("\u{1B}\u{1B}[[]O<;?$~MmA012399;Pu\u{7}\\x".utf8) + [0x80, 0xC3, 0xF0, 0xFF, 0x00]
        for _ in 0..<2_000 {
            let count = Int(generator.next() % 9)
            parser.feed(
                (0..<count).map { _ in alphabet[Int(generator.next() % UInt64(alphabet.count))] }, at: 0, into: &events)
            if generator.next() % 4 == 0 { parser.flush(at: 0, into: &events) }
        }
        parser.feed(Array("\u{1B}\\\u{7}\u{1B}[201~".utf8), at: 0, into: &events)
        parser.flush(at: 0, into: &events)
        parser.feed(Array("j".utf8), at: 0, into: &events)
        #expect(events.last == .key(.character("j")))
    }
}

/// A small seeded random number generator (Steele, Lea, Flood 2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
