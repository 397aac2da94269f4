/// Why no synthetic data came, in one sentence.
public struct SyntheticError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, with the line where one is known: `town.grammar, line 12`.
    public var place: String
    /// What is wrong, without a full stop.
    public var problem: String
    /// What to do about it, a whole sentence; empty if the problem says it.
    public var remedy: String

    public init(_ place: String, _ problem: String, remedy: String = "") {
        self.place = place
        self.problem = problem
        self.remedy = remedy
    }

    public var sentence: String { "\(place): \(problem)." + (remedy.isEmpty ? "" : " \(remedy)") }
    public var description: String { sentence }
}
