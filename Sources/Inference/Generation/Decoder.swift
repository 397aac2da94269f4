public import Models

/// A model runner for one session, which computes logits for the next tokens of several sequences.
public protocol Decoder: AnyObject {
    /// Name of the model in error messages.
    var name: String { get }
    var vocabularySize: Int { get }
    /// Positions that a sequence may have.
    var contextLength: Int { get }

    /// Runs the segments as one batch and commits their positions, or none if it throws.
    ///
    /// - Parameter isCancelled: Called between layers; `true` ends the pass with an error with `isCancellation`.
    /// - Returns: Rows in the order of segments, and within a segment of the tokens in `outputs`; valid until
    ///   the next call.
    func forward(_ segments: [Segment], isCancelled: () -> Bool) throws(ModelError) -> any LogitRows
}

/// Rows of logits that a decoder lends.
public protocol LogitRows {
    var rows: Int { get }
    subscript(row: Int) -> UnsafeMutableBufferPointer<Float> { get }
}

extension Logits: LogitRows {}
