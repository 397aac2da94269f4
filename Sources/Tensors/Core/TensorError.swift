internal import Formatting

/// Why an operation on tensors could not be done; its sentence names the operation and the shapes.
///
/// ```swift
/// do {
///     _ = try matmul(weights, inputs)
/// } catch {
///     print(error)  // matmul: [2, 3] and [4, 5] are incompatible: the inner sizes 3 and 4 differ.
/// }
/// ```
public struct TensorError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The name of the function: `matmul`.
    public let operation: String
    /// The shapes that it was given.
    public let shapes: [[Int]]
    /// What is wrong with them and, where that helps, what to do; without the full stop.
    public let problem: String

    public init(_ operation: String, _ shapes: [Int]..., problem: String) {
        self.operation = operation
        self.shapes = shapes
        self.problem = problem
    }

    public init(_ operation: String, shapes: [[Int]], problem: String) {
        self.operation = operation
        self.shapes = shapes
        self.problem = problem
    }

    /// `matmul: [2, 3] and [4, 5] are incompatible: the inner sizes 3 and 4 differ.`
    public var sentence: String {
        let subject = shapes.map(\.description).joined(separator: shapes.count == 2 ? " and " : ", ")
        return "\(operation): \(subject)\(shapes.isEmpty ? "" : " ")\(problem)."
    }

    public var description: String { sentence }

    static func memory(_ operation: String, bytes: Int?) -> TensorError {
        guard let bytes else { return TensorError(operation, problem: "needs more memory than any machine has") }
        return TensorError(operation, problem: "needs \(Format.bytes(bytes)) of memory, more than is free")
    }
}
