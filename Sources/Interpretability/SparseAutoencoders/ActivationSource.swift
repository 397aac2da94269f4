public import System
public import Tensors

/// Rows of activations of one hook, for training and measuring dictionaries: streamed from a model, or read of a file.
public protocol ActivationSource: AnyObject {
    /// d.
    var width: Int { get }
    /// Number of rows before the source starts over; `nil` if unknown.
    var rowCount: Int? { get }

    /// Returns the next rows, `[rows, d]`, in an order that mixes texts; starts over at the end of the data.
    func next(rows: Int) throws(Problem) -> Tensor<Float>
}
