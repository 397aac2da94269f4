public import Kernels

/// The keys and values of one sequence, for every layer: what attention reads of the tokens before.
///
/// `Inference` keeps them in pages that branches share; a plain one that grows serves tests.
public protocol KeyValueSequence: AnyObject {
    /// Positions that are held.
    var length: Int { get }
    /// Makes room for positions `length ..< length + count`, so that a pass may write them; a page that another
    /// sequence shares is copied first.
    ///
    /// - Throws: `ModelError` where memory or the model's budget has no room.
    func reserve(_ count: Int) throws(ModelError)
    /// The pages of a layer, reserved ones included.
    func pages(layer: Int) -> PagedKeyValues
    /// The positions that were reserved are written: `length` grows.
    func commit(_ count: Int)
}
