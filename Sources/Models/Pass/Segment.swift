internal import Kernels
public import Tokenizers

/// The next tokens of one sequence, and where its keys and values are kept.
public struct Segment {
    /// The tokens whose logits are wanted.
    public enum Outputs: Hashable, Sendable {
        case none, last, all
    }

    public var tokens: [TokenID]
    /// Each sequence has its own; two segments of a batch never share one.
    public var cache: any KeyValueSequence
    public var outputs: Outputs

    public init(_ tokens: [TokenID], cache: any KeyValueSequence, outputs: Outputs = .last) {
        self.tokens = tokens
        self.cache = cache
        self.outputs = outputs
    }
}

/// Logits `[rows, vocabulary]`: segment after segment, and within one the tokens that were asked for.
///
/// The rows are stored in the memory of the pass and overwritten by the next one, so copy them if needed. Processors may
/// write into them.
public struct Logits {
    public let rows: Int
    public let vocabulary: Int
    let memory: AlignedBuffer<Float>

    public subscript(row: Int) -> UnsafeMutableBufferPointer<Float> {
        precondition(row >= 0 && row < rows)
        return UnsafeMutableBufferPointer(start: memory.pointer + row * vocabulary, count: vocabulary)
    }
}

/// One vector for each text, `[count, width]`.
public struct Embeddings: Equatable, Sendable {
    public let count: Int
    public let width: Int
    public var values: [Float]

    public subscript(index: Int) -> ArraySlice<Float> { values[index * width..<(index + 1) * width] }
}
