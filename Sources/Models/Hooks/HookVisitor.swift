/// Looks at intermediates while a model runs, and may change them.
///
/// A pass computes and shows only what is wanted: nothing costs anything for a visitor that wants nothing.
public protocol HookVisitor: AnyObject {
    /// Asked once for each hook of a pass.
    func wants(_ hook: Hook) -> Bool
    /// Called before the hooks of another sequence of the batch: its number among the segments.
    func willVisit(segment: Int)
    /// Called in the order of the pass, on the thread that runs it. What is written into `values` is what the pass
    /// goes on with, except for `scores` of a pattern that was already computed.
    ///
    /// - Parameters:
    ///   - values: row-major, valid only during the call.
    ///   - shape: as `Hook` documents it, for the tokens of this pass.
    ///   - firstPosition: the position of the pass's first token in its sequence.
    func visit(_ hook: Hook, _ values: UnsafeMutableBufferPointer<Float>, shape: [Int], firstPosition: Int)
}

extension HookVisitor {
    public func willVisit(segment: Int) {}
}
