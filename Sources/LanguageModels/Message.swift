/// Roles of messages. Raw values are stored, so never change them.
public enum Role: UInt8, CaseIterable, Sendable {
    /// Instructions for the model.
    case system = 0
    /// A message from the user.
    case user = 1
    /// A message from the model.
    case assistant = 2
    /// Tool results.
    case tool = 3

    /// Name in JSON and on screens.
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
    /// Role of the author.
    public var role: Role
    /// Parts of the message, in order.
    public var parts: [Part]

    /// Creates a message.
    public init(_ role: Role, _ parts: [Part]) {
        self.role = role
        self.parts = parts
    }

    /// Parts of a message.
    public enum Part: Hashable, Sendable {
        /// Text.
        case text(String)
        /// The model's reasoning; empty if the provider hides it.
        case reasoning(String)
        /// A tool call by the model.
        case toolCall(ToolCall)
        /// The result of a tool call.
        case toolResult(ToolResult)
        /// A reference to an image, audio, or another file, without its bytes.
        case attachment(Attachment)
        /// A part of another type, as JSON.
        case other(type: String, json: String)
    }
}

/// A model's request to run a tool.
public struct ToolCall: Hashable, Sendable {
    /// ID of the call, which its result refers to.
    public var id: String
    /// Name of the tool.
    public var name: String
    /// Original arguments as JSON text.
    public var arguments: String

    /// Creates a tool call.
    public init(id: String, name: String, arguments: String) {
        self.id = id
        self.name = name
        self.arguments = arguments
    }
}

/// The result of a tool call.
public struct ToolResult: Hashable, Sendable {
    /// ID of the tool call.
    public var callID: String
    /// Output of the tool, or an error message.
    public var content: String
    /// Whether the tool failed.
    public var isError: Bool

    /// Creates a result.
    public init(callID: String, content: String, isError: Bool) {
        self.callID = callID
        self.content = content
        self.isError = isError
    }
}

/// A reference to an image, audio, or another file.
public struct Attachment: Hashable, Sendable {
    /// Media type, such as `image/png`, or the modality if only that was recorded.
    public var mediaType: String
    /// Name, path, or URI; `nil` for inline data.
    public var location: String?
    /// Number of bytes of the decoded inline data; 0 if there is none.
    public var byteCount: Int

    /// Creates a reference.
    public init(mediaType: String, location: String?, byteCount: Int) {
        self.mediaType = mediaType
        self.location = location
        self.byteCount = byteCount
    }
}
