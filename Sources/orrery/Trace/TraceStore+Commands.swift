import Console
import JSON
import Traces
import Workbench
import Workspace

extension TraceStore {
    /// Builds the full-text index as a job, so that it shows on the list and can be taken up again.
    func indexTextAsJob() throws -> TextIndexReport {
        var report = TextIndexReport()
        try workspace.jobs.run(Self.textIndexJob, title: "index texts") { job in
            report = try indexText(job: job)
            return report.json()
        }
        return report
    }

    /// The whole trace that a reference on the command line means.
    func loaded(_ reference: String) throws -> Trace {
        let summary = try find(reference)
        guard let trace = try trace(summary.id) else { throw Failure("\(reference): the trace is gone.") }
        return trace
    }
}

extension PriceTable {
    /// The prices that the settings name, else the built-in ones.
    static func settings(_ settings: Settings) throws -> PriceTable {
        guard let path = settings.prices else { return .builtIn }
        return try PriceTable(toml: SmallFile.text(path), path: path)
    }
}

extension TraceOrder {
    /// `start`, `-tokens`: a column, with a minus for the largest first.
    init?(parsing text: String) {
        let isDescending = text.hasPrefix("-")
        guard let column = Column(rawValue: String(isDescending ? text.dropFirst() : text[...])) else { return nil }
        self.init(column, isDescending: isDescending)
    }

    static var names: [String] { Column.allCases.map(\.rawValue) }
}
