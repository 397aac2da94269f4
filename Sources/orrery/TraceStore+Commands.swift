import Console
import JSON
import Traces
import Workspace

extension TraceStore {
    /// An import that is on the list of jobs: cut off by kill -9, it shows there and can be taken up again.
    func importingAsJob(
        _ paths: [String], options: ImportOptions, progress: (ImportProgress) -> Void
    ) throws -> ImportReport {
        // What comes from standard input cannot come twice.
        guard !paths.contains("-") else { return try importTraces(paths, options: options, progress: progress) }
        let title = paths.count == 1 ? "import \(paths[0])" : "import \(paths.count) files and folders"
        let job = try workspace.jobs.start(Self.importJob, title: title, arguments: Self.importArguments(paths))
        do {
            let report = try importTraces(paths, options: options, job: job, progress: progress)
            try job.finish(result: report.json())
            return report
        } catch {
            job.fail("\(error)")
            throw error
        }
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
