internal import LanguageModels
internal import ModelLab
internal import Providers

extension RecordedCall {
    /// Returns the name or file that opens the model of the call; `nil` if the model is not available.
    ///
    /// A trace may come from anywhere, and a specification may start a program. So a model opens only if the workspace
    /// knows it or if it is a file.
    func word(among models: [ModelEntry]) -> String? {
        if let specification {
            if let known = models.first(where: { $0.specification == specification || $0.name == specification }) {
                return known.name
            }
            if specification.hasPrefix("/") { return specification }
        }
        return models.first { $0.name == model }?.name
    }

    /// Tokenizes a prompt without recorded tokens as its model did, if the model runs here and the tokens of its answer
    /// were recorded. Both together are then exactly what the model read and wrote.
    mutating func splitPrompt(in house: ModelHouse) {
        guard prompt.isEmpty, !steps.isEmpty, steps.allSatisfy({ $0.id != nil }),
            let word = try? word(among: house.registry.entries()),
            case .local(let path)? = try? house.specification(of: word), ModelPath.exists(path),
            let model = try? house.model(word) as? LeasedModel,
            let tokens = try? model.local.prompt(for: document.request)
        else { return }
        // A file that changed since the call may tokenize differently.
        if let read = usage?.input, read != tokens.count { return }
        prompt = tokens
    }
}
