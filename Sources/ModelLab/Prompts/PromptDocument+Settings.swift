public import Inference
internal import LanguageModels

extension PromptDocument {
    /// A sampling setting as a form shows it.
    public struct Setting: Sendable {
        public var name: String
        /// Value in the document; empty if the default applies.
        public var value: String
        /// Description of the default in effect.
        public var defaultText: String
        /// Description of the valid values.
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
                defaultText: isLocal || setting == .alternatives ? setting.defaultText : "the provider's",
                allowed: setting.allowed,
                check: { text in
                    var document = PromptDocument(model: "", input: .text(""))
                    return setting.set(text, in: &document)
                })
        }
    }
}

extension PromptSetting {
    /// Description of the default of models in this process.
    var defaultText: String {
        switch self {
        case .field(let field): field.defaultText
        case .seed: "random"
        case .maximumTokens: "rest of the context"
        case .alternatives: "\(PromptDocument.standardAlternatives)"
        }
    }

    /// Description of the valid values.
    var allowed: String {
        switch self {
        case .field(let field): field.allowed
        case .maximumTokens: "1 or more"
        case .seed: "a whole number"
        case .alternatives: "0 to 200"
        }
    }
}
