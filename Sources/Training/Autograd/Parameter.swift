public import Tensors

/// Numbers that training changes: a name, a value, and the gradient that has been gathered for it.
public final class Parameter<Scalar: FloatingAccumulator> {
    /// Unique within a model: `blk.3.attn_q.weight`.
    public let name: String
    /// The numbers; where no graph holds them any more, they are changed in place.
    // Observers would have them copied at every change.
    public var value: Tensor<Scalar>
    /// The sum of the gradients since it was cleared; `nil` if none arrived.
    public var gradient: Tensor<Scalar>?
    /// Optimizers pass over those that are not, and graphs take them as constants.
    public var isTrainable: Bool
    /// Taken as a constant for a while: what is computed now will be computed again.
    var isSilent = false
    /// It stays the same while the numbers change: it is where gradients go, and holds none of them.
    private var leaf: Node<Scalar>?

    public init(_ name: String, _ value: Tensor<Scalar>, isTrainable: Bool = true) {
        self.name = name
        self.value = value
        self.isTrainable = isTrainable
    }

    public var shape: [Int] { value.shape }
    public var count: Int { value.count }

    /// The value as the start of a graph; a constant where it is not trained.
    public var variable: Variable<Scalar> {
        guard isTrainable, !isSilent else { return Variable(value) }
        if let leaf, leaf.shape == shape { return Variable(value, leaf) }
        let node = Node(leaf: "parameter \(name)", shape: shape, parameter: self)
        leaf = node
        return Variable(value, node)
    }

    /// Adds a gradient to what has been gathered.
    func accumulate(_ gradient: Tensor<Scalar>) throws(TensorError) {
        if self.gradient == nil {
            // Not a view of something larger, nor one number for all: optimizers go through its memory.
            self.gradient = try gradient.contiguous()
        } else {
            try self.gradient? += gradient
        }
    }
}
