import Console
import Glibc
import Training

/// Follows a run on standard error: one line that changes, and below it what should be read. Without a terminal a line
/// now and then.
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
            // Ten times a second are enough for eyes.
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

    /// As much as fits: what can be spared goes first.
    static func text(_ progress: TrainingProgress, columns: Int) -> String {
        let share = Format.percent(Double(progress.step) / Double(max(1, progress.steps)))
        let step = "step \(Format.count(progress.step)) of \(Format.count(progress.steps))"
        let validation = progress.validationLoss.map { "validation \(TrainingNumber.loss($0))" }
        let speed = "\(Format.compact(Int(progress.unitsPerSecond))) \(progress.unit)/s"
        var left: String?
        if progress.secondsLeft.isFinite, progress.secondsLeft > 0, progress.secondsLeft < 1e9 {
            left = "\(Format.duration(nanoseconds: Int(progress.secondsLeft * 1e9))) left"
        }
        let words: [(text: String?, worth: Int)] = [
            (share, 2), (step, 4), ("loss \(TrainingNumber.loss(progress.loss))", 6), (validation, 1),
            ("rate \(TrainingNumber.short(progress.rate))", 0), (speed, 3), (left, 5),
        ]
        var worth = 0
        while true {
            let text = words.filter { $0.worth >= worth }.compactMap(\.text).joined(separator: "  ")
            if text.count <= columns || worth >= 6 { return text }
            worth += 1
        }
    }
}

/// Numbers of a run as people read them.
enum TrainingNumber {
    /// `0.5061`; `1.81e+35` where decimals say nothing.
    static func loss(_ value: Double) -> String {
        value.isFinite && abs(value) >= 1e6 ? short(value) : Format.fixed(value, digits: 4)
    }

    /// A place on an axis of steps, of which other programs may say anything.
    static func step(_ value: Double) -> String {
        value.magnitude < 1e15 ? String(Int(value.rounded())) : short(value)
    }

    /// Three digits: `0.00025`, `3.2e-06`.
    static func short(_ value: Double) -> String {
        var text = [CChar](repeating: 0, count: 32)
        _ = withVaList([value]) { vsnprintf(&text, text.count, "%.3g", $0) }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
