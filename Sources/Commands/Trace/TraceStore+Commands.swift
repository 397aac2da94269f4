import CommandSupport
package import Console
import JSON
import Presentation
import System
package import Traces
import Workspace

extension TraceStore {
    /// Builds the full-text index as a job, so that it is listed with the jobs and can be resumed.
    func indexTextAsJob() throws -> TextIndexReport {
        var report = TextIndexReport()
        try workspace.jobs.run(Self.textIndexJob, title: "index texts") { job in
            report = try indexText(job: job)
            return report.json()
        }
        return report
    }

    /// Returns the whole trace for a reference on the command line.
    func loaded(_ reference: String) throws -> Trace {
        let summary = try find(reference)
        guard let trace = try trace(summary.id) else {
            throw Problem(
                .missing, reference, "the trace was deleted", remedy: "To list traces, run: orrery trace list")
        }
        return trace
    }
}

extension PriceTable {
    /// Returns the prices named in the settings, or else the built-in prices.
    package static func settings(_ settings: Settings) throws -> PriceTable {
        guard let path = settings.prices else { return .builtIn }
        return try PriceTable(toml: SmallFile.text(path), path: path)
    }
}

extension TraceOrder {
    /// Parses a column, such as `start`; a minus (`-tokens`) sorts the largest first.
    init?(parsing text: String) {
        let isDescending = text.hasPrefix("-")
        guard let column = Column(rawValue: String(isDescending ? text.dropFirst() : text[...])) else { return nil }
        self.init(column, isDescending: isDescending)
    }

    static var names: [String] { Column.allCases.map(\.rawValue) }
}
