import Console
import Training

/// Follows a run on standard error: one line that changes, and below it what should be read.
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
        // Ten times a second are enough for eyes.
        let now = ContinuousClock.now
        guard isShown, progress.step == progress.steps || shownAt.duration(to: now) > .milliseconds(100) else { return }
        shownAt = now
        line.show(Self.text(progress))
    }

    func end() { line.end() }

    static func text(_ progress: TrainingProgress) -> String {
        var words = [
            Format.percent(Double(progress.step) / Double(max(1, progress.steps))),
            "step \(progress.step) of \(progress.steps)", "loss \(Format.fixed(progress.loss, digits: 4))",
        ]
        if let loss = progress.validationLoss { words.append("validation \(Format.fixed(loss, digits: 4))") }
        words.append("rate \(progress.rate)")
        words.append("\(Format.compact(Int(progress.unitsPerSecond)))/s")
        if progress.secondsLeft.isFinite, progress.secondsLeft > 0, progress.secondsLeft < 1e9 {
            words.append("\(Format.duration(nanoseconds: Int(progress.secondsLeft * 1e9))) left")
        }
        return words.joined(separator: "  ")
    }
}
