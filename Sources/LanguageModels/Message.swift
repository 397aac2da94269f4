/// Who speaks. Raw values are stored: never renumber.
public enum Role: UInt8, CaseIterable, Sendable {
    case system = 0
    case user = 1
    case assistant = 2
    case tool = 3

    public var name: String {
        switch self {
        case .system: "system"
        case .user: "user"
        case .assistant: "assistant"
        case .tool: "tool"
        }
    }
}

/// One message of a conversation with a model.
public struct Message: Hashable, Sendable {
    public var role: Role
    public var parts: [Part]

    public init(_ role: Role, _ parts: [Part]) {
        self.role = role
        self.parts = parts
    }

    /// A piece of a message.
    public enum Part: Hashable, Sendable {
        case text(String)
        /// The model's thinking, empty where the provider hid it.
        case reasoning(String)
        case toolCall(ToolCall)
        case toolResult(ToolResult)
        /// An image, audio or file: what it is and where it is said to be, never its bytes.
        case attachment(Attachment)
        /// A kind of part that has no name here: its JSON is kept.
        case other(type: String, json: String)
    }
}

/// A model's request to run a tool.
public struct ToolCall: Hashable, Sendable {
    public var id: String
    public var name: String
    /// The arguments as JSON text, as they were written.
    public var arguments: String

    public init(id: String, name: String, arguments: String) {
        self.id = id
        self.name = name
        self.arguments = arguments
    }
}

/// What a tool gave back.
public struct ToolResult: Hashable, Sendable {
    public var callID: String
    public var content: String
    public var isError: Bool

    public init(callID: String, content: String, isError: Bool) {
        self.callID = callID
        self.content = content
        self.isError = isError
    }
}

/// A reference to something that is not text.
public struct Attachment: Hashable, Sendable {
    /// `image/png`, or the modality where only that was recorded.
    public var mediaType: String
    /// A name, path or URI; nil for inline data.
    public var location: String?
    /// Bytes of inline data after decoding; 0 where there is none.
    public var byteCount: Int

    public init(mediaType: String, location: String?, byteCount: Int) {
        self.mediaType = mediaType
        self.location = location
        self.byteCount = byteCount
    }
}
