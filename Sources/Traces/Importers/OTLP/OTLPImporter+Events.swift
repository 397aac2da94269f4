import JSON
import LanguageModels

extension OTLPImporter {
    /// Adds the events of a span of a file, but for those that are messages.
    mutating func takeEvents(
        _ events: JSONNode, _ span: JSONNode, _ record: RecordReference, of ordinal: Int, in trace: OTLPTrace,
        _ isKnown: Bool, _ assembly: inout TraceAssembly
    ) {
        let base = span.byteRange.lowerBound
        var found: [TraceEvent] = []
        for node in events.elements where node.kind == .object && EventKind(node["name"]) == nil {
            let range = node.byteRange
            found.append(
                TraceEvent(
                    ordinal: 0, span: ordinal, time: nanoseconds(node["timeUnixNano"]), kind: kind(node["name"]),
                    name: name(node["name"]),
                    record: RecordReference(
                        source: record.source, offset: record.offset + range.lowerBound - base, length: range.count)))
        }
        add(found, in: trace, isKnown, &assembly)
    }

    /// Adds the events of a span, but for those that it had when it was met before.
    mutating func add(
        _ events: [TraceEvent], in trace: OTLPTrace, _ isKnown: Bool, _ assembly: inout TraceAssembly
    ) {
        if isKnown, !events.isEmpty { trace.countEvents(assembly.traces[trace.place]) }
        var met: [OTLPEventSignature: Int] = [:]
        for event in events {
            let signature = OTLPEventSignature(event)
            if isKnown {
                met[signature, default: 0] += 1
                if let known = trace.events?[signature], known >= met[signature, default: 0] { continue }
            }
            if trace.events != nil { trace.events?[signature, default: 0] += 1 }
            assembly.append(event, to: trace.place)
        }
    }

    private mutating func name(_ node: JSONNode?) -> String {
        guard let raw = node?.rawString, raw.count > 0 else { return "event" }
        return raw.count <= 200 ? cache.name(raw) : String(decoding: raw.prefix(200), as: UTF8.self)
    }

    private func kind(_ name: JSONNode?) -> TraceEvent.Kind {
        if name?.equals("exception") == true { return .error }
        return name?.equals("gen_ai.evaluation.result") == true ? .evaluation : .other
    }

    /// Reads the log records that were met, now that the spans of this source are known.
    mutating func readLogs(_ assembly: inout TraceAssembly) {
        let kept = logs
        logs = []
        logBytes = 0
        let parser = JSONParser()
        for (bytes, record) in kept {
            // Each was parsed when it was met.
            _ = try? parser.parse(bytes) { log in take(log: log, record, &assembly) }
        }
    }

    private mutating func take(log: JSONNode, _ record: RecordReference, _ assembly: inout TraceAssembly) {
        guard let trace = trace(log["traceId"], create: false, &assembly) else { return }
        let list = log["attributes"]
        eventAttributes.read(list)
        let name = log["eventName"] ?? eventAttributes[.eventName]?.stringNode
        let call = log["spanId"]?.nonEmptyString.flatMap { trace.spans[OTLPTrace.key($0.lowercased())] }
        var time = nanoseconds(log["timeUnixNano"])
        if time == 0 { time = nanoseconds(log["observedTimeUnixNano"]) }
        if let call, assembly.traces[trace.place].spans[call].kind == .model {
            let span = assembly.traces[trace.place].spans[call]
            if name?.equals("gen_ai.client.inference.operation.details") == true {
                messages.read(eventAttributes, events: nil)
                if !messages.isEmpty, !trace.holders.contains(call) {
                    chain(messages, of: call, span, record, in: trace, &assembly)
                }
                return
            }
            if EventKind(name) != nil {
                if !trace.holders.contains(call), messages.read(event: name, list, body: log["body"]) {
                    chain(event: messages, of: call, at: time, record, in: trace, &assembly)
                }
                return
            }
        }
        let severity = log["severityNumber"]?.lenientInt ?? 0
        let known = kind(name)
        let event = TraceEvent(
            ordinal: 0, span: call, time: time, kind: known == .other && severity >= 17 ? .error : known,
            name: name?.nonEmptyString.map { String($0.prefix(200)) } ?? "log", record: record)
        trace.countEvents(assembly.traces[trace.place])
        // The same log record read again is the same event.
        guard trace.events?[OTLPEventSignature(event)] == nil else { return }
        trace.events?[OTLPEventSignature(event)] = 1
        assembly.append(event, to: trace.place)
    }
}

extension TraceEvent.Kind {
    /// Creates the kind of an event from its OpenTelemetry name.
    init(recorded name: String) {
        switch name {
        case "exception": self = .error
        case "gen_ai.evaluation.result": self = .evaluation
        default: self = .other
        }
    }
}
