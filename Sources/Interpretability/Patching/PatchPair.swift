internal import Models
public import System
public import Tensors
public import Tokenizers

/// Two prompts of one length that differ in what is being asked about, run once each.
///
/// What every kind of patching starts from: the clean prompt on which a model does the thing, the corrupted one on which
/// it does not.
public struct PatchPair<Scalar: FloatingAccumulator> {
    /// Which run is changed.
    public enum Direction: String, CaseIterable, Sendable {
        /// Clean activations go into the corrupted run: what suffices.
        case denoising
        /// Corrupted activations go into the clean run: what is needed.
        case noising
    }

    public let clean: [TokenID]
    public let corrupt: [TokenID]
    public let metric: PatchMetric
    public let direction: Direction
    /// The metric of either run.
    public let cleanValue: Double
    public let corruptValue: Double
    public let reference: PatchReference<Scalar>
    /// `[T, V]` of the corrupted run.
    public let corruptLogits: Tensor<Scalar>

    /// Runs both prompts; two passes.
    ///
    /// - Throws: An error if the prompts differ in length, or the metric is the same for both.
    public init(
        _ model: any HookedModel<Scalar>, clean: [TokenID], corrupt: [TokenID], metric: PatchMetric,
        direction: Direction = .denoising
    ) throws(Problem) {
        try Self.check(clean, corrupt)
        self.clean = clean
        self.corrupt = corrupt
        self.metric = metric
        self.direction = direction
        reference = PatchReference(
            tokens: clean, logits: try model.run(clean, keeping: .only([.logits]))[.logits])
        corruptLogits = try model.run(corrupt, keeping: .only([.logits]))[.logits]
        cleanValue = try metric.value(of: reference.logits, reference: reference)
        corruptValue = try metric.value(of: corruptLogits, reference: reference)
        guard cleanValue.isFinite, corruptValue.isFinite, cleanValue != corruptValue else {
            throw Problem(
                .invalid, "prompts", "both prompts give the same \(metric.sentence), \(cleanValue)",
                remedy: "Choose prompts or a metric with different values: scores are divided by the difference.")
        }
    }

    private static func check(_ clean: [TokenID], _ corrupt: [TokenID]) throws(Problem) {
        guard !clean.isEmpty, clean.count == corrupt.count else {
            throw Problem(
                .corrupt, "prompts", "the prompts have \(clean.count) and \(corrupt.count) tokens",
                remedy: "Use prompts of equal length: each activation is patched into the same position.")
        }
        guard clean != corrupt else {
            throw Problem(.invalid, "prompts", "the prompts are identical", remedy: "Change the subject of one prompt.")
        }
    }

    /// The prompt whose run is changed.
    public var base: [TokenID] { direction == .denoising ? corrupt : clean }
    /// The prompt whose activations are put into it.
    public var source: [TokenID] { direction == .denoising ? clean : corrupt }
    public var baseValue: Double { direction == .denoising ? corruptValue : cleanValue }
    public var sourceValue: Double { direction == .denoising ? cleanValue : corruptValue }

    /// Returns 0 for no effect and 1 for the full effect: (m − m_base)/(m_source − m_base), unclipped.
    public func score(_ value: Double) -> Double { (value - baseValue) / (sourceValue - baseValue) }

    /// The score in words.
    public var formula: String {
        direction == .denoising
            ? "(m_patched − m_corrupt) / (m_clean − m_corrupt)" : "(m_patched − m_clean) / (m_corrupt − m_clean)"
    }

    /// The metric of a run of `base` with something changed.
    public func value(
        _ model: any HookedModel<Scalar>, _ interventions: [Intervention<Scalar>]
    ) throws(Problem) -> Double {
        let cache = try model.run(base, interventions, keeping: .only([.logits]))
        return try metric.value(of: cache[.logits], reference: reference)
    }

    /// An empty map of this pair.
    func map(_ title: String, rows: PatchMap.Axis, columns: PatchMap.Axis) -> PatchMap {
        PatchMap(
            title: title, rows: rows, columns: columns, clean: cleanValue, corrupt: corruptValue,
            metric: metric.sentence, formula: formula)
    }
}
