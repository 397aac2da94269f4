/// The memory of one tensor and of all its views: its own, or that of a mapped file.
///
/// Tensors write to it only where one alone holds it; while they fill a new one, no other owner has seen it yet.
public final class TensorStorage<Scalar: TensorScalar>: @unchecked Sendable {  // by that rule
    public let count: Int
    package let pointer: UnsafeMutablePointer<Scalar>
    private let owner: (any AnyObject & Sendable)?

    /// Memory for `count` elements, aligned to 64 bytes; what is in it is not defined.
    ///
    /// - Throws: `TensorError` where the system has none left.
    package init(count: Int, for operation: String = "tensor") throws(TensorError) {
        pointer = try TensorMemory.allocate(count, for: operation)
        self.count = count
        owner = nil
    }

    /// Elements that are in another owner's memory, as those of a mapped file do. They are never written to.
    ///
    /// - Parameter owner: keeps the memory valid as long as it lives.
    package init(mapped pointer: UnsafePointer<Scalar>, count: Int, owner: any AnyObject & Sendable) {
        self.pointer = UnsafeMutablePointer(mutating: pointer)
        self.count = count
        self.owner = owner
    }

    deinit { if owner == nil { TensorMemory.release(pointer, count) } }

    /// Whether the elements are in a file or in other memory that is not the tensor's own.
    public var isMapped: Bool { owner != nil }
}
