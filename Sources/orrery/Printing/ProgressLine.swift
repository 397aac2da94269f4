import Console
import Traces

/// A line on standard error that follows a long command: how far, how fast, how much longer.
final class ProgressLine {
    private let title: String
    private let line = StatusLine()

    init(_ title: String) { self.title = title }

    func show(_ progress: ImportProgress) {
        var text = title
        if progress.bytesTotal > 0 {
            text += " \(Format.progress(Double(progress.bytesDone) / Double(progress.bytesTotal)))"
        }
        text += "  \(Format.bytes(progress.bytesDone))"
        if progress.rate > 0 { text += "  \(Format.rate(bytesPerSecond: progress.rate))" }
        if let left = progress.secondsLeft {
            text += "  \(Format.duration(seconds: left)) left"
        }
        line.show(text)
    }

    func end() { line.end() }
}
