public import Inference
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
    /// - Parameters:
    ///   - isLocal: Whether the model runs in this process. Endpoints have their own defaults.
    ///   - samplers: Supported samplers.
    public func settings(isLocal: Bool, samplers: SamplerTable = .standard) -> [Setting] {
        PromptSetting.all(with: samplers.extraFields).map { setting in
            Setting(
                name: setting.name, value: setting.value(in: self) ?? "",
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
        case .field(let field): field.standard
        case .seed: "random"
        case .maximumTokens: "rest of the context"
        case .alternatives: "\(PromptDocument.standardAlternatives)"
        }
    }

    /// The valid values of a setting, in a few words.
    var allowed: String {
        switch self {
        case .field(let field): field.allowed
        case .maximumTokens: "1 or more"
        case .seed: "a whole number"
        case .alternatives: "0 to 200"
        }
    }
}
