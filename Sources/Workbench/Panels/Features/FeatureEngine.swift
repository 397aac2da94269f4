internal import FeatureLab
internal import Inference
internal import Interpretability
internal import ModelLab
internal import Tokenizers
internal import Workspace

/// What the features panel asks of the engine: dictionaries of a workspace, their features, and texts that are read with
/// one of them attached.
struct FeatureEngine: Sendable {
    let store: FeatureStore
    let answers: GenerationStore
    let registry: ModelRegistry
    /// Whether the workspace can be written to.
    let canWrite: Bool
    let desk = FeatureDesk()

    init(_ workspace: Workspace) {
        store = FeatureStore(workspace)
        answers = GenerationStore(workspace)
        registry = ModelRegistry(workspace)
        canWrite = workspace.access == .readWrite
    }

    /// The dictionaries of the workspace, with the models that they read as far as they are known.
    func dictionaries() throws -> DictionaryBox {
        let all = try store.dictionaries()
        let names = Set(all.map(\.name))
        return DictionaryBox(
            dictionaries: all.map(store.located), offered: FeatureStore.installedNames.filter { !names.contains($0) })
    }

    /// Returns the closest query that can be answered. Without an index, some sort orders are unavailable.
    func possible(_ query: FeatureQuery, of dictionary: FeatureDictionary) throws -> FeatureQuery {
        switch query {
        case .all(let order): .all(try store.possible(order, of: dictionary.id))
        case .active(let rank): .active(try store.possible(rank, of: dictionary.id))
        case .label, .token: query
        }
    }

    /// Features that a query finds.
    func rows(_ query: FeatureQuery, of dictionary: FeatureDictionary) throws -> [FeatureRow] {
        switch query {
        case .all(let order):
            return try store.features(
                of: dictionary.id, by: order, descending: order.isBestFirst, limit: FeatureList.limit)
        case .label(let words): return try store.features(of: dictionary.id, labeled: words, limit: FeatureList.limit)
        case .token(let token):
            let tokenizer = try desk.model(of: dictionary).tokenizer
            return try store.features(
                of: dictionary.id, firingOn: TypedToken.all(token, in: tokenizer), limit: 1000)
        case .active(let rank):
            guard let codes = desk.codes(of: dictionary) else { return [] }
            return try store.features(of: dictionary.id, activeIn: codes, by: rank, limit: 1000)
        }
    }

    func card(_ feature: Int, of dictionary: FeatureDictionary) throws -> FeatureCard {
        var dashboard = try store.dashboard(of: dictionary.id, feature: feature)
        if dictionary.index == nil, !dashboard.isImported { complete(&dashboard, of: dictionary) }
        return FeatureCard(dashboard, text: tokenText(dictionary))
    }

    /// Texts of tokens where the model is at hand, else their numbers.
    func tokenText(_ dictionary: FeatureDictionary) -> (TokenID) -> String {
        let tokenizer = desk.tokenizer(of: dictionary)
        return { tokenizer?.text(of: $0) ?? "\($0) " }
    }
}
