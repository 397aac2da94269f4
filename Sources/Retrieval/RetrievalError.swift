/// Something that retrieval could not do, in a sentence: what, where, what to do.
public struct RetrievalError: Error, Equatable, CustomStringConvertible, Sendable {
    /// Place of the error: a file, a corpus, a pipeline, or a stage; empty if the problem names the place.
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
