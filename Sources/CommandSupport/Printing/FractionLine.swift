internal import Formatting

/// Progress of a long task on standard error: activity, completed share, and time left.
package final class FractionLine {
    private let title: String
    private let start = ContinuousClock.now
    private let line = StatusLine()

    package init(_ title: String) { self.title = title }

    package func show(_ fraction: Double, _ activity: String) {
        var text = "\(title) \(Format.progress(fraction))  \(activity)"
        let passed = start.duration(to: .now) / .seconds(1)
        if fraction > 0.02, fraction < 1 {
            text += "  \(Format.duration(seconds: passed / fraction * (1 - fraction))) left"
        }
        line.show(text)
    }

    package func end() { line.end() }
}
