public import Models
public import System
public import Tensors

/// Changes activations while the runtime runs, and keeps those that are asked for as they were after the change.
///
/// Positions are those of the whole sequence: a change of position 40 waits until a pass comes to it. Rows of later
/// passes are appended; scores and patterns of earlier passes know fewer keys, and what they lack is −∞ or 0.
public final class InterventionVisitor: HookVisitor {
    private let changes: [Hook: [Intervention<Float>]]
    private let keeping: HookSelection
    private let segment: Int
    private var current = 0
    private var pieces: [Hook: [Tensor<Float>]] = [:]

    /// First failure in a pass, such as exhausted memory. The affected activation was left unchanged.
    public private(set) var failure: Problem?

    /// - Parameters:
    ///   - interventions: Applied in this order if several are at one hook.
    ///   - segment: Sequence of the batch to change and capture; the others run unchanged.
    ///   - tokens: Number of tokens of the whole sequence, if known; positions and rows must then be within it.
    /// - Throws: An error if a hook is none of this model, or a change does not fit its shape.
    public init(
        _ interventions: [Intervention<Float>], keeping: HookSelection = .none,
        for configuration: ModelConfiguration, segment: Int = 0, tokens: Int? = nil
    ) throws(Problem) {
        self.keeping = keeping
        self.segment = segment
        changes = Dictionary(grouping: interventions) { $0.hook }
        let hooks = interventions.isEmpty ? [] : Hook.allCases(for: configuration)
        for intervention in interventions {
            let shape = intervention.hook.shape(for: configuration, tokens: tokens ?? 1, keys: tokens ?? 1)
            try intervention.check(hooks: hooks, shape: shape, isWhole: tokens != nil)
        }
    }

    public func wants(_ hook: Hook) -> Bool { changes[hook] != nil || keeping.contains(hook) }

    public func willVisit(segment: Int) { current = segment }

    public func visit(_ hook: Hook, _ values: UnsafeMutableBufferPointer<Float>, shape: [Int], firstPosition: Int) {
        guard current == segment else { return }
        do throws(Problem) {
            try telling {
                for change in changes[hook] ?? [] {
                    try change.apply(to: values, shape: shape, firstPosition: firstPosition)
                }
                guard keeping.contains(hook) else { return }
                pieces[hook, default: []].append(
                    try Tensor(shape: shape) { _ = $0.update(fromContentsOf: values) })
            }
        } catch {
            failure = failure ?? error
        }
    }

    /// Returns the activations captured since the start or the last `reset`.
    public func activations() throws(Problem) -> [Hook: Tensor<Float>] {
        var result: [Hook: Tensor<Float>] = [:]
        for (hook, pieces) in pieces {
            result[hook] = try telling { try Self.joined(pieces, hook) }
        }
        return result
    }

    /// Discards captured activations and any failure; changes stay.
    public func reset() {
        pieces.removeAll(keepingCapacity: true)
        failure = nil
    }

    private static func joined(_ pieces: [Tensor<Float>], _ hook: Hook) throws -> Tensor<Float> {
        if pieces.count == 1 { return pieces[0] }
        guard hook.isByHead else { return try concatenate(pieces, axis: 0) }
        let keys = pieces.reduce(0) { max($0, $1.shape[2]) }
        var missing: Float = 0
        if case .scores = hook { missing = -.infinity }
        return try concatenate(
            pieces.map { try $0.padded([(0, 0), (0, 0), (0, keys - $0.shape[2])], with: missing) }, axis: 1)
    }
}
