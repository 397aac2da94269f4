internal import CTerminal
internal import Glibc
internal import System

extension Terminal {
    /// Shows a surface, sending only the changes since the previous one.
    public func present(_ surface: borrowing Surface) {
        // A failed write needs no report: the test that reads the file notices it.
        if let mirror { _ = SmallFile.replace(mirror, with: surface.cellDump.utf8) }
        guard painter.paint(surface) else { return }
        if let questions = queries.take(at: Self.now) { send(questions) }
    }

    /// Rings the bell.
    public func bell() { send("\u{7}") }

    /// Sets the title of the window; an empty title lets the terminal choose one.
    ///
    /// Control characters are removed. Terminals without titles receive nothing.
    public func setTitle(_ title: String) {
        guard TerminalFamily(type: type).isEmulator else { return }
        let clean = title.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }.prefix(200)
        let shown = isASCII ? clean.map { ASCIISubstitute.of($0.value) } : clean.map(\.value)
        var text = String.UnicodeScalarView()
        text.append(contentsOf: shown.compactMap(Unicode.Scalar.init))
        send("\u{1B}]2;\(String(text))\u{7}")
    }

    /// Copies text to the clipboard of the user's machine, even over SSH (OSC 52).
    ///
    /// Success is unknown: many terminals ask the user or need a setting, and tmux needs `set-clipboard on`.
    ///
    /// - Returns: `false` if nothing was sent because the text is too long for terminals.
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
