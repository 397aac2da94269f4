import JSON
import LanguageModels

extension ClaudeCodeImporter {
    /// A line of type `user`: what a person or the program wrote, or the results of tools.
    mutating func takeUser(
        _ line: ClaudeCodeRecord, at moment: Moment, in session: ClaudeCodeSession, _ trace: Int,
        _ assembly: inout TraceAssembly
    ) {
        let agent = agent(of: line, at: moment, in: session, trace, &assembly)
        extend(agent: agent, to: moment, in: session, trace, &assembly)
        let content = line.message?["content"]
        var entry = MessageEntry(
            ordinal: 0, role: .user, time: moment.isKnown ? moment.time : 0, record: moment.record)
        var call: Int?
        var toolResults = 0
        if let content, content.kind == .array {
            var index = 0
            content.forEachElement { block in
                MessageMeasure.add(block, to: &entry.extent)
                if block["type"]?.equals("tool_result") == true {
                    toolResults += 1
                    let span = takeResult(block, line, at: moment, in: session, trace, &assembly)
                    if call == nil { call = span }
                }
                index += 1
            }
        } else if let content {
            entry.extent.text = content.utf8Length
        }
        if toolResults > 0 {
            entry.role = .tool
            entry.span = call
        }
        if line.isMeta { entry.marks.insert(.injected) }
        if line.isCompactSummary { entry.marks.insert(.compaction) }
        let key = line.uuid?.key(seed: Seed.uuid) ?? lineKey(line, moment)
        let parent = parent(of: line, in: session)
        let message = link(entry, key: key, line, to: parent, turn: nil, in: session, trace, &assembly)
        if !session.projectIsKnown, let folder = line.cwd?.nonEmptyString {
            session.projectIsKnown = true
            assembly.describe(trace) { if $0.project == nil { $0.project = folder } }
        }
        guard message != nil, session.names.needsPrompt, toolResults == 0, agent == session.root, let content,
            !line.isMeta, !line.isCompactSummary, !line.isSidechain
        else { return }
        session.names.note(prompt: content)
    }

    /// A line of type `assistant`: one or several blocks of a model's answer.
    mutating func takeAssistant(
        _ line: ClaudeCodeRecord, at moment: Moment, in session: ClaudeCodeSession, _ trace: Int,
        _ assembly: inout TraceAssembly
    ) {
        let agent = agent(of: line, at: moment, in: session, trace, &assembly)
        extend(agent: agent, to: moment, in: session, trace, &assembly)
        let message = line.message
        let parent = parent(of: line, in: session)
        let call = modelCall(
            message, line, at: moment, parent: agent, answering: parent.message, in: session, trace, &assembly)
        continueCall(call, with: message, line, at: moment, in: session, trace, &assembly)
        var entry = MessageEntry(
            ordinal: 0, span: call, role: .assistant, time: moment.isKnown ? moment.time : 0, record: moment.record)
        if line.isMeta { entry.marks.insert(.injected) }
        if let content = message?["content"], content.kind == .array {
            var index = 0
            content.forEachElement { block in
                MessageMeasure.add(block, to: &entry.extent)
                if block["type"]?.equals("tool_use") == true {
                    takeCall(
                        block, index, line, at: moment, of: call, parent: agent, in: session, trace, &assembly)
                }
                index += 1
            }
        } else if let content = message?["content"] {
            entry.extent.text = content.utf8Length
        }
        let key = (line.uuid?.key(seed: Seed.uuid) ?? lineKey(line, moment)) ^ Seed.assistant
        _ = link(entry, key: key, line, to: parent, turn: call, in: session, trace, &assembly)
    }

    /// Adds a message to its chain unless it is known; `nil` if it was.
    private mutating func link(
        _ entry: consuming MessageEntry, key: UInt64, _ line: ClaudeCodeRecord, to parent: Parent, turn call: Int?,
        in session: ClaudeCodeSession, _ trace: Int, _ assembly: inout TraceAssembly
    ) -> Int? {
        let ownLine = line.uuid?.key(seed: Seed.uuid)
        if let known = session.messages[key] {
            if let ownLine { _ = session.lines.insert(ownLine, known) }
            return nil
        }
        entry.previous = parent.message
        entry.key = key
        var turn = call
        if entry.role == .tool, let direct = parent.direct, session.turn[direct] >= 0 {
            turn = Int(session.turn[direct])
        }
        let message = assembly.append(entry, to: trace)
        session.messages.set(key, message)
        session.note(message: message, turn: turn)
        if let ownLine { _ = session.lines.insert(ownLine, message) }
        if parent.isUnknown, let missing = line.parentUuid?.key(seed: Seed.uuid) {
            session.unlinkedMessages.append((message, missing))
        }
        return message
    }

    /// The message that a line follows.
    struct Parent {
        /// The end of the turn that `direct` belongs to.
        var message: Int?
        /// Where `parentUuid` leads.
        var direct: Int?
        /// Whether the line has a parent that was not met.
        var isUnknown = false
    }

    func parent(of line: ClaudeCodeRecord, in session: ClaudeCodeSession) -> Parent {
        guard let key = line.parentUuid?.key(seed: Seed.uuid) else { return Parent() }
        switch session.destination(of: key) {
        case .message(let direct): return Parent(message: session.endOfTurn(of: direct) ?? direct, direct: direct)
        case .beginning: return Parent()
        case .unknown: return Parent(isUnknown: true)
        }
    }

    /// Notes a line that is not a message, so that chains pass through it.
    func pass(_ line: ClaudeCodeRecord, in session: ClaudeCodeSession) {
        guard let own = line.uuid?.key(seed: Seed.uuid), session.lines[own] == nil else { return }
        guard let parent = line.parentUuid?.key(seed: Seed.uuid) else {
            session.lines.set(own, ClaudeCodeSession.Place.beginning)
            return
        }
        if let place = session.lines[parent] {
            session.lines.set(own, place)
        } else {
            session.lines.set(own, ClaudeCodeSession.Place.alias(session.aliases.count))
            session.aliases.append(parent)
        }
    }

    private mutating func takeCall(
        _ block: JSONNode, _ index: Int, _ line: ClaudeCodeRecord, at moment: Moment, of call: Int, parent agent: Int,
        in session: ClaudeCodeSession, _ trace: Int, _ assembly: inout TraceAssembly
    ) {
        if let id = block["id"], let key = id.key(seed: Seed.tool) {
            toolCall(
                block, key: key, id: id.string ?? "", at: moment, parent: agent, in: session, trace, &assembly)
            if let input = block["input"], let name = AgentName.of(input) { session.agentNames[key] = name }
            return
        }
        // A line without an ID is identified by its place, and its result finds it by the line.
        let own = line.uuid?.nonEmptyString ?? "line@\(moment.record.offset)"
        let name = "\(own)#\(index)"
        let key = Digest.of(name, seed: Seed.tool)
        toolCall(block, key: key, id: name, at: moment, parent: agent, in: session, trace, &assembly)
        guard let span = session.spans[key] else { return }
        let place = Digest.of(own, seed: Seed.tool)
        if session.nameless[place] == nil || session.nameless[place] == span {
            session.nameless.set(place, span)
        } else {
            session.nameless.set(place, -1)
        }
    }

    /// A `tool_result` block: ends its call, and places the sub-agent that the call started.
    ///
    /// - Returns: Span of the call; `nil` if the call was not seen.
    private mutating func takeResult(
        _ block: JSONNode, _ line: ClaudeCodeRecord, at moment: Moment, in session: ClaudeCodeSession, _ trace: Int,
        _ assembly: inout TraceAssembly
    ) -> Int? {
        let failed = block["is_error"]?.bool == true
        let outcome = ToolOutcome(failed: failed, error: failed ? block["content"].flatMap(ResultText.firstLine) : nil)
        guard let key = block["tool_use_id"]?.key(seed: Seed.tool) else {
            guard let line = line.parentUuid?.key(seed: Seed.tool), let span = session.nameless[line], span >= 0 else {
                return nil
            }
            end(span, with: outcome, at: moment.time, moment.record, in: session, trace, &assembly)
            return span
        }
        if let agent = line.toolUseResult?["agentId"], agent.key() != nil {
            link(agent: agent.string ?? "", to: key, trace, &assembly)
        }
        guard let span = session.spans[key] else {
            session.earlyResults.append(
                EarlyResult(call: key, outcome: outcome, time: moment.time, record: moment.record))
            return nil
        }
        end(span, with: outcome, at: moment.time, moment.record, in: session, trace, &assembly)
        return span
    }

    /// Remembers which call started a sub-agent; the agent itself may come with a later file.
    func link(agent: String, to call: UInt64, _ trace: Int, _ assembly: inout TraceAssembly) {
        let child = Digest.of("agent:" + agent, seed: Seed.agent)
        let link = DeferredParent(trace: trace, child: child, parent: call)
        if assembly.deferredParents.last != link { assembly.deferredParents.append(link) }
    }

    private func lineKey(_ line: ClaudeCodeRecord, _ moment: Moment) -> UInt64 {
        Digest.of(line.node.source, seed: UInt64(moment.record.offset) &+ 1)
    }
}
