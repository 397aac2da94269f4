internal import Kernels
internal import Models
internal import System
internal import Tensors

/// Looks on while a pass of a run goes through the model: makes the changes first, then keeps what the pass goes on
/// with.
final class RunRecorder: HookVisitor {
    private let configuration: ModelConfiguration
    private let options: RunOptions
    private let pool: ThreadPool
    private let changes: LiveChanges
    private let first: Int
    private let count: Int
    private let attention: AtlasPass?
    private let residuals: ResidualBlock?
    private var norms: [Float]
    private var experts: [Float]
    private var features: [SparseCodes?]
    /// The pass goes on, and what it made is not kept.
    private(set) var failure: Problem?

    init(
        _ model: InspectedModel, _ options: RunOptions, changes: LiveChanges, first: Int, count: Int,
        attention: AtlasPass?
    ) throws(Problem) {
        configuration = model.configuration
        self.options = options
        pool = model.pool
        self.changes = changes
        (self.first, self.count) = (first, count)
        self.attention = attention
        let layers = configuration.layerCount
        let bytes = 4 * count * layers * configuration.width
        residuals =
            bytes <= options.residualBudget
            ? try ResidualBlock(first: first, count: count, layers: layers, width: configuration.width) : nil
        norms = Array(repeating: 0, count: count * layers)
        experts = Array(repeating: 0, count: count * layers * (configuration.experts?.count ?? 0))
        features = Array(repeating: nil, count: options.dictionaries.count)
    }

    func wants(_ hook: Hook) -> Bool {
        if changes.wants(hook) || options.dictionaries.contains(where: { $0.hook == hook }) { return true }
        switch hook {
        case .residualPost, .expertWeights: return true
        case .value, .pattern: return attention != nil
        case .rotatedQuery: return attention != nil
        case .query: return attention != nil && !hasRotation
        default: return false
        }
    }

    private var hasRotation: Bool {
        if case .rotary = configuration.positions { true } else { false }
    }

    func visit(_ hook: Hook, _ values: UnsafeMutableBufferPointer<Float>, shape: [Int], firstPosition: Int) {
        do {
            try changes.apply(hook, values, shape: shape, firstPosition: firstPosition)
            try keep(hook, values)
        } catch {
            failure = failure ?? error
        }
    }

    private func keep(_ hook: Hook, _ values: UnsafeMutableBufferPointer<Float>) throws(Problem) {
        for (index, attached) in options.dictionaries.enumerated() where attached.hook == hook {
            let (rows, width) = (Array(values), attached.dictionary.inputWidth)
            let tensor = try telling { try Tensor(rows, shape: [rows.count / width, width]) }
            features[index] = try attached.dictionary.encode(tensor)
        }
        guard let base = values.baseAddress else { return }
        switch hook {
        case .residualPost(let layer): keepResidual(layer, base)
        case .expertWeights(let layer): keepExperts(layer, base)
        case .value(let layer): attention?.visitValues(layer: layer, base, width: configuration.valueWidth)
        case .rotatedQuery(let layer): attention?.visitQueries(layer: layer, base)
        case .query(let layer) where !hasRotation: attention?.visitQueries(layer: layer, base)
        case .pattern(let layer):
            attention?.visitPattern(layer: layer, base, keys: first + count, pool: pool)
        default: break
        }
    }

    private func keepResidual(_ layer: Int, _ values: UnsafePointer<Float>) {
        let (layers, width) = (configuration.layerCount, configuration.width)
        for token in 0..<count {
            let row = values + token * width
            var square: Float = 0
            for number in 0..<width { square += row[number] * row[number] }
            norms[token * layers + layer] = square.squareRoot()
            if let residuals {
                (residuals.rows.pointer + (token * layers + layer) * width).update(from: row, count: width)
            }
        }
    }

    private func keepExperts(_ layer: Int, _ values: UnsafePointer<Float>) {
        let (layers, width) = (configuration.layerCount, configuration.experts?.count ?? 0)
        for token in 0..<count {
            for expert in 0..<width {
                experts[(token * layers + layer) * width + expert] = values[token * width + expert]
            }
        }
    }

    /// The state with what this pass showed.
    func added(to state: RunState) -> RunState {
        var state = state
        state.readCount = first + count
        state.residualNorms += norms
        state.expertWeights += experts
        for (index, codes) in features.enumerated() {
            if let codes { state.features[index].append(codes) }
        }
        state.keep(residuals, within: options.residualBudget)
        if let attention { state.atlas = attention.finished() }
        return state
    }
}
