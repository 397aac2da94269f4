internal import Configuration
internal import System

extension PipelineDefinition {
    /// What an empty file means: words and vectors, fused.
    // An empty file is read in every test: it cannot be refused.
    // swift-format-ignore: NeverUseForceTry
    public static let standard = try! PipelineDefinition("", path: Retriever.standardName)

    /// Every key of a pipeline's file, as `dense.k`.
    public static var keys: [String] { PipelineKeys.all.all.map(\.name) }

    /// Returns the pipeline up to its context.
    func withoutAnswer() throws(Problem) -> PipelineDefinition {
        try changing([("answer.model", nil), ("answer.prompt", nil)])
    }
}
