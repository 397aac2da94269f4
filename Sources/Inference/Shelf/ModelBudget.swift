internal import Kernels

/// The memory budget of all loaded models, in bytes.
public struct ModelBudget: Hashable, Sendable {
    public var bytes: Int

    public init(bytes: Int) { self.bytes = max(0, bytes) }

    /// Returns a budget of a share of the free memory.
    public static func available(share: Double = 0.75) -> ModelBudget {
        let available = MemoryLimit.available
        guard available < 1 << 60 else { return ModelBudget(bytes: .max) }
        return ModelBudget(bytes: Int(Double(available) * min(max(share, 0), 1)))
    }
}
