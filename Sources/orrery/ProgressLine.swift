import Console
import Glibc
import Traces

/// A line on standard error that follows a long command: how far, how fast, how much longer. Silent without a terminal.
final class ProgressLine {
    private let title: String
    private var isDrawn = false
    private let isTerminal = Output.errorIsTerminal

    init(_ title: String) { self.title = title }

    func show(_ progress: ImportProgress) {
        guard isTerminal else { return }
        var text = "\r\u{1B}[2K\(title)"
        if progress.bytesTotal > 0 {
            text += " \(Format.percent(Double(progress.bytesDone) / Double(progress.bytesTotal)))"
        }
        text += "  \(Format.bytes(progress.bytesDone))"
        if progress.rate > 0 { text += "  \(Format.rate(bytesPerSecond: progress.rate))" }
        if let left = progress.secondsLeft {
            text += "  \(Format.duration(nanoseconds: Int(left * 1e9))) left"
        }
        draw(text)
        isDrawn = true
    }

    func end() {
        if isDrawn { draw("\r\u{1B}[2K") }
        isDrawn = false
    }

    private func draw(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
