/// A vector that a search found.
public struct Neighbor: Hashable, Comparable, Sendable {
    /// The label under which it was added.
    public var label: Int64
    /// Lower is nearer, as ``Metric`` says.
    public var distance: Float

    public init(label: Int64, distance: Float) {
        self.label = label
        self.distance = distance
    }

    /// Nearer first; of equally near ones the smaller label.
    @inlinable
    public static func < (one: Self, other: Self) -> Bool {
        one.distance != other.distance ? one.distance < other.distance : one.label < other.label
    }
}
