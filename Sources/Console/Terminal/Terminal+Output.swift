internal import CTerminal
internal import Glibc

extension Terminal {
    /// Shows a surface: only what differs from the one before is sent.
    public func present(_ surface: borrowing Surface) {
        // A failed write needs no report: the test that reads the file sees what is missing.
        if let mirror { _ = SmallFile.replace(mirror, with: surface.cellDump.utf8) }
        guard painter.paint(surface) else { return }
        if let questions = queries.take(at: Self.now) { send(questions) }
    }

    /// Rings the bell.
    public func bell() { send("\u{7}") }

    /// Names the window; an empty title leaves it to the terminal.
    ///
    /// Control characters are left out, and a terminal without titles is left alone.
    public func setTitle(_ title: String) {
        guard Family(type: type).isEmulator else { return }
        let clean = title.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }.prefix(200)
        let shown = isASCII ? clean.map { ASCIISubstitute.of($0.value) } : clean.map(\.value)
        var text = String.UnicodeScalarView()
        text.append(contentsOf: shown.compactMap(Unicode.Scalar.init))
        send("\u{1B}]2;\(String(text))\u{7}")
    }

    /// Puts text on the clipboard of the person's own machine, also from afar (OSC 52).
    ///
    /// Whether the terminal allows it cannot be known: many ask the person or want a setting, tmux wants
    /// `set-clipboard on`.
    ///
    /// - Returns: false where the text is too long for terminals to take, and nothing was sent.
    @discardableResult
    public func copy(_ text: String) -> Bool {
        guard let sequence = Clipboard.sequence(for: text, passage: Clipboard.passage(type: type)) else { return false }
        cterminal_send(sequence, sequence.count)
        return true
    }

    func send(_ text: String) {
        guard !text.isEmpty else { return }
        var text = text
        text.withUTF8 { cterminal_send($0.baseAddress, $0.count) }
    }
}
