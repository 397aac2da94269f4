extension Replay {
    /// What a model call saw, as far as it was recorded.
    public struct Context: Sendable {
        /// Oldest first.
        public var messages: Conversation
        /// How many of them the conversation's earlier call had seen too; the rest is new.
        public var known: Int

        public init(messages: Conversation, known: Int) {
            self.messages = messages
            self.known = known
        }
    }

    /// What the model saw at a step: for a tool call, what the call that asked for it saw. O(messages seen).
    ///
    /// The earlier call is the call that this call continues: for a fork, the call it forked from; for a retry, the
    /// failed attempt, so nothing is new. After a compaction, everything is new, including the summary. If the same
    /// agent started a conversation again, the common start of both calls counts as known.
    public func context(at step: Int) -> Context {
        guard let call = modelCall(at: step) else { return Context(messages: [], known: 0) }
        let head = outline.head[steps[call]]
        let messages = Conversation(tree.conversation(endingAt: head), of: trace.messages)
        let earlier = Int(order.earlier[call])
        let known = earlier >= 0 ? tree.shared(head, outline.head[steps[earlier]]) : 0
        return Context(messages: messages, known: known)
    }
}
