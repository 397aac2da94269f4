import LanguageModels

/// What is known of one session while its lines go by.
///
/// A class, so that a line changes it in place.
final class ClaudeCodeSession {
    /// Seeds that keep identifiers of different things apart: a message and a tool call may bear the same one.
    enum Seed {
        static let uuid: UInt64 = 0
        static let model: UInt64 = 0x6d6f_6465_6c00_0001
        static let tool: UInt64 = 0x746f_6f6c_0000_0002
        static let agent: UInt64 = 0x6167_656e_7400_0003
        /// Folded into the key of an assistant's line, whose uuid a user's line might bear as well.
        static let assistant: UInt64 = 0x6173_7369_7374_0004
    }

    /// What a line that is not a message stands for in a chain.
    enum Place {
        /// The conversation begins after it.
        static let beginning = -1
        /// `aliases[-2 - place]` is the uuid of the line before it, which was not known when it came.
        static func alias(_ number: Int) -> Int { -2 - number }
    }

    let id: String
    /// The trace's place in the assembly; `nil` until a line of the conversation was met.
    var trace: Int?
    /// Events before the first line of the conversation.
    var early: [TraceEvent] = []
    /// Of every line, by the digest of its uuid: the ordinal of the last message up to it, or a `Place`.
    var lines = KeyTable()
    var aliases: [UInt64] = []
    /// Ordinals of messages by their keys, of spans by the digests of their ids.
    var messages = KeyTable()
    var spans = KeyTable()
    /// Of every message, the model call whose answer or tool results it belongs to; -1 for none.
    var turn: [Int32] = []
    /// Of every span, the last message of its turn; -1 for none.
    var tail: [Int32] = []
    var root = 0
    var unlinkedMessages: [(message: Int, parent: UInt64)] = []
    var earlyResults: [EarlyResult] = []
    /// Calls without an ID, by the digest of their line; -1 if a line has several.
    var nameless = KeyTable()
    /// What calls that start a sub-agent say about it.
    var agentNames: [UInt64: String] = [:]
    var names = SessionNames()
    var projectIsKnown = false
    /// What the workspace had: how many events of each kind and moment, so that a copy of a session adds none.
    var storedEvents: [EventSignature: Int] = [:]
    var isResumed = false
    /// The newest time met, for lines that have none.
    var clock: Int64 = 0

    init(id: String) { self.id = id }

    /// Returns the last message of a turn; `nil` if the message belongs to no turn.
    func endOfTurn(of message: Int) -> Int? {
        let call = Int(turn[message])
        guard call >= 0, call < tail.count, tail[call] >= 0 else { return nil }
        return Int(tail[call])
    }

    func note(message: Int, turn call: Int?) {
        while turn.count <= message { turn.append(-1) }
        guard let call else { return }
        turn[message] = Int32(call)
        while tail.count <= call { tail.append(-1) }
        tail[call] = Int32(message)
    }

    /// Where a line leads.
    enum Destination: Equatable {
        /// The message at or before it.
        case message(Int)
        /// Nothing was said before it.
        case beginning
        /// To a line that was not met, or too far to follow while lines go by.
        case unknown
    }

    /// Follows a line to the message at or before it, over at most `hops` lines that came before their parents.
    func destination(of line: UInt64, hops: Int = 16) -> Destination {
        var place = lines[line]
        for _ in 0...hops {
            guard let found = place else { return .unknown }
            if found >= 0 { return .message(found) }
            if found == Place.beginning { return .beginning }
            place = lines[aliases[-2 - found]]
        }
        return .unknown
    }

    /// Follows a line however far it leads, when all lines are there, and shortens the way for the next one. A circle,
    /// which only a damaged file has, is a beginning.
    func finalDestination(of line: UInt64) -> Destination {
        var way: [UInt64] = []
        var end = line
        while let found = lines[end], found < Place.beginning, way.count <= aliases.count {
            way.append(end)
            end = aliases[-2 - found]
        }
        let destination = destination(of: end, hops: 0)
        let isCircle = way.count > aliases.count
        for passed in way {
            switch destination {
            case .message(let message): lines.set(passed, message)
            case .beginning: lines.set(passed, Place.beginning)
            case .unknown: if isCircle { lines.set(passed, Place.beginning) }
            }
        }
        return isCircle ? .beginning : destination
    }
}

/// The result of a tool call that was met before the call.
struct EarlyResult {
    var call: UInt64
    var outcome: ToolOutcome
    var time: Int64
    var record: RecordReference
}

/// How a tool call ended.
struct ToolOutcome {
    var failed: Bool
    var error: String?
}

/// What two records of the same event have in common.
struct EventSignature: Hashable {
    var time: Int64
    var kind: TraceEvent.Kind
    var name: String

    init(_ event: TraceEvent) {
        time = event.time
        kind = event.kind
        name = event.name
    }
}
