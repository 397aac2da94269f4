/// A numeric sampling setting: its range, its texts in forms, and its names in requests and recordings.
///
/// All code that reads or writes sampling settings iterates over fields. The value of a field outside ``standard`` is
/// stored in ``Sampling/extras``, so requests, recordings, and prompt files include it without code of their own.
///
/// ```swift
/// let topNSigma = SamplingField("top_n_sigma", in: 0...100, default: "all tokens", help: "Keep tokens within N sigma.")
/// var sampling = Sampling()
/// sampling[topNSigma] = .number(1.5)
/// ```
public struct SamplingField: Sendable {
    /// The location of a value in ``Sampling``.
    public enum Storage: Sendable {
        /// Property that holds a number.
        case number(any WritableKeyPath<Sampling, Double?> & Sendable)
        /// Property that holds an integer.
        case count(any WritableKeyPath<Sampling, Int?> & Sendable)
        /// Entry of ``Sampling/extras``.
        case extra
    }

    /// Name in prompt files and in requests to external programs, such as `min_p`.
    public let name: String
    /// Name in sentences, such as `min-p`.
    public let label: String
    /// Location of the value in ``Sampling``.
    public let storage: Storage
    /// Whether values must be integers.
    public let isInteger: Bool
    /// Range of the values that a user can enter.
    public let limits: ClosedRange<Double>
    /// Description of the valid values.
    public let allowed: String
    /// Description of the default of models in this process. Endpoints have their own defaults.
    public let defaultText: String
    /// Help text for the command-line option.
    public let help: String
    /// Names in requests to OpenAI-compatible endpoints, including those of llama.cpp and vLLM.
    public let openAINames: [String]
    /// Name in requests to Anthropic's API; `nil` if the API does not support the setting.
    public let anthropicName: String?
    /// Name of the span attribute.
    public let spanAttribute: String

    /// Creates a field outside ``standard``.
    ///
    /// - Parameters:
    ///   - name: Name in prompt files, requests, and recordings.
    ///   - label: Name in sentences (default: `name`).
    ///   - defaultText: Description of the default.
    ///   - openAINames: Names in requests to OpenAI-compatible endpoints (default: `name`).
    ///   - anthropicName: Name in requests to Anthropic's API (default: not supported).
    public init(
        _ name: String, label: String? = nil, isInteger: Bool = false, in limits: ClosedRange<Double>,
        default defaultText: String, help: String, openAINames: [String]? = nil, anthropicName: String? = nil
    ) {
        self.init(
            name, label: label ?? name, .extra, isInteger: isInteger, in: limits, default: defaultText, help: help,
            openAINames: openAINames, anthropicName: anthropicName, spanAttribute: Self.spanAttributePrefix + name)
    }

    init(
        _ name: String, label: String, _ storage: Storage, isInteger: Bool = false, in limits: ClosedRange<Double>,
        allowed: String? = nil, default defaultText: String, help: String, openAINames: [String]? = nil,
        anthropicName: String? = nil,
        spanAttribute: String
    ) {
        self.name = name
        self.label = label
        self.storage = storage
        self.isInteger = isInteger
        self.limits = limits
        self.allowed = allowed ?? "\(Self.words(limits.lowerBound)) to \(Self.words(limits.upperBound))"
        self.defaultText = defaultText
        self.help = help
        self.openAINames = openAINames ?? [name]
        self.anthropicName = anthropicName
        self.spanAttribute = spanAttribute
    }

    /// Creates a field for a name in a recording by a program with other samplers. Its range and help are unknown.
    public init(named name: String) {
        let greatest = Double.greatestFiniteMagnitude
        self.init(name, in: -greatest...greatest, default: "none", help: "")
    }

    /// Prefix of the names of span attributes for which OpenTelemetry has no convention.
    public static let spanAttributePrefix = "orrery.sampling."

    private static func words(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }
}

/// Fields with the same name are equal.
extension SamplingField: Hashable {
    public static func == (one: Self, other: Self) -> Bool { one.name == other.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension SamplingField {
    /// Fields with a property of ``Sampling``, in the order of packed eval requests. The order must not change.
    public static let standard = [
        temperature, topK, topP, minP, typicalP, repetitionPenalty, presencePenalty, frequencyPenalty,
    ]

    /// Divisor of the logits.
    public static let temperature = SamplingField(
        "temperature", label: "temperature", .number(\.temperature), in: 0...100,
        allowed: "0 to 100; 0 picks the most likely token", default: "1",
        help: "Sampling temperature; 0 picks the most probable token.", anthropicName: "temperature",
        spanAttribute: "gen_ai.request.temperature")
    /// Number of most probable tokens to keep.
    public static let topK = SamplingField(
        "top_k", label: "top-k", .count(\.topK), isInteger: true, in: 1...10_000_000, allowed: "1 or more",
        default: "all tokens", help: "Sample from the K most probable tokens.", anthropicName: "top_k",
        spanAttribute: "gen_ai.request.top_k")
    /// Cumulative probability of the tokens to keep.
    public static let topP = SamplingField(
        "top_p", label: "top-p", .number(\.topP), in: 0...1, default: "1",
        help: "Sample from the top tokens up to this cumulative probability.", anthropicName: "top_p",
        spanAttribute: "gen_ai.request.top_p")
    /// Minimum probability as a fraction of the largest.
    public static let minP = SamplingField(
        "min_p", label: "min-p", .number(\.minP), in: 0...1, default: "0",
        help: "Drop tokens below this fraction of the top probability.", spanAttribute: "orrery.sampling.min_p")
    /// Cumulative probability of the locally typical tokens to keep.
    public static let typicalP = SamplingField(
        "typical_p", label: "typical-p", .number(\.typicalP), in: 0...1, default: "1",
        help: "Sample from locally typical tokens up to this probability.", spanAttribute: "orrery.sampling.typical_p")
    /// Factor for tokens that have occurred. Requests contain it under the names of vLLM and llama.cpp.
    public static let repetitionPenalty = SamplingField(
        "repetition_penalty", label: "repetition penalty", .number(\.repetitionPenalty), in: 0.01...100, default: "1",
        help: "Factor that reduces logits of tokens already present.",
        openAINames: ["repetition_penalty", "repeat_penalty"],
        spanAttribute: "orrery.sampling.repetition_penalty")
    /// Amount subtracted once per token that has occurred.
    public static let presencePenalty = SamplingField(
        "presence_penalty", label: "presence penalty", .number(\.presencePenalty), in: -100...100, default: "0",
        help: "Amount subtracted from logits of tokens already present.",
        spanAttribute: "gen_ai.request.presence_penalty")
    /// Amount subtracted for each occurrence of a token.
    public static let frequencyPenalty = SamplingField(
        "frequency_penalty", label: "frequency penalty", .number(\.frequencyPenalty), in: -100...100, default: "0",
        help: "Amount subtracted per earlier occurrence of a token.", spanAttribute: "gen_ai.request.frequency_penalty")
}

/// The value of a sampling setting.
public enum SamplingValue: Hashable, Sendable {
    /// Any number.
    case number(Double)
    /// An integer.
    case count(Int)

    /// The value as a number.
    public var double: Double {
        switch self {
        case .number(let number): number
        case .count(let count): Double(count)
        }
    }

    /// The value as text that a user could enter.
    public var text: String {
        switch self {
        case .number(let number): "\(number)"
        case .count(let count): "\(count)"
        }
    }
}

extension Sampling {
    /// The value of a field; `nil` leaves the setting to the provider.
    public subscript(field: SamplingField) -> SamplingValue? {
        get {
            switch field.storage {
            case .number(let path): self[keyPath: path].map(SamplingValue.number)
            case .count(let path): self[keyPath: path].map(SamplingValue.count)
            case .extra:
                extras[field].map { value in
                    field.isInteger ? Int(exactly: value).map(SamplingValue.count) ?? .number(value) : .number(value)
                }
            }
        }
        set {
            switch field.storage {
            case .number(let path): self[keyPath: path] = newValue?.double
            case .count(let path): self[keyPath: path] = newValue.flatMap { Int(exactly: $0.double) }
            case .extra:
                // Assignment alone would keep the old key, which may come from a recording and lack range and help.
                extras[field] = nil
                extras[field] = newValue?.double
            }
        }
    }

    /// Fields in ``extras``, sorted by name.
    public var extraFields: [SamplingField] { extras.keys.sorted { $0.name < $1.name } }

    /// Returns the settings that have a value: fields of ``SamplingField/standard`` in their order, then others by name.
    ///
    /// - Parameter first: Fields to move to the front, for formats with a different order.
    public func settings(first: [SamplingField] = []) -> [(field: SamplingField, value: SamplingValue)] {
        let rest = SamplingField.standard.filter { !first.contains($0) }
        return (first + rest + extraFields).compactMap { field in self[field].map { (field, $0) } }
    }
}
