internal import Models
internal import System

/// Keeps whole activations of a pass, behind the changes that a run makes.
final class LiveCapture: HookVisitor {
    private let hooks: Set<Hook>
    private let changes: LiveChanges
    private(set) var shown: [Hook: HookActivation] = [:]
    private(set) var failure: Problem?

    init(_ hooks: Set<Hook>, _ changes: LiveChanges) {
        self.hooks = hooks
        self.changes = changes
    }

    func wants(_ hook: Hook) -> Bool { hooks.contains(hook) || changes.wants(hook) }

    /// Everything was shown: the rest of the pass is not needed.
    var isDone: Bool { shown.count == hooks.count }

    func visit(_ hook: Hook, _ values: UnsafeMutableBufferPointer<Float>, shape: [Int], firstPosition: Int) {
        do { try changes.apply(hook, values, shape: shape, firstPosition: firstPosition) } catch {
            failure = failure ?? error
        }
        if hooks.contains(hook) { shown[hook] = HookActivation(shape: shape, values: Array(values)) }
    }
}
