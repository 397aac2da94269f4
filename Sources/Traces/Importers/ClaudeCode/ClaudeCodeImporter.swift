import JSON
import LanguageModels

/// Reads the sessions that Claude Code writes: JSON lines, one file a session, sub-agents in files of their own.
///
/// - A session is a trace; its root span is the agent itself. A sub-agent is an agent span `agent:<id>` below the call
///   of the tool that started it, or below the root where no line says which call that was.
/// - A model call is a distinct `message.id`. Its answer is written over several lines, one block each, which repeat a
///   usage that grows: the last one counts. It starts when the message it answers was there and ends with its last
///   line.
/// - A tool call is a distinct `tool_use` id. It ends when its result is written; a result with `is_error` failed it,
///   and nothing else did: `interrupted` and exit codes within a result are the tool's own words.
/// - Every line of type `user` or `assistant` is a message entry; all other lines are events.
///
/// Chains of messages follow `parentUuid` through the lines between. Calls that ran in parallel hang side by side
/// there, though the model read all their results: so what follows any line of a turn (an answer with the results of
/// its tools) is chained to the end of that turn as far as it was written.
public struct ClaudeCodeImporter: TraceImporter {
    public static let format = "claude-code"

    var sessions: [ClaudeCodeSession] = []
    var sessionByKey = KeyTable()
    var cache = NameCache()
    /// Lines before the first that names its session, as bytes.
    var orphans: [(bytes: [UInt8], record: RecordReference)] = []
    var orphanBytes = 0
    /// The session of the line before.
    var current: ClaudeCodeSession?

    public init() {}

    public static func recognizes(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
        FormatProbe(head).objects.contains { object in
            object.type != nil && object.type != ""
                && object.hasAny(of: ["sessionId", "uuid", "leafUuid", "messageId"])
        }
    }

    public mutating func read(
        _ source: inout TraceSource, into assembly: inout TraceAssembly
    ) throws(ImportError) {
        current = nil
        orphans = []
        orphanBytes = 0
        for session in sessions { session.clock = 0 }
        let stem = source.stem
        try source.forEachRecord(.lines) { (node, record, _) throws(ImportError) in
            let line = ClaudeCodeRecord(node)
            if let session = self.session(of: line) {
                take(line, at: record, in: session, of: &assembly)
            } else {
                keep(node, record, orStem: stem, &assembly)
            }
        }
        if !orphans.isEmpty { replayOrphans(in: begin(stem), &assembly) }
        for session in sessions { finish(session, &assembly) }
    }

    /// The session of a line: its own, or that of the line before.
    private mutating func session(of line: ClaudeCodeRecord) -> ClaudeCodeSession? {
        guard let name = line.sessionID, let key = name.key() else { return current }
        if let place = sessionByKey[key] {
            current = sessions[place]
        } else {
            current = begin(name.string ?? "")
        }
        return current
    }

    private mutating func begin(_ id: String) -> ClaudeCodeSession {
        let key = Digest.of(id)
        if let place = sessionByKey[key] {
            current = sessions[place]
            return sessions[place]
        }
        let session = ClaudeCodeSession(id: id)
        sessionByKey.set(key, sessions.count)
        sessions.append(session)
        current = session
        return session
    }

    /// Keeps a line that no session is known for; beyond 4 MiB of them the file's name is taken for the session.
    private mutating func keep(
        _ node: JSONNode, _ record: RecordReference, orStem stem: String, _ assembly: inout TraceAssembly
    ) {
        orphans.append((Array(node.source), record))
        orphanBytes += record.length
        if orphanBytes > 4 << 20 { replayOrphans(in: begin(stem), &assembly) }
    }

    private mutating func replayOrphans(in session: ClaudeCodeSession, _ assembly: inout TraceAssembly) {
        let kept = orphans
        orphans = []
        orphanBytes = 0
        let parser = JSONParser()
        for (bytes, record) in kept {
            _ = try? parser.parse(bytes) { node in
                take(ClaudeCodeRecord(node), at: record, in: session, of: &assembly)
            }
        }
    }

    private mutating func take(
        _ line: ClaudeCodeRecord, at record: RecordReference, in session: ClaudeCodeSession,
        of assembly: inout TraceAssembly
    ) {
        if !orphans.isEmpty { replayOrphans(in: session, &assembly) }
        var moment = Moment(record: record, time: 0, isKnown: false)
        if let time = line.timestamp?.timestamp, time > 0 {
            moment.time = time
            moment.isKnown = true
            if time > session.clock { session.clock = time }
        } else {
            moment.time = session.clock
        }
        switch line.kind {
        case .user:
            let trace = open(session, at: moment, &assembly)
            takeUser(line, at: moment, in: session, trace, &assembly)
        case .assistant:
            let trace = open(session, at: moment, &assembly)
            takeAssistant(line, at: moment, in: session, trace, &assembly)
        default:
            takeEvent(line, at: moment, in: session, &assembly)
        }
    }
}

/// Time and place at which a line was written.
struct Moment {
    let record: RecordReference
    /// Nanoseconds since 1970: the line's own time, or else the newest one before it in its session.
    var time: Int64
    /// Whether the time is the line's own.
    var isKnown: Bool
}
