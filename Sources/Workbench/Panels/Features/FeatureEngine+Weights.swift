internal import FeatureLab
internal import Interpretability
internal import System

extension FeatureEngine {
    /// - Throws: `Problem` if no file has the weights.
    func weights(of dictionary: FeatureDictionary) throws -> SparseAutoencoder {
        try desk.weights(of: dictionary) {
            guard let path = dictionary.path else {
                throw Problem(
                    .invalid, "", "\(dictionary.name) has labels but no weights",
                    remedy: "Add its folder with orrery feature add.")
            }
            return try DictionaryFile.open(path)
        }
    }

    /// Completes the dashboard of a feature without an index from the weights, if they are available: its nearest
    /// features and the tokens that it promotes.
    func complete(_ dashboard: inout FeatureDashboard, of dictionary: FeatureDictionary) {
        guard let weights = try? weights(of: dictionary) else { return }
        let feature = dashboard.feature
        if let nearest = try? weights.neighbors(of: [feature], count: 8).first {
            dashboard.neighbors = nearest.map { RelatedFeature(feature: $0.feature, value: $0.cosine) }
        }
        guard let readout = try? desk.readout(of: dictionary),
            let effect = try? weights.logitEffects(of: [feature], readout, count: 10).first
        else { return }
        dashboard.positive = effect.top.map { TokenLogit(token: $0.token, value: $0.value) }
        dashboard.negative = effect.bottom.map { TokenLogit(token: $0.token, value: $0.value) }
    }
}
