/// A predicate over the parameters of a model, by name and shape.
///
/// ```swift
/// let decaying = ParameterFilter.matrices && !.named(containing: "embd")
/// ```
public struct ParameterFilter: Sendable {
    private let matches: @Sendable (_ name: String, _ shape: [Int]) -> Bool

    /// Creates a filter from a predicate.
    public init(_ matches: @escaping @Sendable (_ name: String, _ shape: [Int]) -> Bool) { self.matches = matches }

    /// Returns whether a parameter passes the filter.
    public func contains(_ name: String, shape: [Int]) -> Bool { matches(name, shape) }

    /// Every parameter.
    public static let all = ParameterFilter { _, _ in true }
    /// No parameter.
    public static let none = ParameterFilter { _, _ in false }
    /// Parameters with two axes or more: weights, but not gains and biases.
    public static let matrices = ParameterFilter { _, shape in shape.count >= 2 }
    /// Matrices that are neither embeddings nor output heads, judged by the dot-separated parts of their names.
    ///
    /// An embedding has a part that contains `embd` or `embed`, or a part `wte` or `wpe`. A head has a first part
    /// `output`, or a part `head`, `lm_head`, or `classifier`.
    public static let hiddenMatrices = ParameterFilter { name, shape in
        let parts = name.split(separator: ".")
        let isEmbedding = parts.contains { part in
            part == "wte" || part == "wpe" || holds(part, "embd") || holds(part, "embed")
        }
        let isHead = parts.first == "output" || parts.contains { ["head", "lm_head", "classifier"].contains($0) }
        return shape.count >= 2 && !isEmbedding && !isHead
    }

    /// Returns the filter of parameters whose names contain a text.
    public static func named(containing text: String) -> ParameterFilter {
        ParameterFilter { name, _ in holds(name[...], text) }
    }

    /// Returns the filter of parameters that do not pass.
    public static prefix func ! (filter: ParameterFilter) -> ParameterFilter {
        ParameterFilter { !filter.matches($0, $1) }
    }

    /// Returns the filter of parameters that pass both filters.
    public static func && (a: ParameterFilter, b: ParameterFilter) -> ParameterFilter {
        ParameterFilter { a.matches($0, $1) && b.matches($0, $1) }
    }

    /// Returns the filter of parameters that pass at least one filter.
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

/// A group of parameters with a learning rate or weight decay of its own.
public struct ParameterGroup: Sendable {
    /// Parameters in the group.
    public var parameters: ParameterFilter
    /// Learning rate as a multiple of the optimizer's, 0 or more.
    public var rateFactor: Double
    /// Weight decay, 0 or more; `nil` for the optimizer's.
    public var weightDecay: Double?

    /// Creates a group.
    public init(_ parameters: ParameterFilter, rateFactor: Double = 1, weightDecay: Double? = nil) {
        self.parameters = parameters
        self.rateFactor = rateFactor
        self.weightDecay = weightDecay
    }
}
