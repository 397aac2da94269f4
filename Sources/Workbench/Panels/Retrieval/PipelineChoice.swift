internal import Retrieval
internal import System

/// The pipeline that questions go through, and what was changed of it since it was read.
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

    /// What an empty file means: words and vectors, fused.
    static let standard = PipelineChoice(NamedPipeline(name: Retriever.standardName, definition: .standard))

    /// Reads `dense.k = 24, fusion.k = 10`.
    static func settings(_ typed: String, of definition: PipelineDefinition) throws(Problem) -> [Remedy.Change] {
        let wrong = Problem(.invalid, "", "a setting needs a key and a value", remedy: "Example: dense.k = 24")
        var changes: [Remedy.Change] = []
        for piece in typed.split(separator: ",") {
            let parts = piece.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw wrong }
            changes.append(.init(key: parts[0], before: definition.value(parts[0]), after: parts[1]))
        }
        guard !changes.isEmpty else { throw wrong }
        return changes
    }

    /// The pipeline with settings changed.
    func changing(_ settings: [Remedy.Change]) throws -> PipelineChoice {
        var choice = self
        choice.named.definition = try definition.changing(settings.map { ($0.key, $0.after) })
        return choice
    }
}
