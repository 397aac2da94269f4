import JSON
import LanguageModels

extension OTLPImporter {
    /// Reads a span; false if it has no ids.
    mutating func take(
        span node: JSONNode, _ record: RecordReference, _ service: JSONNode?, _ assembly: inout TraceAssembly
    ) -> Bool {
        guard let id = node["spanId"]?.nonEmptyString?.lowercased(),
            let trace = trace(node["traceId"], create: true, &assembly)
        else { return false }
        let list = node["attributes"]
        attributes.read(list)
        var span = Span(
            ordinal: 0, kind: SpanKind(attributes, list), name: "", start: nanoseconds(node["startTimeUnixNano"]),
            externalID: id, records: [record])
        let end = nanoseconds(node["endTimeUnixNano"])
        if end > 0 { span.end = end }
        span.name = name(of: node, span.kind)
        span.caption = caption(of: span.kind)
        readOutcome(of: node, &span)
        readUsage(&span, assembly.prices)
        let key = OTLPTrace.key(id)
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
        setParent(node["parentSpanId"], ofSpan: ordinal, key, in: trace, isKnown, &assembly)
        let events = node["events"]
        if span.kind == .model {
            messages.read(attributes, events: events)
            if !messages.isEmpty {
                let caption = messages.answerCaption
                assembly.update(span: ordinal, of: trace.place) { $0.caption = caption }
                trace.holders.insert(ordinal)
                chain(messages, of: ordinal, span, record, in: trace, &assembly)
            }
        }
        if let events, events.count > 0 {
            takeEvents(events, node, record, of: ordinal, in: trace, isKnown, &assembly)
        }
        if let service, assembly.traces[trace.place].summary.project == nil, let name = service.nonEmptyString {
            assembly.describe(trace.place) { $0.project = name }
        }
        return true
    }

    /// Nanoseconds since 1970; 0 for what is missing, negative or no number.
    func nanoseconds(_ node: JSONNode?) -> Int64 { max(0, node?.lenientInt ?? 0) }

    private mutating func name(of node: JSONNode, _ kind: SpanKind) -> String {
        let own: OTLPValue? =
            switch kind {
            case .tool: attributes[.toolName]
            case .agent: attributes[.agentName]
            default: nil
            }
        for candidate in [own?.stringNode, node["name"]] {
            if let raw = candidate?.rawString, raw.count > 0 {
                if candidate!.hasEscapes { return candidate!.string ?? "" }
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
            guard let text = arguments.stringNode else { return Caption.of(arguments: arguments.text) }
            return messages.parse(text).flatMap { Caption.of(arguments: $0) } ?? Caption.of(text: text)
        case .retrieval, .reranker, .embedding:
            return (attributes[.query] ?? attributes[.inputValue]).flatMap { Caption.of(text: $0.text) }
        default: return nil
        }
    }

    /// Status and error: a status of 2, or an `error.type`.
    private func readOutcome(of node: JSONNode, _ span: inout Span) {
        let status = node["status"]
        let code = status?["code"]
        let type = attributes[.errorType]?.string
        if code?.lenientInt == 2 || code?.equals("STATUS_CODE_ERROR") == true || type != nil {
            span.status = .error
            let text = status?["message"]?.nonEmptyString ?? exceptionText(node["events"]) ?? type
            span.error = text.map(SessionNames.oneLine)
        } else if code?.lenientInt == 1 || code?.equals("STATUS_CODE_OK") == true {
            span.status = .ok
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
        _ node: JSONNode?, ofSpan ordinal: Int, _ key: UInt64, in trace: OTLPTrace, _ isKnown: Bool,
        _ assembly: inout TraceAssembly
    ) {
        guard let id = node?.nonEmptyString?.lowercased() else { return }
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
