import Glibc

/// A line on standard error that is overwritten and finally removed. Without a terminal, prints nothing.
package final class StatusLine {
    private var isDrawn = false
    private let isTerminal = Output.errorIsTerminal

    package init() {}

    package func show(_ text: String) {
        guard isTerminal else { return }
        draw("\r\u{1B}[2K" + text)
        isDrawn = true
    }

    package func end() {
        if isDrawn { draw("\r\u{1B}[2K") }
        isDrawn = false
    }

    private func draw(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
