import Console
import Testing

@Suite("Screen modes")
struct ScreenModesTests {
    private let capabilities = [
        "rmkx": "\u{1B}[?1l\u{1B}>", "cnorm": "\u{1B}[?12l\u{1B}[?25h", "sgr0": "\u{1B}(B\u{1B}[m$<2>",
        "rmcup": "\u{1B}[?1049l\u{1B}[23;0;0t",
    ]

    @Test("after a crash, everything needed to restore the screen is sent")
    func crash() {
        let modes = ScreenModes(mouse: true, paste: true)
        #expect(
            modes.restoring(synchronized: true) { capabilities[$0] }
                == "\u{1B}[?2026l\u{1B}[?1006l\u{1B}[?1003l\u{1B}[?1002l\u{1B}[?1000l\u{1B}[?2004l"
                + "\u{1B}[?1l\u{1B}>\u{1B}[?12l\u{1B}[?25h\u{1B}(B\u{1B}[m\u{1B}[?1049l\u{1B}[23;0;0t")
    }

    @Test("modes that were not turned on are not turned off")
    func noModes() {
        let modes = ScreenModes(mouse: false, paste: false)
        #expect(modes.entering.isEmpty && modes.leaving.isEmpty)
        #expect(modes.restoring(synchronized: false) { ["sgr0": "\u{1B}[m"][$0] } == "\u{1B}[m\r\n")
    }

    @Test("every mode that is turned on is turned off", arguments: [(true, true), (true, false), (false, true)])
    func balance(mouse: Bool, paste: Bool) {
        let modes = ScreenModes(mouse: mouse, paste: paste)
        let entered = modes.entering.split(separator: "\u{1B}").map { $0.dropLast() }
        let left = modes.leaving.split(separator: "\u{1B}").map { $0.dropLast() }
        #expect(!entered.isEmpty)
        #expect(Set(entered).isSubset(of: Set(left)))
    }

    @Test(
        "delays for old terminals are removed",
        arguments: [
            ("\u{1B}[m$<2>", "\u{1B}[m"), ("a$<5/>b$<1*>", "ab"), ("5$", "5$"), ("$<", "$<"), ("", ""),
        ])
    func padding(text: String, clean: String) {
        #expect(ScreenModes.withoutPadding(text) == clean)
    }

    @Test(
        "hardware terminals receive no queries and no mouse modes",
        arguments: [
            ("xterm-256color", nil, true, true), ("tmux-256color", nil, true, true), ("linux", nil, false, false),
            ("vt100", nil, false, false), ("xterm-256color", "Apple_Terminal", true, false),
        ] as [(String, String?, Bool, Bool)])
    func family(type: String, program: String?, isEmulator: Bool, answers: Bool) {
        let family = TerminalFamily(type: type, program: program)
        #expect(family.isEmulator == isEmulator)
        #expect(family.answers == answers)
    }
}

@Suite("Clipboard")
struct ClipboardTests {
    @Test(
        "Base64 matches RFC 4648, section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy"),
        ])
    func base64(text: String, encoded: String) {
        #expect(String(decoding: Clipboard.base64(Array(text.utf8)), as: UTF8.self) == encoded)
    }

    @Test(
        "the clipboard sequence depends on the multiplexer",
        arguments: [
            (Clipboard.Route.direct, "\u{1B}]52;c;Zm9v\u{7}"),
            (.tmux, "\u{1B}]52;c;Zm9v\u{7}\u{1B}Ptmux;\u{1B}\u{1B}]52;c;Zm9v\u{7}\u{1B}\\"),
            (.screen, "\u{1B}P\u{1B}]52;c;Zm9v\u{7}\u{1B}\\"),
        ])
    func passage(passage: Clipboard.Route, sequence: String) {
        #expect(Clipboard.sequence(for: "foo", passage: passage) == Array(sequence.utf8))
    }

    @Test("text over the limit is rejected")
    func limit() {
        let text = String(repeating: "x", count: Clipboard.limit)
        #expect(Clipboard.sequence(for: text, passage: .direct)?.count ?? 0 < 1 << 20)
        #expect(Clipboard.sequence(for: text + "x", passage: .direct) == nil)
    }
}

@Suite("ASCII substitutes")
struct ASCIISubstituteTests {
    @Test(
        "a character becomes a similar ASCII character",
        arguments: [
            ("a", "a"), ("─", "-"), ("│", "|"), ("╭", "+"), ("┼", "+"), ("█", "#"), ("▌", "|"), ("⠿", "*"), ("→", ">"),
            ("…", "."),
            ("“", "\""), ("é", "e"), ("Ü", "U"), ("ÿ", "y"), ("×", "x"), ("漢", "?"), ("\u{A0}", " "), ("␛", "["),
        ])
    func nearest(sign: Unicode.Scalar, ascii: Unicode.Scalar) {
        #expect(ASCIISubstitute.of(sign.value) == ascii.value)
    }

    @Test("every substitute is printable")
    func printable() {
        for value in UInt32(0)...0x3FFFF {
            let substitute = ASCIISubstitute.of(value)
            if substitute < 0x20 || substitute > 0x7E { Issue.record("U+\(String(value, radix: 16))") }
        }
    }
}
