internal import Retrieval
internal import System

/// The pipeline of the searches, with its unsaved changes.
struct PipelineChoice: Hashable, Sendable {
    var named: NamedPipeline
    /// The saved pipeline.
    let base: PipelineDefinition

    init(_ named: NamedPipeline, base: PipelineDefinition? = nil) {
        self.named = named
        self.base = base ?? named.definition
    }

    var definition: PipelineDefinition { named.definition }

    /// All settings that differ from the saved pipeline, in file order.
    var changes: [Remedy.Change] { definition.changes(from: base) }
    var isChanged: Bool { !changes.isEmpty }

    /// `hybrid v3`, or `hybrid v3, changed`.
    var title: String { named.name + (named.version.map { " v\($0)" } ?? "") + (isChanged ? ", changed" : "") }

    /// The pipeline of an empty file: lexical and dense search, fused.
    static let standard = PipelineChoice(NamedPipeline(name: Retriever.standardName, definition: .standard))

    /// Returns the pipeline with changed settings.
    func changing(_ settings: [(key: String, value: String?)]) throws -> PipelineChoice {
        var choice = self
        choice.named.definition = try definition.changing(settings)
        return choice
    }

    /// Reads settings such as `dense.k = 24, fusion.k = 10`.
    static func settings(_ typed: String) throws(Problem) -> [(key: String, value: String?)] {
        let settings = typed.split(separator: ",").map { piece in
            piece.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
        }
        guard !settings.isEmpty, settings.allSatisfy({ $0.count == 2 && !$0.contains("") }) else {
            throw Problem(.invalid, "", "a setting needs a key and a value", remedy: "Example: dense.k = 24")
        }
        return settings.map { ($0[0], $0[1]) }
    }
}
