import JSON
import LanguageModels

extension ClaudeCodeImporter {
    /// A line that is neither a person's nor a model's: an event, and perhaps a name for the session.
    mutating func takeEvent(
        _ line: ClaudeCodeRecord, at moment: Moment, in session: ClaudeCodeSession, _ assembly: inout TraceAssembly
    ) {
        pass(line, in: session)
        if let type = line.type, line.title != nil { session.names.note(line, type: type) }
        var event = TraceEvent(ordinal: 0, time: moment.time, kind: .other, name: "", record: moment.record)
        switch line.kind {
        case .progress:
            event.kind = .progress
            event.name = name(line.data?["type"]) ?? "progress"
            if let trace = session.trace { place(line, &event, in: session, trace, &assembly) }
        case .system:
            event.name = name(line.subtype) ?? "system"
            event.kind = Self.kinds[event.name] ?? .housekeeping
        default:
            event.name = name(line.type) ?? "unknown"
            event.kind = Self.housekeeping.contains(event.name) ? .housekeeping : .other
        }
        guard let trace = session.trace else {
            if session.early.count < 100_000 { session.early.append(event) }
            return
        }
        if let agent = line.agentID?.nonEmptyString {
            let span = session.spans[Digest.of("agent:" + agent, seed: Seed.agent)]
            if event.span == nil { event.span = span }
            if let span { extend(agent: span, to: moment, in: session, trace, &assembly) }
        } else if line.kind == .progress || line.kind == .system, line.sessionID != nil {
            extend(agent: session.root, to: moment, in: session, trace, &assembly)
        }
        add(event, in: session, trace, &assembly)
    }

    /// System lines that are more than housekeeping.
    private static let kinds: [String: TraceEvent.Kind] = [
        "compact_boundary": .compaction, "microcompact_boundary": .compaction, "api_error": .error,
        "api_refusal": .error, "model_refusal_fallback": .error,
    ]

    /// Types of lines that the program around the model writes for itself.
    private static let housekeeping: Set<String> = [
        "file-history-snapshot", "queue-operation", "mode", "permission-mode", "attachment", "custom-title",
        "ai-title", "agent-name", "summary", "last-prompt", "worktree-state", "pr-link", "tag",
    ]

    private mutating func name(_ node: JSONNode?) -> String? {
        guard let raw = node?.rawString, raw.count > 0, raw.count <= 200 else { return nil }
        return cache.name(raw)
    }

    /// Puts a progress line below the tool call it belongs to, and learns from it which call started a sub-agent.
    private func place(
        _ line: ClaudeCodeRecord, _ event: inout TraceEvent, in session: ClaudeCodeSession, _ trace: Int,
        _ assembly: inout TraceAssembly
    ) {
        let call = line.parentToolUseID?.key(seed: Seed.tool)
        if let call {
            event.span = session.spans[call]
        }
        if event.span == nil, let own = line.toolUseID?.key(seed: Seed.tool) { event.span = session.spans[own] }
        if let call, let agent = line.data?["agentId"]?.nonEmptyString {
            self.link(agent: agent, to: call, trace, &assembly)
        }
    }

    /// Adds an event unless the workspace has it already.
    func add(_ event: TraceEvent, in session: ClaudeCodeSession, _ trace: Int, _ assembly: inout TraceAssembly) {
        if session.isResumed {
            let signature = EventSignature(event)
            if let count = session.storedEvents[signature], count > 0 {
                session.storedEvents[signature] = count - 1
                return
            }
        }
        assembly.append(event, to: trace)
    }

    /// Ties up what the order of the lines left open, and names the session.
    mutating func finish(_ session: ClaudeCodeSession, _ assembly: inout TraceAssembly) {
        guard let trace = session.trace else { return }
        for result in session.earlyResults {
            guard let span = session.spans[result.call] else {
                // A call that no line tells of cannot have failed; that something did is still worth a mark.
                if result.outcome.failed {
                    let event = TraceEvent(
                        ordinal: 0, time: result.time, kind: .error, name: "tool_result", record: result.record)
                    add(event, in: session, trace, &assembly)
                }
                continue
            }
            end(span, with: result.outcome, at: result.time, result.record, in: session, trace, &assembly)
        }
        session.earlyResults = []
        for (message, missing) in session.unlinkedMessages {
            guard case .message(let parent) = session.finalDestination(of: missing), parent < message else { continue }
            let span = assembly.update(message: message, of: trace) { entry in
                entry.previous = parent
                return entry.role == .assistant ? entry.span : nil
            }
            guard let span else { continue }
            assembly.update(span: span, of: trace) { if $0.inputHead == nil { $0.inputHead = parent } }
        }
        session.unlinkedMessages = []
        placeAgents(of: session, trace, &assembly)
        let name = session.names.best { session.lines[$0] != nil }
        assembly.describe(trace) { summary in
            if let name {
                summary.name = name
            } else if summary.name.isEmpty {
                summary.name = "session " + String(session.id.prefix(8))
            }
        }
    }

    /// Puts sub-agents below the calls that started them.
    private func placeAgents(of session: ClaudeCodeSession, _ trace: Int, _ assembly: inout TraceAssembly) {
        var waiting: [DeferredParent] = []
        for link in assembly.deferredParents {
            guard link.trace == trace, let agent = session.spans[link.child], let call = session.spans[link.parent]
            else {
                waiting.append(link)
                continue
            }
            let name = session.agentNames[link.parent]
            assembly.update(span: agent, of: trace) { span in
                span.parent = call
                if let name { span.name = name }
            }
        }
        guard waiting.count < assembly.deferredParents.count else { return }
        assembly.deferredParents = waiting
        assembly.breakCircles(in: trace)
        for span in assembly.traces[trace].spans where span.parent == nil && span.ordinal != session.root {
            assembly.update(span: span.ordinal, of: trace) { $0.parent = session.root }
        }
    }
}

/// What the arguments of a call say about the agent that it starts.
enum AgentName {
    static func of(_ input: JSONNode) -> String? {
        let kind = input["subagent_type"]?.nonEmptyString
        guard kind != nil || (input["prompt"] != nil && input["description"] != nil) else { return nil }
        let task = input["description"]?.nonEmptyString
        return [kind, task].compactMap { $0.map(SessionNames.oneLine) }.joined(separator: ": ")
    }
}

extension ClaudeCodeImporter {
    /// What a user's lines hold, and one answer a model call, however many lines it is written over.
    public static func messageCount(of trace: Trace) -> Int {
        trace.messages.lazy.filter { $0.role != .assistant }.count
            + trace.spans.lazy.filter { $0.kind == .model }.count
    }
}
