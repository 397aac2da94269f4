internal import FeatureLab

/// What is to be read, with which features changed, and how much is to be written after it.
struct SteeringOrder: Sendable {
    /// How many tokens are written.
    enum Length: Hashable, Sendable {
        /// As many tokens of an answer as this, those that are there already included.
        case upTo(Int)
        case more(Int)
        /// Generate until the text ends or the user stops it.
        case all
    }

    var prompt: FeaturePrompt
    var dictionary: FeatureDictionary
    var changes: FeatureChanges
    var length: Length
}
