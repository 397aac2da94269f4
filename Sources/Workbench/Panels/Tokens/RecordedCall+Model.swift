internal import LanguageModels
internal import ModelLab
internal import Providers

extension RecordedCall {
    /// The word that opens the model which answered: a name of the registry, or its file; nil where it is not at hand.
    ///
    /// A trace may come from anywhere: what it names is opened only where it is known here or is a file, for a
    /// specification may also start a program.
    func word(among models: [ModelEntry]) -> String? {
        if let specification {
            if let known = models.first(where: { $0.specification == specification || $0.name == specification }) {
                return known.name
            }
            if specification.hasPrefix("/") { return specification }
        }
        return models.first { $0.name == model }?.name
    }

    /// Splits a prompt whose tokens were not recorded as the model did that answered, where it runs here and told the
    /// tokens of its answer: both together are then exactly what it read and wrote.
    mutating func splitPrompt(in house: ModelHouse) {
        guard prompt.isEmpty, !steps.isEmpty, steps.allSatisfy({ $0.id != nil }),
            let word = try? word(among: house.registry.entries()),
            case .local(let path)? = try? house.specification(of: word), ModelPath.exists(path),
            let model = try? house.model(word) as? LeasedModel,
            let tokens = try? model.local.prompt(for: document.request)
        else { return }
        // A file that was changed since splits otherwise than the one that answered.
        if let read = usage?.input, read != tokens.count { return }
        prompt = tokens
    }
}
