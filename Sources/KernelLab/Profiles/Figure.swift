/// A number together with how well it is known: a profile counts some things, others are worked out, many are absent.
///
/// A missing figure is never zero: what was not collected may have been anything.
public enum Figure: Hashable, Sendable {
    /// Counted by the device or the profiler.
    case exact(Double)
    /// A part of it was counted and the rest was not collected.
    case atLeast(Double)
    /// Worked out by a formula that a note names.
    case estimate(Double)
    case missing

    public var value: Double? {
        switch self {
        case .exact(let value), .atLeast(let value), .estimate(let value): value
        case .missing: nil
        }
    }

    /// `exact`, `at least`, `estimate` or `missing`.
    public var quality: String {
        switch self {
        case .exact: "exact"
        case .atLeast: "at least"
        case .estimate: "estimate"
        case .missing: "missing"
        }
    }

    /// What stands before it on a screen: `≥`, `~`, or nothing where it was counted or is missing.
    public var sign: String {
        switch self {
        case .atLeast: "≥"
        case .estimate: "~"
        case .exact, .missing: ""
        }
    }

    /// The same quality with another value.
    public func map(_ change: (Double) -> Double) -> Figure {
        switch self {
        case .exact(let value): .exact(change(value))
        case .atLeast(let value): .atLeast(change(value))
        case .estimate(let value): .estimate(change(value))
        case .missing: .missing
        }
    }

    /// The sum, as good as the worse of the two; a missing part makes the sum a lower bound. Zero changes no quality.
    public static func + (left: Figure, right: Figure) -> Figure {
        guard let a = left.value else { return right.value.map { $0 == 0 ? .missing : .atLeast($0) } ?? .missing }
        guard let b = right.value else { return a == 0 ? .missing : .atLeast(a) }
        if case .exact(0) = right { return left }
        if case .exact(0) = left { return right }
        switch (left, right) {
        case (.estimate, _), (_, .estimate): return .estimate(a + b)
        case (.atLeast, _), (_, .atLeast): return .atLeast(a + b)
        default: return .exact(a + b)
        }
    }
}
