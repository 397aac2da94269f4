internal import GRDB
internal import Workspace

extension TraceStore {
    /// Stores spans of this program in one transaction. A span recorded again replaces what it was.
    ///
    /// The archive holds each list of spans as one line of OTLP/JSON, so that an export of it is a file that any program
    /// can read. Rows come from the records themselves.
    ///
    /// - Parameters:
    ///   - origin: Origin of new runs; runs already in the workspace keep theirs.
    ///   - project: Project of the runs; `nil` takes the service, orrery.
    public func record(_ spans: [[SpanRecord]], origin: TraceOrigin, project: String? = nil) throws {
        try record(spans, options: ImportOptions(origin: origin, project: project))
    }

    func record(_ spans: [[SpanRecord]], options: ImportOptions) throws {
        let document = OTLPDocument(spans)
        try workspace.bulkWrite { db in
            let writer = try UnitWriter(db, options: options, lane: CompressionLane(beside: false))
            try writer.write(document.bytes) { importer, source, assembly in
                importer.take(Array(spans.joined()), document, source: source, &assembly)
            }
        }
    }
}
