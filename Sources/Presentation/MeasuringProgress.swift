package import Console
internal import Formatting
package import KernelLab
internal import Synchronization
package import Workspace

/// Progress of a measurement, written by the measuring thread and read by the drawing thread.
///
/// Each report of a job redraws the screen, so no timer is needed.
package final class MeasuringProgress: Sendable {
    /// A report, with the seconds since the first report.
    package struct Report: Hashable, Sendable {
        package var progress: MeasurementProgress
        package var elapsed: Double

        package init(_ progress: MeasurementProgress, elapsed: Double) {
            self.progress = progress
            self.elapsed = elapsed
        }

        /// Estimated seconds left; `nil` if it is too early to tell.
        package var left: Double? {
            guard progress.fraction > 0.03, elapsed > 0.2 else { return nil }
            return elapsed * (1 - progress.fraction) / progress.fraction
        }

        /// `312 samples/s`, `9 s left`.
        package var details: [String] {
            var details: [String] = []
            if progress.samples > 0, elapsed > 0.2 {
                details.append(Format.rate(Double(progress.samples) / elapsed, "samples"))
            }
            if let left { details.append("\(Format.duration(seconds: left)) left") }
            return details
        }
    }

    private struct State {
        var began: ContinuousClock.Instant?
        package var report: Report?
    }

    private let state = Mutex(State())

    package init() {}

    /// The last report; `nil` before the first one and after the end.
    package var report: Report? { state.withLock { $0.report } }

    package func tell(_ progress: MeasurementProgress, _ job: JobHandle) {
        let now = ContinuousClock.now
        state.withLock { state in
            let began = state.began ?? now
            state.began = began
            let (seconds, attoseconds) = began.duration(to: now).components
            state.report = Report(progress, elapsed: Double(seconds) + Double(attoseconds) * 1e-18)
        }
        job.report(done: Int64(progress.fraction * 100), of: 100, unit: "%")
    }

    package func end() { state.withLock { $0.report = nil } }
}

/// A measurement in progress: the title of its job, and its progress.
package struct Measuring: Sendable {
    package var title: String
    package let progress = MeasuringProgress()

    /// Number of lines that `draw` needs.
    package static let rows = 2

    /// Creates a measurement that has not reported progress yet.
    package init(title: String) { self.title = title }

    /// Draws the title, progress, rate, and remaining time of the measurement, and the key that cancels it.
    package func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard area.rows > 0 else { return }
        let report = progress.report
        ProgressBar(title, fraction: report?.progress.fraction ?? 0, details: report?.details ?? [], barColumns: 16)
            .draw(
                into: &surface, in: Rect(column: area.column, row: area.row, columns: area.columns, rows: 1),
                theme: theme)
        guard area.rows > 1 else { return }
        let line = StyledLine([
            .init("x", .key), .init(" cancels   ", .dim), .init(report?.progress.activity ?? "", .dim),
        ])
        surface.put(line, at: Point(column: area.column, row: area.row + 1), theme: theme, width: area.columns)
    }
}
