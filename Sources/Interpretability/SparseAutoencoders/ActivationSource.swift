public import Tensors

/// Rows of activations of one hook, for training and measuring dictionaries: streamed from a model, or read of a file.
public protocol ActivationSource: AnyObject {
    /// d.
    var width: Int { get }
    /// Rows that it can give before it begins anew; nil if unknown.
    var rowCount: Int? { get }

    /// The next rows, `[rows, d]`, in an order that mixes texts; begins anew at the end of the data.
    func next(rows: Int) throws(InterpretabilityError) -> Tensor<Float>
}
