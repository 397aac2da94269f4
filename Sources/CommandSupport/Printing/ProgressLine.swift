import Console
import Formatting
package import Traces

/// Progress of an import on standard error: bytes, rate, and time left.
package final class ProgressLine {
    private let title: String
    private let line = StatusLine()

    package init(_ title: String) { self.title = title }

    package func show(_ progress: ImportProgress) {
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

    package func end() { line.end() }
}
