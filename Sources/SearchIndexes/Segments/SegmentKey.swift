/// The name of a segment within its index: which part of it, and the number within that part.
public struct SegmentKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Such as `vectors` or `links`: a short word that the index chooses.
    public let part: String
    public let number: Int

    public init(_ part: String, _ number: Int = 0) {
        self.part = part
        self.number = number
    }

    public static func < (one: Self, other: Self) -> Bool {
        (one.part, one.number) < (other.part, other.number)
    }

    public var description: String { "\(part) \(number)" }
}
