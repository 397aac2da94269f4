internal import LanguageModels

extension PromptDocument {
    /// One sampling setting, for forms.
    public struct Setting: Sendable {
        public var name: String
        /// Value in the document; empty if the default applies.
        public var value: String
        /// The default in effect, in a few words.
        public var standard: String
        /// The valid values, in a few words.
        public var allowed: String
        /// Returns the problem of a value; `nil` if it is valid.
        public var check: @Sendable (String) -> String?
    }

    /// Returns all sampling settings with their values in this document.
    ///
    /// - Parameter isLocal: Whether the model runs in this process. Endpoints have their own defaults.
    public func settings(isLocal: Bool) -> [Setting] {
        PromptSetting.allCases.map { setting in
            Setting(
                name: setting.rawValue, value: setting.value(in: self) ?? "",
                standard: isLocal || setting == .alternatives ? setting.standard : "the provider's",
                allowed: setting.allowed,
                check: { text in
                    var document = PromptDocument(model: "", input: .text(""))
                    return setting.set(text, in: &document)
                })
        }
    }
}

extension PromptSetting {
    /// The default of a model in this process, in a few words.
    var standard: String {
        switch self {
        case .temperature, .topP, .typicalP, .repetitionPenalty: "1"
        case .minP, .presencePenalty, .frequencyPenalty: "0"
        case .topK: "all tokens"
        case .seed: "random"
        case .maximumTokens: "rest of the context"
        case .alternatives: "\(PromptDocument.standardAlternatives)"
        }
    }

    /// The valid values of a setting, in a few words.
    var allowed: String {
        switch self {
        case .temperature: "0 to 100; 0 picks the most likely token"
        case .topP, .minP, .typicalP: "0 to 1"
        case .repetitionPenalty: "0.01 to 100"
        case .presencePenalty, .frequencyPenalty: "-100 to 100"
        case .topK, .maximumTokens: "1 or more"
        case .seed: "a whole number"
        case .alternatives: "0 to 200"
        }
    }
}
