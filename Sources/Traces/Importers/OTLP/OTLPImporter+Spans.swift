import JSON
import LanguageModels

extension OTLPImporter {
    /// Reads a span of a file, in place; false if it has no ids.
    mutating func take(
        span node: JSONNode, _ record: RecordReference, _ service: JSONNode?, _ assembly: inout TraceAssembly
    ) -> Bool {
        guard let id = node["spanId"]?.nonEmptyString?.lowercased(),
            let trace = trace(node["traceId"], create: true, &assembly)
        else { return false }
        attributes.read(node["attributes"])
        let end = nanoseconds(node["endTimeUnixNano"])
        let head = SpanHead(
            id: id, parent: node["parentSpanId"]?.nonEmptyString?.lowercased(), name: node["name"].map { .plain($0) },
            start: nanoseconds(node["startTimeUnixNano"]), end: end > 0 ? end : nil, status: status(of: node))
        let events = node["events"]
        let (ordinal, isKnown) = take(head, messageEvents: events, record, in: trace, &assembly)
        if let events, events.count > 0 {
            takeEvents(events, node, record, of: ordinal, in: trace, isKnown, &assembly)
        }
        if let service, assembly.traces[trace.place].summary.project == nil, let name = service.nonEmptyString {
            assembly.describe(trace.place) { $0.project = name }
        }
        return true
    }

    /// Adds spans of this program.
    ///
    /// - Parameter document: Position of the same spans in a source.
    mutating func take(
        _ spans: [SpanRecord], _ document: OTLPDocument, source: Int64, _ assembly: inout TraceAssembly
    ) {
        for (span, place) in zip(spans, document.places) {
            guard let trace = trace(span.trace.lowercased(), create: true, &assembly) else { continue }
            attributes.read(span.attributes)
            let head = SpanHead(
                id: span.span.lowercased(), parent: span.parent?.lowercased(), name: .owned(.text(span.name)),
                start: max(0, span.start), end: span.end.flatMap { $0 > 0 ? $0 : nil }, status: span.status)
            let record = RecordReference(source, place.span)
            let (ordinal, isKnown) = take(head, messageEvents: nil, record, in: trace, &assembly)
            let events = zip(span.events, place.events).map { event, range in
                TraceEvent(
                    ordinal: 0, span: ordinal, time: max(0, event.time), kind: .init(recorded: event.name),
                    name: event.name.isEmpty ? "event" : event.name, record: RecordReference(source, range))
            }
            add(events, in: trace, isKnown, &assembly)
            if assembly.traces[trace.place].summary.project == nil {
                assembly.describe(trace.place) { $0.project = OTLPDocument.service }
            }
        }
        finish(&assembly)
    }

    /// Adds a span whose attributes were read, with its messages.
    private mutating func take(
        _ head: SpanHead, messageEvents: JSONNode?, _ record: RecordReference, in trace: OTLPTrace,
        _ assembly: inout TraceAssembly
    ) -> (ordinal: Int, isKnown: Bool) {
        let kind = SpanKind(attributes)
        var span = Span(
            ordinal: 0, kind: kind, name: name(head.name, kind), caption: caption(of: kind), start: head.start,
            end: head.end, externalID: head.id, records: [record])
        readOutcome(head.status, &span)
        readUsage(&span, assembly.prices)
        let key = OTLPTrace.key(head.id)
        let ordinal: Int
        let isKnown: Bool
        if let known = trace.spans[key] {
            isKnown = true
            ordinal = known
            span.ordinal = known
            // Links that other records made stay: messages from logs, a parent that this version does not name.
            assembly.update(span: known, of: trace.place) { old in
                span.inputHead = old.inputHead
                span.parent = old.parent
                span.missingParent = old.missingParent
                old = span
            }
        } else {
            isKnown = false
            ordinal = assembly.append(span, to: trace.place)
            trace.spans.set(key, ordinal)
        }
        setParent(head.parent, ofSpan: ordinal, key, in: trace, isKnown, &assembly)
        if span.kind == .model {
            messages.read(attributes, events: messageEvents)
            if !messages.isEmpty {
                let caption = messages.answerCaption
                assembly.update(span: ordinal, of: trace.place) { $0.caption = caption }
                trace.holders.insert(ordinal)
                chain(messages, of: ordinal, span, record, in: trace, &assembly)
            }
        }
        return (ordinal, isKnown)
    }

    /// Nanoseconds since 1970; 0 for what is missing, negative or no number.
    func nanoseconds(_ node: JSONNode?) -> Int64 { max(0, node?.lenientInt ?? 0) }

    private mutating func name(_ recorded: OTLPValue?, _ kind: SpanKind) -> String {
        let own: OTLPValue? =
            switch kind {
            case .tool: attributes[.toolName]
            case .agent: attributes[.agentName]
            default: nil
            }
        for candidate in [own, recorded] {
            if case .owned = candidate, let text = candidate?.string { return text }
            if let node = candidate?.stringNode, let raw = node.rawString, raw.count > 0 {
                if node.hasEscapes { return node.string ?? "" }
                return raw.count <= 200 ? cache.name(raw) : String(decoding: raw, as: UTF8.self)
            }
        }
        return kind.name
    }

    /// What a tool was asked, or what was looked for.
    private func caption(of kind: SpanKind) -> String? {
        switch kind {
        case .tool:
            guard let arguments = attributes[.toolArguments] ?? attributes[.inputValue] else { return nil }
            guard arguments.isString else { return Caption.of(arguments: arguments.text) }
            return messages.parse(arguments).flatMap { Caption.of(arguments: $0) } ?? Caption.of(arguments)
        case .retrieval, .reranker, .embedding:
            return (attributes[.query] ?? attributes[.inputValue]).flatMap { Caption.of(text: $0.text) }
        default: return nil
        }
    }

    /// Status and error: a status of 2, or an `error.type`.
    private func status(of node: JSONNode) -> SpanRecord.Status {
        let status = node["status"]
        let code = status?["code"]
        if code?.lenientInt == 2 || code?.equals("STATUS_CODE_ERROR") == true || attributes[.errorType]?.string != nil {
            return .error(status?["message"]?.nonEmptyString ?? exceptionText(node["events"]) ?? "")
        }
        return code?.lenientInt == 1 || code?.equals("STATUS_CODE_OK") == true ? .ok : .unset
    }

    private func readOutcome(_ status: SpanRecord.Status, _ span: inout Span) {
        let type = attributes[.errorType]?.string
        switch (status, type) {
        case (.error(let message), _) where !message.isEmpty:
            span.status = .error
            span.error = SessionNames.oneLine(message)
        case (.error, _), (_, .some):
            span.status = .error
            span.error = type.map(SessionNames.oneLine)
        case (.ok, _): span.status = .ok
        default: break
        }
    }

    private func exceptionText(_ events: JSONNode?) -> String? {
        guard let events else { return nil }
        for event in events.elements where event["name"]?.equals("exception") == true {
            guard let attributes = event["attributes"] else { continue }
            let value = OTLPValue.pairs(attributes)
            let texts = [value.member("exception.type")?.string, value.member("exception.message")?.string]
            let text = texts.compactMap { $0 }.joined(separator: ": ")
            if !text.isEmpty { return text }
        }
        return nil
    }

    /// Usage and cost. What was recorded as cost is believed before the price table.
    private mutating func readUsage(_ span: inout Span, _ prices: PriceTable) {
        let response = attributes[.responseModel]?.string
        let request = attributes[.requestModel]?.string
        if span.kind == .model || span.kind == .embedding || span.kind == .reranker { span.model = response ?? request }
        if attributes.rank(.inputTokens) != nil || attributes.rank(.outputTokens) != nil {
            span.usage = Usage(
                input: attributes.tokens(.inputTokens), cacheRead: attributes.tokens(.cacheReadTokens),
                cacheWrite: attributes.tokens(.cacheWriteTokens), output: attributes.tokens(.outputTokens),
                reasoning: attributes.tokens(.reasoningTokens))
        }
        func recorded(_ meaning: OTLPMeaning) -> Double? {
            attributes[meaning]?.double.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        }
        if let cost = recorded(.cost) {
            span.cost = cost
        } else if let input = recorded(.inputCost), let output = recorded(.outputCost) {
            span.cost = input + output
        } else if span.kind == .model || span.kind == .embedding, let usage = span.usage {
            span.cost =
                response.flatMap { prices.cost(of: usage, by: $0) }
                ?? request.flatMap { prices.cost(of: usage, by: $0) }
        }
    }

    private func setParent(
        _ id: String?, ofSpan ordinal: Int, _ key: UInt64, in trace: OTLPTrace, _ isKnown: Bool,
        _ assembly: inout TraceAssembly
    ) {
        guard let id, !id.isEmpty else { return }
        let parentKey = OTLPTrace.key(id)
        guard parentKey != key else { return }
        if let parent = trace.spans[parentKey] {
            if isKnown { trace.needsCycleCheck = true }
            assembly.update(span: ordinal, of: trace.place) {
                $0.parent = parent
                $0.missingParent = nil
            }
        } else {
            assembly.update(span: ordinal, of: trace.place) {
                $0.parent = nil
                $0.missingParent = id
            }
            assembly.deferredParents.append(DeferredParent(trace: trace.place, child: key, parent: parentKey))
        }
    }
}

/// A span's own fields, from an object of a file or from a record of this program.
private struct SpanHead {
    var id: String
    var parent: String?
    var name: OTLPValue?
    var start: Int64
    var end: Int64?
    var status: SpanRecord.Status
}

extension RecordReference {
    fileprivate init(_ source: Int64, _ range: Range<Int>) {
        self.init(source: source, offset: range.lowerBound, length: range.count)
    }
}
