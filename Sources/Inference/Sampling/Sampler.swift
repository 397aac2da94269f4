public import LanguageModels
public import Models

/// A sampling setting that models in this process support: its field, and how to create its logit processor.
///
/// To add a sampler, declare its field, sampler, and processor in one file, and list the sampler in
/// ``SamplerTable/standard``.
public struct Sampler: Sendable {
    /// Field of the setting.
    public let field: SamplingField
    /// Whether the sampler only removes candidates. Such samplers are skipped at temperature 0, which leaves one token.
    public let truncates: Bool
    /// Returns the processor for a value; `nil` if the value has no effect.
    ///
    /// The closure throws ``outOfRange(_:_:_:)`` for a value out of range.
    let makeProcessor: @Sendable (SamplingValue) throws(ModelError) -> (any LogitProcessor)?

    /// Creates a sampler.
    ///
    /// - Parameters:
    ///   - truncates: Whether the sampler only removes candidates.
    ///   - makeProcessor: Returns the processor for a value, or `nil` if the value has no effect. Throws
    ///     ``outOfRange(_:_:_:)`` for a value out of range.
    public init(
        _ field: SamplingField, truncates: Bool = false,
        makeProcessor: @escaping @Sendable (SamplingValue) throws(ModelError) -> (any LogitProcessor)?
    ) {
        self.field = field
        self.truncates = truncates
        self.makeProcessor = makeProcessor
    }

    /// Returns the error for a value out of range.
    ///
    /// - Parameter remedy: Sentence that states the valid values.
    public static func outOfRange(_ field: SamplingField, _ value: SamplingValue, _ remedy: String) -> ModelError {
        ModelError("sampling", problem: "\(field.label) \(value.double) is out of range", remedy: remedy)
    }

    /// Returns a truncating sampler whose values are probabilities, 0 to 1.
    static func probability(
        _ field: SamplingField, makeProcessor: @escaping @Sendable (Double) -> (any LogitProcessor)?
    ) -> Sampler {
        Sampler(field, truncates: true) { value throws(ModelError) in
            guard value.double >= 0, value.double <= 1 else {
                throw outOfRange(field, value, "Use a number from 0 to 1.")
            }
            return makeProcessor(value.double)
        }
    }

    /// Returns a sampler whose values are subtracted from logits: -10,000 to 10,000, where 0 has no effect.
    static func penalty(
        _ field: SamplingField, makeProcessor: @escaping @Sendable (Float) -> any LogitProcessor
    ) -> Sampler {
        Sampler(field) { value throws(ModelError) in
            guard value.double != 0 else { return nil }
            guard abs(value.double) <= 1e4 else { throw outOfRange(field, value, "Use a number from -2 to 2.") }
            return makeProcessor(Float(value.double))
        }
    }
}

/// The samplers that models in this process support.
///
/// A table is a value: programs use ``standard``, and tests and extensions add samplers to a copy.
public struct SamplerTable: Sendable {
    /// Samplers in the order of their application.
    public let samplers: [Sampler]

    /// Creates a table of samplers with different fields.
    public init(_ samplers: [Sampler]) {
        precondition(Set(samplers.map(\.field)).count == samplers.count, "two samplers have the same field")
        self.samplers = samplers
    }

    /// Every sampler in this module, in the order of Hugging Face transformers.
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

    /// Returns the table with a sampler added at the end, so that it is applied last.
    public func adding(_ sampler: Sampler) -> SamplerTable { SamplerTable(samplers + [sampler]) }

    /// Fields outside ``SamplingField/standard``, in the order of the samplers.
    public var extraFields: [SamplingField] {
        samplers.map(\.field).filter { !SamplingField.standard.contains($0) }
    }

    /// Returns whether a sampler has the field.
    func contains(_ field: SamplingField) -> Bool { samplers.contains { $0.field == field } }
}
