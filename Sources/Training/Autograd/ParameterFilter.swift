/// Which parameters of a model are meant, by name and shape.
///
/// ```swift
/// let decaying = ParameterFilter.matrices && !.named(containing: "embd")
/// ```
public struct ParameterFilter: Sendable {
    private let matches: @Sendable (_ name: String, _ shape: [Int]) -> Bool

    public init(_ matches: @escaping @Sendable (_ name: String, _ shape: [Int]) -> Bool) { self.matches = matches }

    public func contains(_ name: String, shape: [Int]) -> Bool { matches(name, shape) }

    public static let all = ParameterFilter { _, _ in true }
    public static let none = ParameterFilter { _, _ in false }
    /// Two axes or more: weights, but not gains and biases.
    public static let matrices = ParameterFilter { _, shape in shape.count >= 2 }
    /// Matrices that are neither an embedding nor the head of a model, going by their names.
    ///
    /// An embedding has a part with `embd` or `embed`, or is called `wte` or `wpe`; a head begins with `output.`,
    /// or has a part `head`, `lm_head` or `classifier`.
    public static let hiddenMatrices = ParameterFilter { name, shape in
        let parts = name.split(separator: ".")
        let isEmbedding = parts.contains { part in
            part == "wte" || part == "wpe" || holds(part, "embd") || holds(part, "embed")
        }
        let isHead = parts.first == "output" || parts.contains { ["head", "lm_head", "classifier"].contains($0) }
        return shape.count >= 2 && !isEmbedding && !isHead
    }

    /// Parameters with this text in their names.
    public static func named(containing text: String) -> ParameterFilter {
        ParameterFilter { name, _ in holds(name[...], text) }
    }

    public static prefix func ! (filter: ParameterFilter) -> ParameterFilter {
        ParameterFilter { !filter.matches($0, $1) }
    }

    public static func && (a: ParameterFilter, b: ParameterFilter) -> ParameterFilter {
        ParameterFilter { a.matches($0, $1) && b.matches($0, $1) }
    }

    public static func || (a: ParameterFilter, b: ParameterFilter) -> ParameterFilter {
        ParameterFilter { a.matches($0, $1) || b.matches($0, $1) }
    }

    private static func holds(_ text: Substring, _ part: String) -> Bool {
        var rest = text.utf8[...]
        while rest.count >= part.utf8.count {
            if rest.starts(with: part.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}

/// Parameters that are trained with numbers of their own.
public struct ParameterGroup: Sendable {
    public var parameters: ParameterFilter
    /// Their learning rate is the optimizer's times this.
    public var rateFactor: Double
    /// Their weight decay; nil for the optimizer's.
    public var weightDecay: Double?

    public init(_ parameters: ParameterFilter, rateFactor: Double = 1, weightDecay: Double? = nil) {
        self.parameters = parameters
        self.rateFactor = rateFactor
        self.weightDecay = weightDecay
    }
}
