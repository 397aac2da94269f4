/// Control sequences that set and reset the terminal's modes.
package struct ScreenModes: Hashable, Sendable {
    package var mouse: Bool
    package var paste: Bool

    package init(mouse: Bool, paste: Bool) {
        self.mouse = mouse
        self.paste = paste
    }

    /// Sequence that turns on mouse reports (presses, releases, drags, and the wheel) and bracketed paste.
    package var entering: String {
        (mouse ? "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" : "") + (paste ? "\u{1B}[?2004h" : "")
    }

    /// Sequence that turns off all modes set by ``entering``.
    package var leaving: String {
        (mouse ? "\u{1B}[?1006l\u{1B}[?1003l\u{1B}[?1002l\u{1B}[?1000l" : "") + (paste ? "\u{1B}[?2004l" : "")
    }

    /// Returns the bytes to send after a crash. They are built in advance, because a signal handler can only write.
    ///
    /// - Parameter capability: Returns a string capability of the terminal by its terminfo name.
    package func restoring(synchronized: Bool, capability: (String) -> String?) -> String {
        var text = synchronized ? "\u{1B}[?2026l" : ""
        text += leaving
        for name in ["rmkx", "cnorm", "sgr0", "rmcup"] {
            text += Self.withoutPadding(capability(name) ?? "")
        }
        // Without an alternate screen, a line break keeps the prompt out of the last frame.
        return capability("rmcup") == nil ? text + "\r\n" : text
    }

    /// Removes terminfo's delays (`$<50>`), which only hardware terminals needed.
    package static func withoutPadding(_ text: String) -> String {
        var clean = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "$", rest.first == "<", let end = rest.firstIndex(of: ">") {
                rest = rest[rest.index(after: end)...]
            } else {
                clean.append(scalar)
            }
        }
        return String(clean)
    }
}
