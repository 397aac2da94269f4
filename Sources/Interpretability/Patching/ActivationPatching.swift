internal import Models
public import System
public import Tensors
public import Tokenizers

/// What single activations of one prompt do in the run of another: the causal map of a behavior.
///
/// ```swift
/// let patching = try ActivationPatching(model, clean: clean, corrupt: corrupt, metric: .logitDifference(correct: a, wrong: b))
/// let map = try patching.map(.residualPre, .layerByPosition)
/// try model.run(patching.pair.base, [patching.intervention(.residualPre, .layerByPosition, row: 2, column: 7)])
/// ```
///
/// A map is one run for each of its cells, and one to take the activations from.
///
/// - Source: Meng et al., "Locating and editing factual associations in GPT", 2022; Zhang and Nanda, "Towards best
///   practices of activation patching", 2024.
public struct ActivationPatching<Scalar: FloatingAccumulator> {
    public let model: any HookedModel<Scalar>
    public let pair: PatchPair<Scalar>

    /// Runs both prompts.
    ///
    /// - Throws: An error if the prompts differ in length, or the metric is the same for both.
    public init(
        _ model: any HookedModel<Scalar>, clean: [TokenID], corrupt: [TokenID], metric: PatchMetric,
        direction: PatchPair<Scalar>.Direction = .denoising
    ) throws(Problem) {
        self.model = model
        pair = try PatchPair(model, clean: clean, corrupt: corrupt, metric: metric, direction: direction)
    }

    /// The score of every cell.
    ///
    /// - Parameters:
    ///   - progress: Called after each cell.
    ///   - isCancelled: Checked before each cell; what was run until then is returned.
    /// - Throws: An error if the model has no such hook, or the site no heads.
    public func map(
        _ site: PatchSite, _ axes: PatchAxes, progress: (PatchProgress) -> Void = { _ in },
        isCancelled: () -> Bool = { false }
    ) throws(Problem) -> PatchMap {
        let (grid, source) = try grid(site, axes)
        var map = pair.map("\(grid.title), \(pair.direction.rawValue)", rows: grid.rows, columns: grid.columns)
        try map.fill(
            grid.cells, progress: progress, isCancelled: isCancelled, score: pair.score
        ) { row, column throws(Problem) in
            try pair.value(model, [try intervention(grid[row, column], site, source)])
        }
        return map
    }

    /// What a cell of a map does, to be run by itself on the pair's `base`; one run to take the activation from.
    public func intervention(
        _ site: PatchSite, _ axes: PatchAxes, row: Int, column: Int
    ) throws(Problem) -> Intervention<Scalar> {
        let (grid, source) = try grid(site, axes)
        return try intervention(grid.cell(row: row, column: column), site, source)
    }

    private func intervention(
        _ cell: PatchGrid.Cell, _ site: PatchSite, _ source: ActivationCache<Scalar>
    ) throws(Problem) -> Intervention<Scalar> {
        let hook = site.hook(layer: cell.layer)
        return Intervention(
            hook, at: cell.position.map { .only($0) } ?? .all, head: cell.head, .replace(try source[hook]))
    }

    private func grid(
        _ site: PatchSite, _ axes: PatchAxes
    ) throws(Problem) -> (PatchGrid, ActivationCache<Scalar>) {
        let known = Set(model.hooks)
        let hooks = Set((0..<model.layerCount).map(site.hook)).intersection(known)
        let source = try model.run(pair.source, keeping: .only(hooks))
        let grid = try PatchGrid(
            site, axes, layerCount: model.layerCount, length: pair.base.count, activations: source.activations)
        return (grid, source)
    }
}
