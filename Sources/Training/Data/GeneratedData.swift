internal import Glibc

/// The files that a recipe of the generator makes, in the folder of caches.
enum GeneratedData {
    /// The data of a configuration with the recipe's files in place of the recipe.
    ///
    /// - Throws: a sentence that says how to make them where they are not there yet.
    static func files(_ configuration: TrainingConfiguration) throws(RunError) -> TrainingConfiguration.Data {
        var data = configuration.data
        var key = Digest()
        key.update(try FileBytes.digest(data.recipe))
        let folder = "\(data.cache)/recipe-\(key.text)"
        guard access(folder + "/train.tokens", R_OK) == 0 else {
            throw RunError("\(data.recipe) was not made into data yet: orrery train data \(data.recipe) \(folder).")
        }
        func there(_ name: String) -> [String] { access("\(folder)/\(name)", R_OK) == 0 ? ["\(folder)/\(name)"] : [] }
        data.kind = .tokens
        data.train = [folder + "/train.tokens"]
        data.weights = there("train.weights")
        data.validation = there("validation.tokens")
        data.validationWeights = there("validation.weights")
        if data.tokenizer.path.isEmpty { data.tokenizer.path = folder + "/tokenizer.json" }
        data.packing = .rows
        return data
    }
}
