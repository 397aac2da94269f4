internal import LanguageModels

extension PromptDocument {
    /// One sampling setting, for forms.
    public struct Setting: Sendable {
        public var name: String
        /// As a document has it; empty where the provider decides.
        public var value: String
        /// The values that are taken, in a few words.
        public var allowed: String
        /// What is wrong with a value; nil where nothing is.
        public var check: @Sendable (String) -> String?
    }

    /// Every sampling setting with its value in this document.
    public var settings: [Setting] {
        PromptSetting.allCases.map { setting in
            Setting(
                name: setting.rawValue, value: setting.value(in: self) ?? "", allowed: setting.allowed,
                check: { text in
                    var document = PromptDocument(model: "", input: .text(""))
                    return setting.set(text, in: &document)
                })
        }
    }
}

extension PromptSetting {
    /// The values that a setting takes, in a few words.
    var allowed: String {
        switch self {
        case .temperature: "0 to 100; 0 takes the likeliest token"
        case .topP, .minP, .typicalP: "0 to 1"
        case .repetitionPenalty: "0.01 to 100"
        case .presencePenalty, .frequencyPenalty: "-100 to 100"
        case .topK, .maximumTokens: "1 or more"
        case .seed: "a whole number"
        case .alternatives: "0 to 200"
        }
    }
}
