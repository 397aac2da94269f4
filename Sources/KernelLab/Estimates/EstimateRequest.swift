/// The input of an estimate: a model, and how it is trained and served.
public struct EstimateRequest: Hashable, Sendable {
    public var model: ModelDescription
    /// Tokens of a whole training.
    public var trainingTokens: Double
    /// Tokens of a sequence, in training and serving.
    public var sequence: Int
    /// Sequences a device works on at once in training.
    public var microBatch: Int
    /// Sequences served at once.
    public var batch: Int
    public var devices: Int
    /// 0 nothing is divided, 1 optimizer states, 2 gradients too, 3 weights too.
    public var zeroStage: Int
    public var precision: TrainingPrecision
    public var optimizer: Optimizer
    public var recompute: Recompute
    /// Whether attention never writes its scores to memory.
    public var flashAttention: Bool
    /// Whether a token sees only those before it, so that half of the scores are worked out.
    public var causal: Bool
    /// Share of the peak that training reaches, 0 to 1.
    public var utilization: Double
    /// Bytes a weight when serving: 2 for bf16, 1 for int8, 0.5625 for 4.5 bits.
    public var weightBytes: Double
    /// Bytes an element of the KV cache.
    public var cacheBytes: Double
    /// Operations a second of one device; nil leaves times out.
    public var peak: Double?
    /// Bytes a second of one device's memory; nil leaves rates out.
    public var bandwidth: Double?
    /// Seconds between asking memory and its answer, for Little's law.
    public var latency: Double
    /// Whose peak and bandwidth these are.
    public var device: String

    public init(model: ModelDescription) {
        self.model = model
        trainingTokens = 20 * model.parameters
        sequence = min(model.context, 4096)
        microBatch = 1
        batch = 1
        devices = 1
        zeroStage = 0
        precision = .mixed
        optimizer = .adam
        recompute = .none
        flashAttention = true
        causal = true
        utilization = 0.4
        weightBytes = 2
        cacheBytes = 2
        latency = 600e-9
        device = ""
    }

    /// Takes the peaks of a device of the table.
    public mutating func use(_ peaks: DevicePeaks) {
        device = peaks.name
        peak = peaks.rate(precision == .full ? .f32 : .tensorBF16)
        bandwidth = peaks.memoryBandwidth * 1e9
    }

    /// What numbers training is done in.
    public enum TrainingPrecision: String, CaseIterable, Hashable, Sendable {
        /// Weights, gradients and states in f32.
        case full
        /// Weights and gradients in bf16 or f16, with a master copy and states in f32.
        case mixed
    }

    /// An optimizer, as far as memory estimates need it.
    public struct Optimizer: Hashable, Sendable {
        /// Name in commands and estimates, such as `adam`.
        public var name: String
        /// Bytes of state per parameter, without master weights.
        public var bytesPerParameter: Double

        /// Creates an optimizer.
        public init(name: String, bytesPerParameter: Double) {
            self.name = name
            self.bytesPerParameter = bytesPerParameter
        }

        /// Adam with two moments in float32.
        public static let adam = Optimizer(name: "adam", bytesPerParameter: 8)
        /// Adam with two 8-bit moments.
        public static let adam8bit = Optimizer(name: "adam-8bit", bytesPerParameter: 2)
        /// Stochastic gradient descent with momentum in float32.
        public static let momentum = Optimizer(name: "momentum", bytesPerParameter: 4)
        /// Stochastic gradient descent without state.
        public static let sgd = Optimizer(name: "sgd", bytesPerParameter: 0)
    }

    /// What of the forward pass is worked out again for the backward pass.
    public enum Recompute: String, CaseIterable, Hashable, Sendable {
        case none
        /// Only the attention scores.
        case selective
        /// Everything but the input of each layer.
        case full
    }

    /// Why these numbers cannot be worked with; nil if they can.
    var problem: String? {
        let model = model
        let positive: [(String, Double)] = [
            ("parameters", model.parameters), ("layers", Double(model.layers)), ("hidden", Double(model.hidden)),
            ("heads", Double(model.heads)), ("KV heads", Double(model.kvHeads)),
            ("head width", Double(model.headWidth)), ("tokens", trainingTokens), ("sequence", Double(sequence)),
            ("micro batch", Double(microBatch)), ("batch", Double(batch)), ("devices", Double(devices)),
            ("weight bytes", weightBytes), ("cache bytes", cacheBytes), ("latency", latency),
        ]
        for (name, value) in positive where !(value > 0 && value < 1e18) {
            return "The \(name) must be above 0 and below 1e18, not \(value)."
        }
        if !(utilization > 0 && utilization <= 1) {
            return "The utilization must be a share of the peak from 0 to 1, not \(utilization). A typical value "
                + "is 0.4."
        }
        if !(0...3).contains(zeroStage) { return "The ZeRO stage must be 0 to 3, not \(zeroStage)." }
        if model.heads % model.kvHeads != 0 {
            return "\(model.heads) heads cannot share \(model.kvHeads) KV heads evenly. Use a divisor of "
                + "\(model.heads)."
        }
        return nil
    }
}
