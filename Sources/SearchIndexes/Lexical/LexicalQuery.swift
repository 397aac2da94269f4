/// A query for a lexical index.
public struct LexicalQuery: Hashable, Sendable {
    public enum Occurrence: Hashable, Sendable {
        /// Adds to the score where it is there.
        case optional
        /// Documents without it are not found.
        case required
        /// Documents with it are not found.
        case excluded
    }

    public enum Content: Hashable, Sendable {
        /// Any of the words of a text.
        case words(String)
        /// The words of a text next to each other; words that the analysis loses leave their places open.
        case phrase(String)
        /// All words that begin so.
        case prefix(String)
        /// Terms as the analyzer makes them.
        case terms([String])
    }

    public struct Clause: Hashable, Sendable {
        public var occurrence: Occurrence
        /// Field to search (default: all fields).
        public var field: String?
        public var content: Content

        public init(_ content: Content, _ occurrence: Occurrence = .optional, field: String? = nil) {
            self.occurrence = occurrence
            self.field = field
            self.content = content
        }
    }

    public var clauses: [Clause]

    public init(clauses: [Clause]) { self.clauses = clauses }

    /// A plain bag of words: no character has a meaning.
    public init(words text: String) { self.init(clauses: [Clause(.words(text))]) }

    /// Terms that were analyzed already; those that repeat count so often.
    public init(terms: [String]) { self.init(clauses: [Clause(.terms(terms))]) }
}
