/// A reference to an object that a panel can show: a trace, a span, a chunk, a sample, or a kernel launch.
///
/// Every selection has a reference, each panel declares the kinds that it can open, and `o` lists those panels. A kind
/// is a string, so a new panel adds its own without changing this type.
///
/// ```swift
/// Reference(.span, [trace.id, span.ordinal], title: "bash swift test")
/// ```
public struct Reference: Hashable, Sendable {
    /// A kind of object.
    public struct Kind: Hashable, Sendable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public var kind: Kind
    /// Row numbers, outermost first, such as `[trace, span]`.
    public var path: [Int64]
    /// Title in menus and in the back stack.
    public var title: String
    /// Identifiers of the panels that may show it; `nil` if only its kind decides.
    public var panels: Set<String>?
    /// Identifiers of panels that cannot show it, although they show its kind.
    public var barred: Set<String> = []
    /// Reason why only its own panel shows it, for `o`, as a sentence without a capital; `nil` without a reason.
    public var onlyHere: String?

    public init(_ kind: Kind, _ path: [Int64], title: String) {
        self.kind = kind
        self.path = path
        self.title = title
    }

    /// Text such as `span:12/37`, for the saved screen of a workspace.
    public var text: String { kind.rawValue + ":" + path.map(String.init).joined(separator: "/") }

    /// Parses `text`; the title is not part of it.
    public init?(text: String) {
        let halves = text.split(separator: ":", maxSplits: 1)
        guard halves.count == 2 else { return nil }
        let numbers = halves[1].split(separator: "/").map { Int64($0) }
        guard !numbers.isEmpty, !numbers.contains(nil) else { return nil }
        self.init(Kind(rawValue: String(halves[0])), numbers.compactMap(\.self), title: text)
    }
}
