/// An index that cannot be read or written, in a sentence: what, where, what to do.
public struct SegmentError: Error, Equatable, CustomStringConvertible {
    /// Place of the error: an index with its segment, or a file.
    public var place: String
    public var problem: String
    public var remedy: String

    public init(_ place: String, problem: String, remedy: String = "Build the index again.") {
        self.place = place
        self.problem = problem
        self.remedy = remedy
    }

    public init(_ key: SegmentKey, problem: String, remedy: String = "Build the index again.") {
        self.init("segment \(key)", problem: problem, remedy: remedy)
    }

    public var sentence: String { "\(place): \(problem)." + (remedy.isEmpty ? "" : " \(remedy)") }
    public var description: String { sentence }

    /// There is not as much memory as it takes.
    public static func memory(_ place: String, bytes: Int) -> Self {
        Self(
            place, problem: "not enough memory for \(bytes) bytes", remedy: "Free some memory, or use a smaller index.")
    }
}
