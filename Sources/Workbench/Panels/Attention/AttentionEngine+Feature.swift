internal import FeatureLab
internal import ModelLab
internal import System
internal import Workspace

extension AttentionEngine {
    /// Returns the strongest example of a feature for reading, with the cursor where the feature fires most.
    ///
    /// - Parameter reference: `[dictionary, feature]`.
    /// - Throws: An error if the feature has no example, or if its model is missing.
    static func order(ofFeature reference: Reference, in workspace: Workspace) throws -> AttentionOrder {
        guard reference.path.count > 1 else {
            throw Problem(
                .missing, "", "\(reference.title) has no examples", remedy: "Run orrery feature index to find them.")
        }
        let store = FeatureStore(workspace)
        let dictionary = store.located(try store.dictionary(reference.path[0]))
        guard let path = dictionary.modelPath else { throw Self.noModel(dictionary.model) }
        let dashboard = try store.dashboard(of: dictionary.id, feature: Int(clamping: reference.path[1]))
        guard let example = dashboard.top.first else {
            throw Problem(
                .missing, "", "\(reference.title) has no examples", remedy: "Run orrery feature index to find them.")
        }
        let entries = try ModelHouse(workspace).registry.entries()
        let model = entries.first { $0.specification == path }?.name ?? path
        guard example.tokens.isEmpty else {
            return AttentionOrder(
                model: model, content: .tokens(example.tokens), place: .token(example.peak), origin: reference)
        }
        let before = example.texts.prefix(example.peak).reduce(0) { $0 + $1.utf8.count }
        return AttentionOrder(
            model: model, content: .text(example.texts.joined()), place: .byte(before), origin: reference)
    }
}
