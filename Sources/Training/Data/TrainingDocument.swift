/// A text to learn from, in parts of which some may be given rather than learned.
public struct TrainingDocument: Sendable, Equatable {
    public struct Part: Sendable, Equatable {
        public var text: String
        /// Whether its tokens count in the loss.
        public var isLearned: Bool

        public init(_ text: String, isLearned: Bool = true) {
            self.text = text
            self.isLearned = isLearned
        }
    }

    /// Each becomes tokens on its own, as the runtime does with a prompt.
    public var parts: [Part]

    public init(_ parts: [Part]) { self.parts = parts }
    public init(_ text: String) { parts = [Part(text)] }

    public var text: String { parts.map(\.text).joined() }
}
