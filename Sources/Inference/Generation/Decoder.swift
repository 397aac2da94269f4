public import Models

/// What runs a model for one session: the next tokens of some sequences become rows of logits.
public protocol Decoder: AnyObject {
    /// What sentences call it.
    var name: String { get }
    var vocabularySize: Int { get }
    /// Positions that a sequence may have.
    var contextLength: Int { get }

    /// Runs the segments as one batch and commits their positions; where it throws none is committed.
    ///
    /// - Parameter isCancelled: asked between layers; true ends the pass with an error whose `isCancellation` is true.
    /// - Returns: rows in the order of segments, and within one of the tokens that `outputs` asks for; they last until
    ///   the next call.
    func forward(_ segments: [Segment], isCancelled: () -> Bool) throws(ModelError) -> any LogitRows
}

/// Rows of logits that a decoder lends.
public protocol LogitRows {
    var rows: Int { get }
    subscript(row: Int) -> UnsafeMutableBufferPointer<Float> { get }
}

extension Logits: LogitRows {}
