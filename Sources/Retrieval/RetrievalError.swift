/// Something that retrieval could not do, in a sentence: what, where, what to do.
public struct RetrievalError: Error, Equatable, CustomStringConvertible, Sendable {
    /// A file, a corpus, a pipeline, a stage: where it happened. Empty where the problem says it.
    public var place: String
    public var problem: String
    public var remedy: String

    public init(_ place: String, problem: String, remedy: String = "") {
        self.place = place
        self.problem = problem
        self.remedy = remedy
    }

    public var sentence: String {
        (place.isEmpty ? "" : "\(place): ") + "\(problem)." + (remedy.isEmpty ? "" : " \(remedy)")
    }
    public var description: String { sentence }
}
