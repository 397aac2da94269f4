/// Messages in the order in which a model read them: a view of a trace, made in constant space a message.
public struct Conversation: RandomAccessCollection, Sendable {
    private let messages: [MessageEntry]
    private let ordinals: [Int32]

    /// - Parameter ordinals: Indices into `messages`.
    init(_ ordinals: [Int32], of messages: [MessageEntry]) {
        self.messages = messages
        self.ordinals = ordinals
    }

    /// A conversation of these messages and no others.
    public init(_ messages: [MessageEntry]) {
        self.messages = messages
        ordinals = messages.indices.map { Int32($0) }
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { ordinals.count }
    public subscript(position: Int) -> MessageEntry { messages[Int(ordinals[position])] }
}

extension Conversation: ExpressibleByArrayLiteral {
    public init(arrayLiteral messages: MessageEntry...) { self.init(messages) }
}
