extension Replay {
    /// What a model call saw, as far as it was recorded.
    public struct Context: Sendable {
        /// Oldest first.
        public var messages: [MessageEntry]
        /// How many of them the conversation's earlier call had seen too; the rest is new.
        public var known: Int
    }

    /// What the model saw at a step: for a tool call, what the call that asked for it saw. O(messages seen).
    public func context(at step: Int) -> Context {
        guard let call = modelCall(at: step) else { return Context(messages: [], known: 0) }
        let messages = conversation(endingAt: self[call].inputHead)
        guard let earlier = earlierCall(of: call) else { return Context(messages: messages, known: 0) }
        let before = Set(conversation(endingAt: self[earlier].inputHead).map(\.ordinal))
        let known = messages.prefix { before.contains($0.ordinal) }.count
        return Context(messages: messages, known: known)
    }

    /// Follows `previous` from a message to the start of its conversation. A damaged chain ends where it turns back.
    func conversation(endingAt head: Int?) -> [MessageEntry] {
        var found: [MessageEntry] = []
        var next = head
        while let ordinal = next, trace.messages.indices.contains(ordinal) {
            let message = trace.messages[ordinal]
            found.append(message)
            guard let previous = message.previous, previous < ordinal else { break }
            next = previous
        }
        return found.reversed()
    }
}
