/// A numeric sampling setting: its values, its words in forms, and its names in requests and recordings.
///
/// Everything that reads or writes sampling settings goes through fields. A field that is not in ``standard`` stores its
/// value in ``Sampling/extras`` and travels with it: requests, recordings, and prompt files contain it without naming it.
///
/// ```swift
/// let topNSigma = SamplingField("top_n_sigma", in: 0...100, standard: "all tokens", help: "Keep tokens within N sigma.")
/// var sampling = Sampling()
/// sampling[topNSigma] = .number(1.5)
/// ```
public struct SamplingField: Sendable {
    /// Place of the value in ``Sampling``.
    public enum Storage: Sendable {
        /// Property of ``Sampling`` for numbers.
        case number(any WritableKeyPath<Sampling, Double?> & Sendable)
        /// Property of ``Sampling`` for whole numbers.
        case count(any WritableKeyPath<Sampling, Int?> & Sendable)
        /// Entry of ``Sampling/extras``.
        case extra
    }

    /// Name in prompt files and in requests to external programs, such as `min_p`.
    public let name: String
    /// Name in sentences, such as `min-p`.
    public let label: String
    /// Place of the value.
    public let storage: Storage
    /// Whether the values are whole numbers.
    public let isWhole: Bool
    /// Values that a user can enter.
    public let limits: ClosedRange<Double>
    /// Valid values in a few words.
    public let allowed: String
    /// Default of a model in this process, in a few words.
    public let standard: String
    /// Help for a command-line option.
    public let help: String
    /// Names in requests to OpenAI-compatible endpoints, including those of llama.cpp and vLLM.
    public let openAI: [String]
    /// Name in requests to Anthropic's API; `nil` if the API does not support the setting.
    public let anthropic: String?
    /// Name of the span attribute.
    public let recorded: String

    /// Creates a field outside ``standard``, with the same name everywhere.
    ///
    /// - Parameters:
    ///   - openAI: Names in requests to OpenAI-compatible endpoints (default: the name).
    ///   - anthropic: Name in requests to Anthropic's API (default: not supported).
    public init(
        _ name: String, label: String? = nil, isWhole: Bool = false, in limits: ClosedRange<Double>,
        standard: String, help: String, openAI: [String]? = nil, anthropic: String? = nil
    ) {
        self.init(
            name, label: label ?? name, .extra, isWhole: isWhole, in: limits, standard: standard, help: help,
            openAI: openAI, anthropic: anthropic, recorded: Self.recordedPrefix + name)
    }

    init(
        _ name: String, label: String, _ storage: Storage, isWhole: Bool = false, in limits: ClosedRange<Double>,
        allowed: String? = nil, standard: String, help: String, openAI: [String]? = nil, anthropic: String? = nil,
        recorded: String
    ) {
        self.name = name
        self.label = label
        self.storage = storage
        self.isWhole = isWhole
        self.limits = limits
        self.allowed = allowed ?? "\(Self.words(limits.lowerBound)) to \(Self.words(limits.upperBound))"
        self.standard = standard
        self.help = help
        self.openAI = openAI ?? [name]
        self.anthropic = anthropic
        self.recorded = recorded
    }

    /// Creates a field of which only the name is known, as in a recording by a program with more samplers.
    public init(named name: String) {
        let most = Double.greatestFiniteMagnitude
        self.init(name, in: -most...most, standard: "none", help: "")
    }

    /// Start of the names of span attributes for which OpenTelemetry has no convention.
    public static let recordedPrefix = "orrery.sampling."

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
    /// The fields of ``Sampling`` in the order of saved requests.
    public static let standard = [
        temperature, topK, topP, minP, typicalP, repetitionPenalty, presencePenalty, frequencyPenalty,
    ]

    /// Divisor of the logits.
    public static let temperature = SamplingField(
        "temperature", label: "temperature", .number(\.temperature), in: 0...100,
        allowed: "0 to 100; 0 picks the most likely token", standard: "1",
        help: "Sampling temperature; 0 picks the most probable token.", anthropic: "temperature",
        recorded: "gen_ai.request.temperature")
    /// Number of most probable tokens to keep.
    public static let topK = SamplingField(
        "top_k", label: "top-k", .count(\.topK), isWhole: true, in: 1...10_000_000, allowed: "1 or more",
        standard: "all tokens", help: "Sample from the K most probable tokens.", anthropic: "top_k",
        recorded: "gen_ai.request.top_k")
    /// Cumulative probability of the tokens to keep.
    public static let topP = SamplingField(
        "top_p", label: "top-p", .number(\.topP), in: 0...1, standard: "1",
        help: "Sample from the top tokens up to this cumulative probability.", anthropic: "top_p",
        recorded: "gen_ai.request.top_p")
    /// Minimum probability relative to the largest.
    public static let minP = SamplingField(
        "min_p", label: "min-p", .number(\.minP), in: 0...1, standard: "0",
        help: "Drop tokens below this fraction of the top probability.", recorded: "orrery.sampling.min_p")
    /// Cumulative probability of locally typical tokens.
    public static let typicalP = SamplingField(
        "typical_p", label: "typical-p", .number(\.typicalP), in: 0...1, standard: "1",
        help: "Sample from locally typical tokens up to this mass.", recorded: "orrery.sampling.typical_p")
    /// Factor for tokens that have occurred, sent under vLLM's name and llama.cpp's.
    public static let repetitionPenalty = SamplingField(
        "repetition_penalty", label: "repetition penalty", .number(\.repetitionPenalty), in: 0.01...100, standard: "1",
        help: "Factor that reduces logits of tokens already present.",
        openAI: ["repetition_penalty", "repeat_penalty"],
        recorded: "orrery.sampling.repetition_penalty")
    /// Amount subtracted once per token that has occurred.
    public static let presencePenalty = SamplingField(
        "presence_penalty", label: "presence penalty", .number(\.presencePenalty), in: -100...100, standard: "0",
        help: "Amount subtracted from logits of tokens already present.", recorded: "gen_ai.request.presence_penalty")
    /// Amount subtracted for each occurrence of a token.
    public static let frequencyPenalty = SamplingField(
        "frequency_penalty", label: "frequency penalty", .number(\.frequencyPenalty), in: -100...100, standard: "0",
        help: "Amount subtracted per earlier occurrence of a token.", recorded: "gen_ai.request.frequency_penalty")
}

/// The value of a sampling setting.
public enum SamplingValue: Hashable, Sendable {
    /// Any number.
    case number(Double)
    /// A whole number.
    case count(Int)

    /// The value as a number.
    public var double: Double {
        switch self {
        case .number(let number): number
        case .count(let count): Double(count)
        }
    }

    /// The value as typed.
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
                    field.isWhole ? Int(exactly: value).map(SamplingValue.count) ?? .number(value) : .number(value)
                }
            }
        }
        set {
            switch field.storage {
            case .number(let path): self[keyPath: path] = newValue?.double
            case .count(let path): self[keyPath: path] = newValue.flatMap { Int(exactly: $0.double) }
            case .extra:
                // Assignment alone would keep the old key, of which perhaps only the name is known.
                extras[field] = nil
                extras[field] = newValue?.double
            }
        }
    }

    /// The fields of ``extras``, by name.
    public var extraFields: [SamplingField] { extras.keys.sorted { $0.name < $1.name } }

    /// Returns the settings that have a value: standard fields in their order, then the others by name.
    ///
    /// - Parameter first: Fields to return before the rest, for formats with another order.
    public func settings(first: [SamplingField] = []) -> [(field: SamplingField, value: SamplingValue)] {
        let rest = SamplingField.standard.filter { !first.contains($0) }
        return (first + rest + extraFields).compactMap { field in self[field].map { (field, $0) } }
    }
}
