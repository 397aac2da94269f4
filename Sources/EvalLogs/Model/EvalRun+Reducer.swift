public import Statistics

extension EvalRun {
    /// Reducer of a sample's epochs, from the run's settings (default: mean).
    ///
    /// Of several (Inspect's logs may have them) it is the first that is known.
    public var reducer: EpochReducer {
        guard let told = settings.first(where: { $0.name == "reducer" || $0.name == "epochs_reducer" }) else {
            return .mean
        }
        let words = told.value.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        return words.lazy.compactMap { EpochReducer(named: String($0)) }.first ?? .mean
    }
}
