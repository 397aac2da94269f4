internal import JSON
public import LanguageModels

/// What a recorded model call tells beyond its messages: how it was asked, and the tokens of its answer.
public struct RecordedInside: Sendable {
    /// What the model was given.
    public enum Form: Hashable, Sendable {
        case messages
        /// One text: that of all recorded messages together.
        case text
        case tokens([Int])
    }

    public var form = Form.messages
    public var sampling = Sampling()
    public var alternatives = 0
    public var generatedTokens = 0
    public var templateVariables: [String: String] = [:]
    /// Specification that opens the model again; `nil` if not recorded.
    public var specification: String?
    /// Tokens of the prompt; empty if not recorded.
    public var prompt: [PromptToken] = []
    /// Steps of the generation; empty if not recorded.
    public var steps: [TokenStep] = []
    public var finish: String?
    public var secondsToFirstToken: Double?

    public init() {}
}

extension TraceStore {
    /// Returns a span as it was recorded, with the attributes that no column holds; `nil` for a span that did not come
    /// through `SpanRecord` or OTLP.
    public func record(of span: Span) throws -> SpanRecord? {
        guard let record = span.records.last else { return nil }
        let bytes = try raw(record)
        // A damaged record, or one in a format other than JSON, has no span.
        guard let document = try? JSONDocument(parsing: bytes) else { return nil }
        return document.withRoot { SpanRecord(otlp: $0) }
    }

    /// What is known of a model call beyond its messages; of calls that other programs recorded, the sampling.
    public func inside(of span: Span) throws -> RecordedInside {
        try record(of: span).map(RecordedInside.init) ?? RecordedInside()
    }
}

extension RecordedInside {
    fileprivate init(_ span: SpanRecord) {
        self.init()
        func text(_ name: String) -> String? { span[name]?.text.flatMap { $0.isEmpty ? nil : $0 } }
        switch text("orrery.prompt.form") {
        case "text": form = .text
        case "tokens": form = .tokens(text("orrery.prompt.ids").map(RecordedTokens.ids) ?? [])
        default: break
        }
        for setting in RecordedSetting.all {
            if let value = span[setting.name] { setting.read(value, &self) }
        }
        for attribute in span.attributes {
            RecordedSetting.unknown(attribute)?.read(attribute.value, &self)
        }
        generatedTokens = span["orrery.prompt.answered"]?.count ?? 0
        prompt = text("orrery.prompt.tokens").map(RecordedTokens.prompt) ?? []
        steps = text("orrery.answer.steps").map(RecordedTokens.steps) ?? []
        finish = text("gen_ai.response.finish_reasons")
        secondsToFirstToken = span["orrery.response.seconds_to_first_token"]?.number
    }
}
