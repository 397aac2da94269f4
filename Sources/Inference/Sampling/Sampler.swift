public import LanguageModels
public import Models

/// A sampling setting that models in this process support: its field, and the logit processor that carries it out.
///
/// To add a sampler, declare its processor, field, and sampler in one file and add the sampler to a table.
public struct Sampler: Sendable {
    /// Setting that the sampler carries out.
    public let field: SamplingField
    /// Whether the sampler only removes candidates, which has no effect if the temperature is 0.
    public let truncates: Bool
    /// Returns the processor for a value; `nil` if the value has no effect.
    ///
    /// Throws a `ModelError` if the value is out of range; see ``outOfRange(_:_:)``.
    let processor: @Sendable (SamplingValue) throws(ModelError) -> (any LogitProcessor)?

    /// Creates a sampler; `processor` returns `nil` for a value without effect and throws if it is out of range.
    public init(
        _ field: SamplingField, truncates: Bool = false,
        processor: @escaping @Sendable (SamplingValue) throws(ModelError) -> (any LogitProcessor)?
    ) {
        self.field = field
        self.truncates = truncates
        self.processor = processor
    }

    /// Returns the error for a value out of range.
    public static func outOfRange(_ field: SamplingField, _ value: SamplingValue, _ remedy: String) -> ModelError {
        ModelError("sampling", problem: "\(field.label) \(value.double) is out of range", remedy: remedy)
    }

    /// Returns the sampler of a share of probability.
    static func share(
        _ field: SamplingField, processor: @escaping @Sendable (Double) -> (any LogitProcessor)?
    ) -> Sampler {
        Sampler(field, truncates: true) { value throws(ModelError) in
            guard value.double >= 0, value.double <= 1 else {
                throw outOfRange(field, value, "Use a number from 0 to 1.")
            }
            return processor(value.double)
        }
    }

    /// Returns the sampler of an amount that is subtracted from logits.
    static func penalty(
        _ field: SamplingField, processor: @escaping @Sendable (Float) -> any LogitProcessor
    ) -> Sampler {
        Sampler(field) { value throws(ModelError) in
            guard value.double != 0 else { return nil }
            guard abs(value.double) <= 1e4 else { throw outOfRange(field, value, "Use a number from -2 to 2.") }
            return processor(Float(value.double))
        }
    }
}

/// The samplers that models in this process support, in the order in which they work.
///
/// A table is a value: programs pass ``standard``, tests and extensions add their own samplers to a copy.
public struct SamplerTable: Sendable {
    /// Samplers in the order in which they work.
    public let samplers: [Sampler]

    /// Creates a table of samplers with different fields.
    public init(_ samplers: [Sampler]) {
        precondition(Set(samplers.map(\.field)).count == samplers.count, "two samplers have the same field")
        self.samplers = samplers
    }

    /// Every sampler of this module, in the order of transformers.
    public static let standard = SamplerTable([
        RepetitionPenalty.sampler,
        PresencePenalty.sampler,
        FrequencyPenalty.sampler,
        Temperature.sampler,
        TopK.sampler,
        TopP.sampler,
        MinP.sampler,
        Typical.sampler,
    ])

    /// Returns the table with one more sampler, which works last.
    public func adding(_ sampler: Sampler) -> SamplerTable { SamplerTable(samplers + [sampler]) }

    /// Fields outside ``SamplingField/standard``, in the order of the samplers.
    public var extraFields: [SamplingField] {
        samplers.map(\.field).filter { !SamplingField.standard.contains($0) }
    }

    func contains(_ field: SamplingField) -> Bool { samplers.contains { $0.field == field } }
}
