package import Tensors

/// What a pullback works with.
package struct Backward<Scalar: FloatingAccumulator> {
    /// The gradient of the operation's output, of its shape.
    package let gradient: Variable<Scalar>
    /// What the operation saved; constants unless the gradient itself must be differentiated.
    package let saved: [Variable<Scalar>]
    private let result: Variable<Scalar>?
    private let wanted: [Bool]

    init(gradient: Variable<Scalar>, saved: [Variable<Scalar>], result: Variable<Scalar>?, wanted: [Bool]) {
        self.gradient = gradient
        self.saved = saved
        self.result = result
        self.wanted = wanted
    }

    /// The operation's output; there for operations that keep it.
    package var output: Variable<Scalar> { result! }
    /// Whether the gradient of this parent is asked for.
    package func needs(_ parent: Int) -> Bool { wanted[parent] }
}
