internal import FeatureLab
internal import Formatting
internal import Workspace

extension FeaturePanel {
    package func preview(of reference: Reference) -> Preview.Work {
        let (engine, shown) = (engine, dictionary?.id)
        return { _ in try engine.preview(of: reference, preferring: shown) }
    }
}

extension FeatureEngine {
    /// Returns what the panel shows of a thing.
    ///
    /// - Parameter shown: The open dictionary.
    /// - Throws: The error of opening the thing, if the panel has nothing to show.
    func preview(of reference: Reference, preferring shown: Int64?) throws -> Preview {
        guard let number = reference.path.first else { return .unplaced }
        let dictionaries = try dictionaries().dictionaries
        guard reference.kind != .feature else {
            let name = dictionaries.first { $0.id == number }?.name
            return name.map { .shows("the feature's activations in \($0)") }
                ?? .nothing("the dictionary is no longer in the workspace")
        }
        guard let first = dictionaries.first else { return .nothing("the workspace has no feature dictionary") }
        let box = try answer(number, step: nil, among: dictionaries, preferring: shown)
        let dictionary = dictionaries.first { $0.id == box.dictionary } ?? first
        guard dictionary.modelPath != nil else { return .nothing("the model of \(dictionary.name) is unknown") }
        let what = box.prompt.tokens.map { Format.count($0.count, "token") } ?? "its text"
        return .shows("features of \(dictionary.name) on \(what)")
    }
}
