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
    /// What is known of a model call beyond its messages; of calls that other programs recorded, the sampling.
    public func inside(of span: Span) throws -> RecordedInside {
        guard let record = span.records.last, let document = try? JSONDocument(parsing: try raw(record)) else {
            return RecordedInside()
        }
        return document.withRoot { root in
            guard let attributes = root["attributes"] else { return RecordedInside() }
            return RecordedInside(OTLPValue.pairs(attributes))
        }
    }
}

extension RecordedInside {
    fileprivate init(_ attributes: OTLPValue) {
        self.init()
        switch attributes.member("orrery.prompt.form")?.string {
        case "text": form = .text
        case "tokens":
            let ids = attributes.member("orrery.prompt.ids")?.string.flatMap { try? JSONDocument(parsing: $0) }
            form = .tokens(ids?.withRoot { $0.elements.compactMap(\.int).map(Int.init) } ?? [])
        default: break
        }
        readFields(attributes)
        sampling.maximumTokens = Self.count(attributes.member("gen_ai.request.max_tokens"))
        sampling.seed = attributes.member("gen_ai.request.seed").flatMap { UInt64($0.text) }
        attributes.member("gen_ai.request.stop_sequences")?.forEachElement { text in
            if !text.text.isEmpty { sampling.stop.append(text.text) }
        }
        Self.forEachPair(attributes.member("orrery.sampling.bias")) { key, value in
            if let id = Int(key), let bias = value.double { sampling.bias[id] = bias }
        }
        Self.forEachPair(attributes.member("orrery.template.variables")) { key, value in
            templateVariables[key] = value.string
        }
        alternatives = Self.count(attributes.member("orrery.request.alternatives")) ?? 0
        generatedTokens = Self.count(attributes.member("orrery.prompt.answered")) ?? 0
        specification = attributes.member("orrery.model.specification")?.string
        prompt = attributes.member("orrery.prompt.tokens")?.string.map(RecordedTokens.prompt) ?? []
        steps = attributes.member("orrery.answer.steps")?.string.map(RecordedTokens.steps) ?? []
        finish = attributes.member("gen_ai.response.finish_reasons")?.string
        secondsToFirstToken = attributes.member("orrery.response.seconds_to_first_token")?.double
    }

    /// Reads the numeric settings. A name that this program does not know becomes a field of that name.
    private mutating func readFields(_ attributes: OTLPValue) {
        guard case .pairs(let list) = attributes else { return }
        for pair in list.elements {
            guard let key = pair["key"]?.string, let value = pair["value"].map({ OTLPValue.wrapped($0) }) else {
                continue
            }
            let field: SamplingField
            if let known = Self.fields[key] {
                field = known
            } else if key.hasPrefix(SamplingField.spanAttributePrefix), key != "orrery.sampling.bias",
                value.shape == .number
            {
                field = SamplingField(named: String(key.dropFirst(SamplingField.spanAttributePrefix.count)))
            } else {
                continue
            }
            guard sampling[field] == nil else { continue }
            if case .count = field.storage {
                sampling[field] = Self.count(value).map(SamplingValue.count)
            } else {
                sampling[field] = value.double.map(SamplingValue.number)
            }
        }
    }

    /// Standard fields by the names of their attributes.
    private static let fields = Dictionary(uniqueKeysWithValues: SamplingField.standard.map { ($0.spanAttribute, $0) })

    private static func count(_ value: OTLPValue?) -> Int? {
        value?.int.flatMap { $0 > 0 && $0 <= Int32.max ? Int($0) : nil }
    }

    private static func forEachPair(_ value: OTLPValue?, _ body: (String, JSONNode) -> Void) {
        guard let text = value?.string, let document = try? JSONDocument(parsing: text) else { return }
        document.withRoot { root in
            for (key, value) in root.members { body(key.string ?? "", value) }
        }
    }
}
