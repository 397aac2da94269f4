import CommandSupport
import Console
import Formatting
import Glibc
import Presentation
import Training

/// Shows the progress of a run on standard error: on a terminal, one changing line with notes below; otherwise, one
/// line from time to time.
final class TrainingLine {
    private let line = StatusLine()
    private let isShown: Bool
    private var shownAt = ContinuousClock.now

    init(isShown: Bool) { self.isShown = isShown }

    func show(_ progress: TrainingProgress) {
        if let note = progress.note {
            line.end()
            Output.note("orrery: \(note)")
            return
        }
        guard isShown else { return }
        let now = ContinuousClock.now
        let waited = shownAt.duration(to: now)
        if Output.errorIsTerminal {
            // Ten updates per second are enough.
            guard progress.step == progress.steps || waited > .milliseconds(100) else { return }
            line.show(Self.text(progress, columns: Self.columns - 1))
        } else {
            guard waited > (progress.isEvaluated ? .seconds(5) : .seconds(60)) else { return }
            Output.note(Self.text(progress, columns: .max))
        }
        shownAt = now
    }

    func end() { line.end() }

    private static var columns: Int {
        var size = winsize()
        return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Returns as much as fits; the least important parts are dropped first.
    static func text(_ progress: TrainingProgress, columns: Int) -> String {
        let share = Format.progress(Double(progress.step) / Double(max(1, progress.steps)))
        let step = "step \(Format.count(progress.step, of: progress.steps))"
        let validation = progress.validationLoss.map { "validation \(Format.loss($0))" }
        let speed = Format.rate(progress.unitsPerSecond, progress.unit)
        var left: String?
        if progress.secondsLeft.isFinite, progress.secondsLeft > 0, progress.secondsLeft < 1e9 {
            left = "\(Format.duration(seconds: progress.secondsLeft)) left"
        }
        let words: [(text: String?, worth: Int)] = [
            (share, 2), (step, 4), ("loss \(Format.loss(progress.loss))", 6), (validation, 1),
            ("rate \(Format.compact(progress.rate))", 0), (speed, 3), (left, 5),
        ]
        var worth = 0
        while true {
            let text = words.filter { $0.worth >= worth }.compactMap(\.text).joined(separator: "  ")
            if text.count <= columns || worth >= 6 { return text }
            worth += 1
        }
    }
}
