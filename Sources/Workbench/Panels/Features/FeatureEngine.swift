internal import FeatureLab
internal import Inference
internal import Interpretability
internal import ModelLab
internal import System
internal import Tokenizers
internal import Workspace

/// The dictionaries of a workspace, their features, and texts that are read with one of them attached.
package struct FeatureEngine: Sendable {
    let store: FeatureStore
    let answers: GenerationStore
    let house: ModelHouse
    /// Whether the workspace can be written to.
    let canWrite: Bool
    let desk = FeatureDesk()

    init(_ workspace: Workspace) {
        store = FeatureStore(workspace)
        answers = GenerationStore(workspace)
        house = ModelHouse(workspace)
        canWrite = workspace.access == .readWrite
    }

    /// Returns the dictionaries of the workspace, with the models that they read as far as known.
    func dictionaries() throws -> KnownDictionaries {
        let all = try store.dictionaries()
        let names = Set(all.map(\.name))
        return KnownDictionaries(
            dictionaries: all.map(store.located), offered: FeatureStore.installedNames.filter { !names.contains($0) })
    }

    /// Adds a dictionary that comes with Orrery and returns its row.
    func add(_ name: String) throws -> Int64 {
        guard let added = try store.addInstalled(name) else {
            throw Problem(.invalid, "", "\(name) does not come with Orrery")
        }
        return added.dictionary.id
    }

    // MARK: Features

    /// Returns the closest query that can be answered. Without an index, some sort orders are unavailable.
    private func possible(_ query: FeatureQuery, of dictionary: FeatureDictionary) throws -> FeatureQuery {
        switch query {
        case .all(let order): .all(try store.possible(order, of: dictionary.id))
        case .active(let rank): .active(try store.possible(rank, of: dictionary.id))
        case .label, .token: query
        }
    }

    func rows(_ question: FeatureRowsQuestion) throws -> FoundFeatures {
        let answered = try possible(question.query, of: question.dictionary)
        return FoundFeatures(rows: try rows(answered, of: question.dictionary), answered: answered)
    }

    private func rows(_ query: FeatureQuery, of dictionary: FeatureDictionary) throws -> [FeatureRow] {
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

    func card(_ question: FeatureCardQuestion) throws -> FeatureCard {
        let dictionary = question.dictionary
        var dashboard = try store.dashboard(of: dictionary.id, feature: question.feature)
        if dictionary.index == nil, !dashboard.isImported { complete(&dashboard, of: dictionary) }
        return FeatureCard(dashboard, text: tokenText(dictionary))
    }

    /// Returns the texts of tokens, or their numbers if the model is unavailable.
    func tokenText(_ dictionary: FeatureDictionary) -> (TokenID) -> String {
        let tokenizer = desk.tokenizer(of: dictionary)
        return { tokenizer?.text(of: $0) ?? "\($0) " }
    }

    // MARK: Labels and changes

    /// Sets the user's label of a feature; an empty one removes it.
    func label(_ feature: Int, of dictionary: FeatureDictionary, _ label: String) throws {
        if label.isEmpty {
            try store.clearLabel(of: dictionary.id, feature: feature)
        } else {
            try store.setLabel(label, of: dictionary.id, feature: feature)
        }
    }

    /// Saves changes under a name.
    ///
    /// - Returns: Whether they were saved: only `replacing` replaces other changes.
    func save(
        _ changes: FeatureChanges, as name: String, of dictionary: FeatureDictionary, replacing: Bool
    ) throws -> Bool {
        let isTaken = try store.savedInterventions(of: dictionary.id).contains { $0.name == name }
        guard replacing || !isTaken else { return false }
        _ = try store.saveInterventions(changes.json, named: name, of: dictionary.id)
        return true
    }

    func savedChanges(of dictionary: FeatureDictionary) throws -> [(name: String, changes: FeatureChanges)] {
        try store.savedInterventions(of: dictionary.id).map {
            ($0.name, FeatureChanges(json: $0.list, features: dictionary.featureCount))
        }
    }
}

/// The dictionaries of a workspace.
struct KnownDictionaries: Sendable {
    var dictionaries: [FeatureDictionary]
    /// Names of dictionaries that come with Orrery and are not in the workspace.
    var offered: [String]
}

struct FeatureRowsQuestion: Hashable, Sendable {
    var dictionary: FeatureDictionary
    var query: FeatureQuery
}

/// Features that a query found, and the query that could be answered.
struct FoundFeatures: Sendable {
    var rows: [FeatureRow]
    var answered: FeatureQuery
}

struct FeatureCardQuestion: Hashable, Sendable {
    var dictionary: FeatureDictionary
    var feature: Int
}
