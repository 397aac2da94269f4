internal import LanguageModels

extension TraceExport {
    /// One step with its texts.
    struct Step {
        let span: Span
        /// Number among the run's steps, from 1; `nil` for a span that is not a step.
        let number: Int?
        /// Messages of the context that are not written here: seen by an earlier call, or steps of their own.
        let earlier: Int
        /// `nil` for a message that the log does not hold.
        let isNew: [Message?]
        let answers: [Message?]
        let breakdown: ContextBreakdown?
        let details: SpanDetails

        /// - Parameter leavesOutSteps: Leaves out new messages that other steps of the run hold.
        init(_ ordinal: Int, _ replay: Replay, _ texts: Texts, leavesOutSteps: Bool = false) throws {
            span = replay.trace.spans[ordinal]
            let step = replay.step(of: ordinal).flatMap { replay.steps[$0] == ordinal ? $0 : nil }
            number = step.map { $0 + 1 }
            details = try texts.details(span)
            guard span.kind == .model, let step else {
                earlier = 0
                isNew = []
                answers = []
                breakdown = nil
                return
            }
            let context = replay.context(at: step)
            var new = Array(context.messages[context.known...])
            if leavesOutSteps { new.removeAll { Self.isWritten($0, before: step, replay) } }
            earlier = context.messages.count - new.count
            isNew = try texts.messages(new)
            answers = try texts.messages(replay.messages(of: ordinal).filter { $0.role == .assistant })
            breakdown = try texts.context(step)
        }

        /// Whether a message is the answer or the result that an earlier step of the run shows.
        private static func isWritten(_ message: MessageEntry, before step: Int, _ replay: Replay) -> Bool {
            guard let span = message.span, let source = replay.step(of: span), source < step,
                replay.steps[source] == span
            else { return false }
            // A line of results may also contain text, which the tool's step does not show.
            return message.role == .assistant
                || (message.role == .tool && message.extent.text == 0 && replay[source].kind == .tool)
        }
    }
}
