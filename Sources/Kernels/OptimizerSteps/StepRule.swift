internal import CKernels

/// One array of parameters with what an optimizer keeps of them.
public struct StepArray<Element: BitwiseCopyable>: @unchecked Sendable {  // threads take parts that do not meet
    public var weights: UnsafeMutablePointer<Element>
    public var gradient: UnsafePointer<Element>
    /// Momentum, or the moving mean of gradients.
    public var first: UnsafeMutablePointer<Element>?
    /// The moving mean of squared gradients.
    public var second: UnsafeMutablePointer<Element>?
    public var count: Int

    public init(
        weights: UnsafeMutablePointer<Element>, gradient: UnsafePointer<Element>,
        first: UnsafeMutablePointer<Element>? = nil, second: UnsafeMutablePointer<Element>? = nil, count: Int
    ) {
        self.weights = weights
        self.gradient = gradient
        self.first = first
        self.second = second
        self.count = count
    }

    /// `count` elements from `start` on.
    func part(from start: Int, count: Int) -> StepArray {
        StepArray(
            weights: weights + start, gradient: gradient + start, first: first.map { $0 + start },
            second: second.map { $0 + start }, count: count)
    }
}

/// What one step of an optimizer does to each number: its formula with the constants of this step.
///
/// float32 goes to the kernels, float64 to the plain twin, which is their test.
public protocol StepRule: Sendable {
    func apply(to array: StepArray<Float>)
    func apply(to array: StepArray<Double>)
}
