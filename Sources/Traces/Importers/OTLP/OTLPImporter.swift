import JSON
import LanguageModels

/// Reads OTLP/JSON as written by OpenTelemetry collectors and SDKs: one object, an array of objects, or one object per
/// line.
///
/// - A trace is a `traceId`, a span a `spanId` in it, in lower case. A span met again replaces what it was; parents may
///   come later, in another file too.
/// - Attributes are understood by the tables of `OTLPMeaning`: current and older `gen_ai.*`, OpenInference, the Vercel
///   AI SDK, LangSmith, MCP.
/// - The messages of model calls are chained. A call usually repeats what the previous call read and generated: an
///   entry is recognized by a digest of everything said up to it, so a conversation is stored once, however many calls
///   repeat it. Input tokens include cached ones in all of these conventions.
/// - Log records that belong to a span give it the messages that it does not hold itself, or are its events. Those of
///   traces without a span are left out.
public struct OTLPImporter: TraceImporter {
    public static let format = "otlp"

    var traces: [OTLPTrace] = []
    var traceByKey = KeyTable()
    var attributes = OTLPAttributes()
    var eventAttributes = OTLPAttributes()
    let messages = OTLPMessages()
    var cache = NameCache()
    /// Log records whose spans may follow them: bytes, in place.
    var logs: [(bytes: [UInt8], record: RecordReference)] = []
    var logBytes = 0
    /// Conversations that the log records of this source tell.
    var logChains: [LogChain.Place: LogChain] = [:]
    /// What the source could not use, to be counted when its records are through.
    var rejected: [SkippedRecord] = []

    public init() {}

    public static func recognizes(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
        FormatProbe(head).objects.first?.hasAny(of: ["resourceSpans", "resourceLogs"]) == true
    }

    public mutating func read(
        _ source: inout TraceSource, into assembly: inout TraceAssembly
    ) throws(ImportError) {
        rejected = []
        logChains = [:]
        let isStrict = source.isStrict
        let path = source.path
        try source.forEachRecord(.automatic) { (node, record, line) throws(ImportError) in
            take(envelope: node, record, line, &assembly)
            // A strict reading ends at the first record it cannot use, not at the end of the file.
            if isStrict, let first = rejected.first { throw ImportError(rejected: first, path: path) }
        }
        for skipped in rejected {
            try source.skip(line: skipped.line, offset: skipped.offset, reason: skipped.reason)
        }
        readLogs(&assembly)
        finish(&assembly)
    }

    private mutating func take(
        envelope: JSONNode, _ record: RecordReference, _ line: Int, _ assembly: inout TraceAssembly
    ) {
        let resources = envelope["resourceSpans"]
        let resourceLogs = envelope["resourceLogs"]
        if resources == nil, resourceLogs == nil {
            let reason = "has neither resourceSpans nor resourceLogs"
            rejected.append(SkippedRecord(line: line, offset: record.offset, reason: reason))
            return
        }
        resources?.forEachElement { resource in
            let service = resource["resource"]?["attributes"].flatMap { Self.service($0) }
            resource["scopeSpans"]?.forEachElement { scope in
                scope["spans"]?.forEachElement { span in
                    guard span.kind == .object else { return }
                    let place = record.place(of: span)
                    if !take(span: span, place, service, &assembly) {
                        let reason = "has a span without traceId or spanId"
                        rejected.append(SkippedRecord(line: line, offset: place.offset, reason: reason))
                    }
                }
            }
        }
        resourceLogs?.forEachElement { resource in
            resource["scopeLogs"]?.forEachElement { scope in
                scope["logRecords"]?.forEachElement { log in
                    guard log["traceId"]?.nonEmptyString != nil else { return }
                    logs.append((Array(log.source), record.place(of: log)))
                    logBytes += log.byteRange.count
                    if logBytes > 32 << 20 { readLogs(&assembly) }
                }
            }
        }
    }

    private static func service(_ attributes: JSONNode) -> JSONNode? {
        for pair in attributes.elements where pair["key"]?.equals("service.name") == true {
            return pair["value"]?["stringValue"]
        }
        return nil
    }

    /// The state of a trace; begun if `create`, else `nil` for one that neither the assembly nor the workspace has.
    mutating func trace(
        _ id: JSONNode?, create: Bool, _ assembly: inout TraceAssembly
    ) -> OTLPTrace? {
        // The id as it is written is looked up first: its case seldom changes within a file.
        guard let node = id, let written = node.key() else { return nil }
        if let place = traceByKey[written] { return traces[place] }
        guard let id = node.string?.lowercased(), let trace = trace(id, create: create, &assembly) else { return nil }
        if let place = traceByKey[Digest.of(id)] { traceByKey.set(written, place) }
        return trace
    }

    /// Returns the state of the trace with an ID in lowercase.
    mutating func trace(_ id: String, create: Bool, _ assembly: inout TraceAssembly) -> OTLPTrace? {
        let key = Digest.of(id)
        if let place = traceByKey[key] { return traces[place] }
        guard let place = create ? assembly.trace(id) : assembly.existingTrace(id) else { return nil }
        let trace = OTLPTrace(place: place, assembly.traces[place])
        for span in assembly.traces[place].spans {
            guard let parent = span.missingParent else { continue }
            assembly.deferredParents.append(
                DeferredParent(trace: place, child: OTLPTrace.key(span.externalID), parent: OTLPTrace.key(parent)))
        }
        traceByKey.set(key, traces.count)
        traces.append(trace)
        return trace
    }

    /// Sets the parents that came behind their children, and names the traces.
    mutating func finish(_ assembly: inout TraceAssembly) {
        var byPlace: [Int: OTLPTrace] = [:]
        for trace in traces { byPlace[trace.place] = trace }
        var waiting: [DeferredParent] = []
        for link in assembly.deferredParents {
            guard let trace = byPlace[link.trace], let child = trace.spans[link.child] else {
                waiting.append(link)
                continue
            }
            guard let parent = trace.spans[link.parent], parent != child else { continue }
            trace.needsCycleCheck = true
            assembly.update(span: child, of: link.trace) {
                $0.parent = parent
                $0.missingParent = nil
            }
        }
        assembly.deferredParents = waiting
        for trace in traces {
            if trace.needsCycleCheck { assembly.breakCircles(in: trace.place) }
            trace.needsCycleCheck = false
            nameTrace(trace, &assembly)
        }
    }

    /// Names a trace after its root span, and after its first agent if that is another one.
    private func nameTrace(_ trace: OTLPTrace, _ assembly: inout TraceAssembly) {
        let spans = assembly.traces[trace.place].spans
        guard
            let root = spans.lazy.filter({ $0.parent == nil }).min(by: {
                ($0.start, $0.ordinal) < ($1.start, $1.ordinal)
            })
        else { return }
        var name = SessionNames.oneLine(root.name)
        if root.kind != .agent, let agent = spans.first(where: { $0.kind == .agent }), !name.contains(agent.name) {
            name += " · " + SessionNames.oneLine(agent.name)
        }
        assembly.describe(trace.place) { $0.name = name.isEmpty ? $0.externalID : name }
    }
}

extension RecordReference {
    /// Where a part of this record lies.
    func place(of node: JSONNode) -> RecordReference {
        let range = node.byteRange
        return RecordReference(source: source, offset: offset + range.lowerBound, length: range.count)
    }
}
