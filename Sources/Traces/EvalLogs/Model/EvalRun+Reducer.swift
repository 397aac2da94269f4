public import Statistics

extension EvalRun {
    /// How the values of a sample's epochs become one: what the run's settings tell, the mean where they tell nothing.
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
