import JSON
import LanguageModels

extension ClaudeCodeImporter {
    /// The trace of a session, begun or loaded with its first line of conversation.
    mutating func open(
        _ session: ClaudeCodeSession, at moment: Moment, _ assembly: inout TraceAssembly
    ) -> Int {
        if let trace = session.trace { return trace }
        let trace = assembly.trace(session.id)
        session.trace = trace
        if assembly.traces[trace].spans.isEmpty {
            session.root = assembly.append(
                Span(
                    ordinal: 0, kind: .agent, name: "Claude Code", start: moment.time, end: moment.time,
                    externalID: session.id),
                to: trace)
        } else {
            resume(session, assembly.traces[trace])
        }
        let early = session.early
        session.early = []
        for event in early { add(event, in: session, trace, &assembly) }
        return trace
    }

    /// Learns what the workspace has of a session.
    private func resume(_ session: ClaudeCodeSession, _ trace: Trace) {
        session.isResumed = true
        session.projectIsKnown = trace.summary.project != nil
        session.root = trace.spans.first { $0.kind == .agent && $0.parent == nil }?.ordinal ?? 0
        for span in trace.spans {
            switch span.kind {
            case .model: session.spans.set(Digest.of(span.externalID, seed: Seed.model), span.ordinal)
            case .tool: session.spans.set(Digest.of(span.externalID, seed: Seed.tool), span.ordinal)
            default: session.spans.set(Digest.of(span.externalID, seed: Seed.agent), span.ordinal)
            }
        }
        for message in trace.messages {
            var turn: Int?
            if message.role == .assistant {
                turn = message.span
            } else if message.role == .tool, let previous = message.previous, session.turn[previous] >= 0 {
                turn = Int(session.turn[previous])
            }
            session.note(message: message.ordinal, turn: turn)
            guard message.key != 0 else { continue }
            session.messages.set(message.key, message.ordinal)
            let line = message.role == .assistant ? message.key ^ Seed.assistant : message.key
            if line != 0 { session.lines.set(line, message.ordinal) }
        }
        for event in trace.events { session.storedEvents[EventSignature(event), default: 0] += 1 }
    }

    /// The agent that a line belongs to: the sub-agent it names, or the session's own.
    mutating func agent(
        of line: ClaudeCodeRecord, at moment: Moment, in session: ClaudeCodeSession, _ trace: Int,
        _ assembly: inout TraceAssembly
    ) -> Int {
        guard let id = line.agentID, id.key() != nil else { return session.root }
        let name = "agent:" + (id.string ?? "")
        let key = Digest.of(name, seed: Seed.agent)
        if let known = session.spans[key] { return known }
        let span = assembly.append(
            Span(
                ordinal: 0, parent: session.root, kind: .agent, name: "sub-agent", start: moment.time, end: moment.time,
                externalID: name, records: [moment.record]),
            to: trace)
        session.spans.set(key, span)
        return span
    }

    /// Widens an agent's time to take in a line, and the root's with it.
    func extend(
        agent: Int, to moment: Moment, in session: ClaudeCodeSession, _ trace: Int, _ assembly: inout TraceAssembly
    ) {
        guard moment.isKnown else { return }
        func widen(_ span: inout Span) {
            if span.start == 0 || moment.time < span.start { span.start = moment.time }
            if moment.time > span.end ?? 0 { span.end = moment.time }
        }
        assembly.update(span: agent, of: trace, widen)
        if agent != session.root { assembly.update(span: session.root, of: trace, widen) }
    }

    /// The model call of an assistant's line, begun with its first.
    mutating func modelCall(
        _ message: JSONNode?, _ line: ClaudeCodeRecord, at moment: Moment, parent agent: Int, answering head: Int?,
        in session: ClaudeCodeSession, _ trace: Int, _ assembly: inout TraceAssembly
    ) -> Int {
        let id = message?["id"]
        let known = id?.key(seed: Seed.model) ?? line.uuid?.key(seed: Seed.model)
        let key = known ?? Digest.of(line.node.source, seed: Seed.model &+ UInt64(moment.record.offset))
        if let span = session.spans[key] { return span }
        let model = message?["model"]?.rawString.flatMap { $0.isEmpty ? nil : cache.name($0) }
        var start = moment.time
        if let head {
            let asked = assembly.traces[trace].messages[head].time
            if asked > 0, asked < start || !moment.isKnown { start = asked }
        }
        let externalID = id?.nonEmptyString ?? line.uuid?.nonEmptyString ?? "line@\(moment.record.offset)"
        let span = assembly.append(
            Span(
                ordinal: 0, parent: agent, kind: .model, status: .ok, name: model ?? "model", start: start,
                end: moment.time, model: model, externalID: externalID, inputHead: head),
            to: trace)
        session.spans.set(key, span)
        return span
    }

    /// Notes a line of a model call: its time, its usage so far, and whether it is the provider's error.
    func continueCall(
        _ call: Int, with message: JSONNode?, _ line: ClaudeCodeRecord, at moment: Moment,
        in session: ClaudeCodeSession, _ trace: Int, _ assembly: inout TraceAssembly
    ) {
        let prices = assembly.prices
        let mayBeKnown = session.isResumed
        assembly.update(span: call, of: trace) { span in
            if moment.isKnown, moment.time > span.end ?? 0 { span.end = moment.time }
            if !mayBeKnown || !span.records.contains(moment.record) { span.records.append(moment.record) }
            if let usage = message?["usage"], usage.kind == .object {
                let figures = ClaudeCodeUsage(usage)
                span.usage = figures.usage
                span.cost = span.model.flatMap {
                    prices.cost(of: figures.usage, by: $0, longCacheWrite: figures.longCacheWrite)
                }
            }
            if span.caption == nil { span.caption = message?["content"].flatMap(Self.caption) }
            if line.isAPIError {
                span.status = .error
                if span.error == nil { span.error = message?["content"].flatMap(ResultText.firstLine) }
            }
        }
    }

    /// Returns the start of a generation: its first text, or its first tool call.
    private static func caption(of content: JSONNode) -> String? {
        guard content.kind == .array else { return Caption.of(text: content) }
        for block in content.elements where block["type"]?.equals("text") == true {
            if let caption = block["text"].flatMap(Caption.of(text:)) { return caption }
        }
        for block in content.elements where block["type"]?.equals("tool_use") == true {
            let argument = block["input"].flatMap(Caption.of(arguments:)).map { " \($0)" } ?? ""
            return block["name"]?.string.map { "→ \($0)\(argument)" }
        }
        return nil
    }

    /// The tool call of a `tool_use` block, begun when it is first met.
    mutating func toolCall(
        _ block: JSONNode, key: UInt64, id: @autoclosure () -> String, at moment: Moment, parent agent: Int,
        in session: ClaudeCodeSession, _ trace: Int, _ assembly: inout TraceAssembly
    ) {
        if session.spans[key] != nil { return }
        let name = block["name"]?.rawString.flatMap { $0.isEmpty ? nil : cache.name($0) }
        let span = assembly.append(
            Span(
                ordinal: 0, parent: agent, kind: .tool, name: name ?? "tool",
                caption: block["input"].flatMap(Caption.of(arguments:)), start: moment.time, externalID: id(),
                records: [moment.record]),
            to: trace)
        session.spans.set(key, span)
    }

    /// Ends a tool call with its result. Of several results, one that failed decides.
    func end(
        _ call: Int, with outcome: ToolOutcome, at time: Int64, _ record: RecordReference,
        in session: ClaudeCodeSession, _ trace: Int, _ assembly: inout TraceAssembly
    ) {
        let mayBeKnown = session.isResumed
        assembly.update(span: call, of: trace) { span in
            span.end = max(time, span.end ?? time, span.start)
            if outcome.failed {
                span.status = .error
                if span.error == nil { span.error = outcome.error }
            } else if span.status != .error {
                span.status = .ok
            }
            if span.records.last != record, !mayBeKnown || !span.records.contains(record) {
                span.records.append(record)
            }
        }
    }

    typealias Seed = ClaudeCodeSession.Seed
}

/// The usage of a generation. Anthropic counts cached input separately; here it is included.
struct ClaudeCodeUsage {
    var usage: Usage
    /// Of the cache that was written, what lives for an hour.
    var longCacheWrite: Int

    init(_ node: JSONNode) {
        let fresh = tokens(node["input_tokens"]?.int)
        let written = tokens(node["cache_creation_input_tokens"]?.int)
        let read = tokens(node["cache_read_input_tokens"]?.int)
        usage = Usage(
            input: fresh + written + read, cacheRead: read, cacheWrite: written,
            output: tokens(node["output_tokens"]?.int))
        longCacheWrite = tokens(node["cache_creation"]?["ephemeral_1h_input_tokens"]?.int)
    }
}

/// A number of tokens as a call may have used it; 0 for a negative one, for none, and for one beyond 10^12, which only
/// a damaged file holds and which sums could not bear.
func tokens(_ figure: Int64?) -> Int {
    guard let figure, figure > 0, figure <= 1_000_000_000_000 else { return 0 }
    return Int(figure)
}
