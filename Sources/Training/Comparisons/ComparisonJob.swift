public import Tensors

/// A small training job that another library does too, from the same weights on the same batches: whose gradients are
/// right, and whose step is faster.
///
/// Weights and data come from a tensor file that the other side wrote, so that both begin with the same bits.
public protocol ComparisonJob {
    static var name: String { get }
    /// What the file must hold, with shapes.
    static var contents: String { get }

    /// - Throws: `TensorError` that names a tensor which is missing or does not fit.
    init(_ file: ComparisonFile) throws(TensorError)
    /// Arithmetic of one step.
    var flopsPerStep: Double { get }
    /// What the gradients belong to.
    var parameters: [Parameter<Float>] { get }
    /// The loss of the next batch, recorded.
    mutating func loss() throws(TensorError) -> Variable<Float>
    /// Changes the parameters by their gradients.
    mutating func learn() throws(TensorError)
    /// One whole step; the loss before it.
    mutating func step() throws(TensorError) -> Float
}

extension ComparisonJob {
    public mutating func step() throws(TensorError) -> Float {
        let loss = try loss()
        clearGradients(of: parameters)
        try loss.backward()
        try learn()
        return loss.scalar ?? .nan
    }
}

/// Tensors by name, checked as they are asked for.
public struct ComparisonFile {
    private let archive: TensorFile
    private let path: String

    public init(_ path: String) throws(TensorFileError) {
        self.path = path
        archive = try TensorFile.open(path)
    }

    public func floats(_ name: String, _ shape: [Int]? = nil) throws(TensorError) -> Tensor<Float> {
        try check(try any(name).converted(to: Float.self), name, shape)
    }

    public func integers(_ name: String, _ shape: [Int]? = nil) throws(TensorError) -> Tensor<Int32> {
        try check(try any(name).converted(to: Int32.self), name, shape)
    }

    private func any(_ name: String) throws(TensorError) -> AnyTensor {
        do { return try archive.tensor(named: name) } catch {
            throw TensorError("comparison", problem: "\(path) has no readable tensor \(name)")
        }
    }

    private func check<S>(_ tensor: Tensor<S>, _ name: String, _ shape: [Int]?) throws(TensorError) -> Tensor<S> {
        guard shape.map({ $0 == tensor.shape }) ?? true else {
            throw TensorError(
                "comparison", tensor.shape, problem: "is the wrong shape for \(name); expected \(shape ?? [])")
        }
        return tensor
    }
}
