/// What a slice takes of one axis.
public enum AxisSelection: Hashable, Sendable {
    /// One element; the axis goes away.
    case index(Int)
    /// Every `step`-th element from `from` on, before `to`; nil begins or ends with the axis. A negative step goes
    /// backward.
    case range(from: Int?, to: Int?, step: Int)
    /// A new axis of size 1.
    case inserted
}

/// What may stand in `tensor[...]`: an integer, a range, `.all`, `.from(1, to: -1)`, `.every(2)`, `.newAxis`.
///
/// Negative indices count from the end of the axis. Ranges are cut to the axis, as in NumPy; an integer must be in it.
public protocol AxisSelector: Sendable {
    var selection: AxisSelection { get }
}

extension AxisSelection: AxisSelector {
    public var selection: AxisSelection { self }
}

extension AxisSelector where Self == AxisSelection {
    /// The whole axis.
    public static var all: AxisSelection { .range(from: nil, to: nil, step: 1) }

    /// A new axis of size 1.
    public static var newAxis: AxisSelection { .inserted }

    /// The elements from `start` on, before `end`.
    public static func from(_ start: Int?, to end: Int? = nil, step: Int = 1) -> AxisSelection {
        .range(from: start, to: end, step: step)
    }

    /// Every `step`-th element of the axis; -1 reverses it.
    public static func every(_ step: Int) -> AxisSelection { .range(from: nil, to: nil, step: step) }
}

extension Int: AxisSelector {
    public var selection: AxisSelection { .index(self) }
}

extension Range: AxisSelector where Bound == Int {
    public var selection: AxisSelection { .range(from: lowerBound, to: upperBound, step: 1) }
}

extension ClosedRange: AxisSelector where Bound == Int {
    public var selection: AxisSelection {
        .range(from: lowerBound, to: upperBound == -1 || upperBound == .max ? nil : upperBound + 1, step: 1)
    }
}

extension PartialRangeFrom: AxisSelector where Bound == Int {
    public var selection: AxisSelection { .range(from: lowerBound, to: nil, step: 1) }
}

extension PartialRangeUpTo: AxisSelector where Bound == Int {
    public var selection: AxisSelection { .range(from: nil, to: upperBound, step: 1) }
}

extension PartialRangeThrough: AxisSelector where Bound == Int {
    public var selection: AxisSelection {
        .range(from: nil, to: upperBound == -1 || upperBound == .max ? nil : upperBound + 1, step: 1)
    }
}
