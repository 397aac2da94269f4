/// Names a thing that a panel can show: a trace, a span, a chunk, a sample, a kernel launch.
///
/// The one cursor of the workbench: whatever is selected has a reference, each panel says which kinds it can open, and
/// `o` lists them. A kind is a word, so that a new panel adds its own without touching this type.
///
/// ```swift
/// Reference(.span, [trace.id, span.ordinal], title: "bash swift test")
/// ```
public struct Reference: Hashable, Sendable {
    /// What sort of thing it is.
    public struct Kind: Hashable, Sendable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public var kind: Kind
    /// Numbers that lead to it, outermost first: `[trace, span]`.
    public var path: [Int64]
    /// What menus and the back-stack call it.
    public var title: String
    /// Identifiers of the panels that it is offered to; nil where its kind alone decides.
    public var panels: Set<String>?
    /// Identifiers of panels that it is not offered to, though they show things of its kind.
    public var barred: Set<String> = []
    /// Why only its own panel shows it, for `o`, as a sentence without a capital; nil if there is no more to say.
    public var onlyHere: String?

    public init(_ kind: Kind, _ path: [Int64], title: String) {
        self.kind = kind
        self.path = path
        self.title = title
    }

    /// `span:12/37`, as it is kept in a workspace's last screen.
    public var text: String { kind.rawValue + ":" + path.map(String.init).joined(separator: "/") }

    /// Reads what `text` wrote; the title is not part of it.
    public init?(text: String) {
        let halves = text.split(separator: ":", maxSplits: 1)
        guard halves.count == 2 else { return nil }
        let numbers = halves[1].split(separator: "/").map { Int64($0) }
        guard !numbers.isEmpty, !numbers.contains(nil) else { return nil }
        self.init(Kind(rawValue: String(halves[0])), numbers.compactMap(\.self), title: text)
    }
}
