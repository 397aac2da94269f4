internal import Models
public import System
public import Tensors
public import Tokenizers

/// Activation patching to first order: every cell of every map from one run of either prompt and one way back.
///
/// score = Σ (a_source − a_base) · ∂m/∂a, at the base run, over the elements of a cell, divided by m_source − m_base.
/// Accurate if the metric is nearly linear in the patched activation; poor for whole residual streams of early layers.
///
/// - Source: Nanda, "Attribution patching", 2023; Syed et al., "Attribution patching outperforms automated circuit
///   discovery", 2023.
public struct AttributionPatching<Scalar: FloatingAccumulator> {
    public let model: any DifferentiableModel<Scalar>
    public let pair: PatchPair<Scalar>

    /// Runs both prompts.
    ///
    /// - Throws: An error if the prompts differ in length, or the metric is the same for both.
    public init(
        _ model: any DifferentiableModel<Scalar>, clean: [TokenID], corrupt: [TokenID], metric: PatchMetric,
        direction: PatchPair<Scalar>.Direction = .denoising
    ) throws(Problem) {
        self.model = model
        pair = try PatchPair(model, clean: clean, corrupt: corrupt, metric: metric, direction: direction)
    }

    public func map(_ site: PatchSite, _ axes: PatchAxes) throws(Problem) -> PatchMap {
        try maps([(site, axes)])[0]
    }

    /// Several maps of one way back, in the order in which they are asked for.
    public func maps(_ wanted: [(site: PatchSite, axes: PatchAxes)]) throws(Problem) -> [PatchMap] {
        let known = Set(model.hooks)
        let sites = Set(wanted.map(\.site))
        let hooks = model.hooks.filter { hook in
            sites.contains { site in hook.layer.map { site.hook(layer: $0) == hook } ?? false } && known.contains(hook)
        }
        let source = try model.run(pair.source, keeping: .only(Set(hooks)))
        let (base, gradients) = try model.gradients(pair.base, [], of: hooks) { logits throws(Problem) in
            try pair.metric.gradient(at: logits, reference: pair.reference)
        }
        var maps: [PatchMap] = []
        for (site, axes) in wanted {
            let grid = try PatchGrid(
                site, axes, layerCount: model.layerCount, length: pair.base.count, activations: source.activations)
            var map = pair.map(
                "\(grid.title), attribution, \(pair.direction.rawValue)", rows: grid.rows, columns: grid.columns)
            map.formula = "Σ (a_source − a_base) · ∂m/∂a, divided by m_source − m_base; to first order"
            for layer in grid.layers.sorted() {
                let hook = site.hook(layer: layer)
                guard let gradient = gradients[hook] else { continue }
                let effects = try Self.effects(site, from: try base[hook], to: try source[hook], gradient)
                fill(&map, grid, layer, effects)
            }
            map.isComplete = true
            maps.append(map)
        }
        return maps
    }

    /// (to − from) · gradient summed over what is neither position nor head: `[positions][heads]`, one head where the
    /// site has none.
    static func effects(
        _ site: PatchSite, from: Tensor<Scalar>, to: Tensor<Scalar>, _ gradient: Tensor<Scalar>
    ) throws(Problem) -> [[Double]] {
        let products = try telling { try ((to - from) * gradient).converted(to: Double.self) }
        let sums = try telling { try products.sum(-1) }
        let byPosition = site == .pattern ? sums.transposed() : sums
        let (positions, heads) = (byPosition.shape[0], site.hasHeads ? byPosition.shape[1] : 1)
        let flat = byPosition.elements
        return (0..<positions).map { position in (0..<heads).map { flat[position * heads + $0] } }
    }

    private func fill(_ map: inout PatchMap, _ grid: PatchGrid, _ layer: Int, _ effects: [[Double]]) {
        for (row, column) in grid.cells where grid[row, column].layer == layer {
            let cell = grid[row, column]
            let positions = cell.position.map { $0..<$0 + 1 } ?? effects.indices
            let effect = positions.reduce(0) { sum, position in
                sum + (cell.head.map { effects[position][$0] } ?? effects[position].reduce(0, +))
            }
            let place = row * grid.columnCount + column
            map.values[place] = pair.baseValue + effect
            map.scores[place] = pair.score(pair.baseValue + effect)
        }
    }
}
