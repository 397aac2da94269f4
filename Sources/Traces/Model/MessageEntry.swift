public import LanguageModels

/// A message's place in its trace: its speaker, predecessor, length, and the location of its text.
public struct MessageEntry: Hashable, Sendable {
    /// The message's number within its trace, in order of appearance.
    public var ordinal: Int
    /// The message that a model reading this one had read just before; `nil` at the start of a conversation and after a
    /// compaction. Conversations share their beginnings by sharing these links.
    public var previous: Int?
    /// The span that produced the message (an answer its model call, a result its tool call) or, for recorded inputs,
    /// the call that read it; `nil` for what a person wrote.
    public var span: Int?
    public var role: Role
    /// Nanoseconds since 1970; 0 if unknown.
    public var time: Int64
    public var extent: Extent
    public var marks: Marks
    /// The record that holds it.
    public var record: RecordReference
    /// Index among the record's messages, as counted by the format (0 if a record is one message).
    public var index: Int
    /// 64-bit digest of the format's message identifier, which identifies the same message in another file; 0 if
    /// missing.
    public var key: UInt64

    public init(
        ordinal: Int, previous: Int? = nil, span: Int? = nil, role: Role, time: Int64, extent: Extent = Extent(),
        marks: Marks = [], record: RecordReference, index: Int = 0, key: UInt64 = 0
    ) {
        self.ordinal = ordinal
        self.previous = previous
        self.span = span
        self.role = role
        self.time = time
        self.extent = extent
        self.marks = marks
        self.record = record
        self.index = index
        self.key = key
    }

    /// How much of what a message holds: UTF-8 bytes of text after unescaping, and attachments by number.
    public struct Extent: Hashable, Sendable {
        public var text = 0
        public var reasoning = 0
        public var toolCalls = 0
        public var toolResults = 0
        /// Definitions of tools, if a call records them.
        public var toolDefinitions = 0
        public var attachments = 0

        public init() {}
    }

    /// What makes a message special.
    public struct Marks: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A summary that took the place of an earlier conversation.
        public static let compaction = Marks(rawValue: 1)
        /// Put there by the program around the model, not by a person.
        public static let injected = Marks(rawValue: 2)
    }
}
