internal import Kernels

/// The memory of a pass: one stretch for each purpose, which grows to the largest pass that it has seen and is used
/// again by the next.
struct Arena: ~Copyable {
    enum Slot: Int, CaseIterable {
        /// `[rows, D]` each.
        case residual, normalized, delta
        /// `[rows, queries | keys | values]`.
        case projected
        /// `[rows, H, valueWidth]`.
        case gathered
        /// `[rows, gate | up]`.
        case hidden
        /// `[outputs, V]`.
        case logits
        /// `[rows, pairs]` each: cosines and sines of all layers but the windowed, and of the windowed.
        case cosines, sines, windowedCosines, windowedSines
        /// Scores of explicit attention.
        case scores
        /// A hook's rows, brought together.
        case visited, scales
        /// Experts: the router's logits and weights, the rows of one of them, and what it makes of them.
        case routed, expertInput, expertHidden, expertOutput
        /// Adapters: `[rows, r]`, `[rows, outputs]`.
        case adapterInner, adapterOutput
        case pooled
    }

    private var buffers = [AlignedBuffer<Float>?](repeating: nil, count: Slot.allCases.count)

    /// Room for `count` numbers; what the slot held is lost where it grows.
    mutating func floats(_ slot: Slot, _ count: Int) throws(ModelError) -> UnsafeMutablePointer<Float> {
        try buffer(slot, count).pointer
    }

    /// The same, for those who keep it alive.
    mutating func buffer(_ slot: Slot, _ count: Int) throws(ModelError) -> AlignedBuffer<Float> {
        if let buffer = buffers[slot.rawValue], buffer.count >= count { return buffer }
        // Half as much again: attention's scores grow with every token.
        let held = buffers[slot.rawValue]?.count ?? 0
        buffers[slot.rawValue] = nil
        do {
            let buffer = try AlignedBuffer<Float>(count: max(count, held + held / 2))
            buffers[slot.rawValue] = buffer
            return buffer
        } catch {
            throw ModelError("the forward pass", error)
        }
    }

    var byteCount: Int { buffers.reduce(0) { $0 + ($1?.byteCount ?? 0) } }
}

extension ModelError {
    /// A kernel's sentence, told as a model's.
    init(_ subject: String, _ error: KernelError) {
        var problem = error.sentence
        if problem.hasSuffix(".") { problem.removeLast() }
        self.init(subject, problem: problem)
    }
}
