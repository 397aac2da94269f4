package import Kernels
public import System
public import Tensors

/// Trains a dictionary on rows of activations, with gradients written out by hand.
///
/// ```swift
/// var configuration = DictionaryConfiguration(.topK(4), features: 128, steps: 3000)
/// configuration.batchRows = 512
/// let toy = try ToyFeatures()
/// let trainer = try DictionaryTrainer(configuration, width: toy.width)
/// let dictionary = try trainer.run(on: toy) { print($0.step, $0.loss.total, $0.deadCount) }
/// ```
///
/// Decoder rows start as random unit vectors, W_enc as their transpose, b_enc at 0. One object trains one dictionary
/// and is used by one thread at a time; the steps themselves use the pool.
public final class DictionaryTrainer {
    public let configuration: DictionaryConfiguration
    /// d.
    public let width: Int
    /// Steps that were made.
    public internal(set) var step = 0
    /// Where the activations come from.
    public let origin: SparseAutoencoder.Origin
    package let engine: DictionaryStep
    /// `[B, d]`: the rows of a step, normalized.
    private let batch: AlignedBuffer<Float>
    var scaling: InputScaling
    /// Rows in which each feature fired, since the last report.
    var firings: [Int]
    var firingRows = 0

    /// - Parameter origin: Hook and model; kind, prefixes and tokens are filled in.
    /// - Throws: An error if the configuration makes no sense or does not fit into memory.
    public convenience init(
        _ configuration: DictionaryConfiguration, width: Int, origin: SparseAutoencoder.Origin = .init()
    ) throws(Problem) {
        try self.init(configuration, width: width, origin: origin, pool: .shared)
    }

    package init(
        _ configuration: DictionaryConfiguration, width: Int, origin: SparseAutoencoder.Origin = .init(),
        pool: ThreadPool
    ) throws(Problem) {
        try configuration.check(width: width)
        self.configuration = configuration
        self.width = width
        self.origin = origin
        engine = try DictionaryStep(configuration, width: width, pool: pool)
        do { batch = try AlignedBuffer(count: configuration.batchRows * width) } catch {
            throw Problem(
                .invalid, "dictionary", "\(configuration.batchRows) rows per step do not fit in memory",
                remedy: "Use fewer rows per step.")
        }
        scaling = InputScaling(configuration.normalization)
        firings = [Int](repeating: 0, count: configuration.features)
        try telling { try start() }
    }

    /// Random unit rows, and their transpose.
    private func start() throws(TensorError) {
        let rows = try Tensor<Float>.normal([configuration.features, width], seed: configuration.seed)
        try rows.withElements { elements in
            _ = engine.weights.decoder.values.elements.update(fromContentsOf: elements)
        }
        for feature in 0..<configuration.features { engine.normalize(engine.weights.decoderRow(feature), width) }
        engine.weights.encoder.values.pointer.update(
            from: engine.weights.decoder.values.pointer, count: configuration.features * width)
    }

    /// One step on `[batchRows, d]`.
    ///
    /// - Returns: The loss before the weights changed.
    /// - Throws: An error if the rows have another shape, or the loss is no longer a number.
    @discardableResult
    public func train(_ rows: Tensor<Float>) throws(Problem) -> DictionaryLoss {
        guard rows.shape == [configuration.batchRows, width] else {
            throw Problem(
                .invalid, "dictionary",
                "a step needs rows of shape [\(configuration.batchRows), \(width)], not \(rows.shape)")
        }
        try telling {
            try rows.withElements { elements in
                _ = batch.elements.update(fromContentsOf: elements)
            }
        }
        scaling.apply(to: batch.elements, width: width)
        if step == 0, configuration.decoderBias == .geometricMedian {
            let median = GeometricMedian.of(UnsafeBufferPointer(batch.elements), width: width)
            for i in 0..<width { engine.weights.decoderBias.values.pointer[i] = median[i] }
        }
        let loss = try engine.differentiate(batch.pointer, step: step)
        guard loss.total.isFinite else {
            throw Problem(
                .invalid, "dictionary", "the loss of step \(step + 1) is \(loss.total)",
                remedy: "Lower the learning rate, or remove rows with values that are not finite.")
        }
        engine.update(step: step)
        step += 1
        for feature in firings.indices { firings[feature] += Int(engine.columns.firings[feature]) }
        firingRows += configuration.batchRows
        if let every = configuration.resamplingSteps, step % every == 0 { engine.resample(step: step) }
        return loss
    }

    /// Features that were silent for the configured number of rows.
    public var deadCount: Int { engine.dead.count }
}
