internal import Glibc
public import System

/// The files that a recipe of the generator makes, in the folder of caches, made once.
enum GeneratedData {
    /// The data of a configuration with the recipe's files in place of the recipe, which are made where they are not there
    /// yet.
    static func files(_ configuration: TrainingConfiguration) throws(Problem) -> TrainingConfiguration.Data {
        var data = configuration.data
        let (recipe, folder) = try place(data)
        guard recipe.context == data.context else {
            throw Problem(
                .invalid, "", "\(data.recipe) generates rows of \(recipe.context) tokens",
                remedy: "Set data.context to \(recipe.context), not \(data.context).")
        }
        try make(recipe, folder, { _ in }, { false })
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

    /// The recipe, and the folder of its files: named after all that the recipe and its grammar say.
    fileprivate static func place(
        _ data: TrainingConfiguration.Data
    ) throws(Problem) -> (recipe: SyntheticRecipe, folder: String) {
        var key = Digest()
        key.update("corpus 1")
        let text = try SmallFile.text(data.recipe)
        key.update(text)
        let folder = data.recipe.lastIndex(of: "/").map { String(data.recipe[...$0]) } ?? ""
        let recipe = try SyntheticRecipe(parsing: text, file: data.recipe) { name throws(Problem) in
            let grammar = try SmallFile.text(name.hasPrefix("/") ? name : folder + name)
            key.update(grammar)
            return grammar
        }
        return (recipe, "\(data.cache)/recipe-\(key.text)")
    }

    fileprivate static func isMade(_ folder: String) -> Bool { access(folder + "/card.json", R_OK) == 0 }

    /// Makes the files next to their destination, and puts the whole folder there.
    fileprivate static func make(
        _ recipe: SyntheticRecipe, _ folder: String, _ progress: (Double) -> Void, _ isCancelled: () -> Bool
    ) throws(Problem) {
        guard !isMade(folder) else { return }
        let partial = "\(folder).\(getpid()).partial"
        let above = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? "."
        try FileBytes.makeFolder(above)
        Folder.remove(partial)
        do {
            _ = try SyntheticCorpus(recipe).write(to: partial, progress: progress, isCancelled: isCancelled)
        } catch {
            Folder.remove(partial)
            throw Problem(error, in: "")
        }
        // Another run may have made the same meanwhile; an incomplete folder is replaced.
        if !isMade(folder) { Folder.remove(folder) }
        if rename(partial, folder) != 0 {
            let reason = String(cString: strerror(errno))
            Folder.remove(partial)
            guard isMade(folder) else { throw Problem(.failed, folder, "cannot move the corpus into place: \(reason)") }
        }
    }
}

extension TrainingConfiguration {
    /// Makes the data of a recipe where the configuration names one and they are not there yet. A `Trainer` does so
    /// too, without saying how far it is.
    ///
    /// - Parameter progress: told the share that is done, 0...1.
    /// - Throws: `Problem` if the recipe cannot be followed, or it was cancelled; nothing is left then.
    public func makeData(
        progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
    ) throws(Problem) {
        guard data.kind == .generated else { return }
        let (recipe, folder) = try GeneratedData.place(data)
        try GeneratedData.make(recipe, folder, progress, isCancelled)
    }
}
