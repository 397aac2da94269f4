public import Models
public import System
public import Tensors
public import Tokenizers

/// The active features of every token of many sequences, in the order of the text: what an index of features is made
/// of.
public final class FeatureStream {
    /// One sequence.
    public struct Block: Sendable {
        /// Its number among the sequences.
        public var sequence: Int
        public var tokens: [TokenID]
        /// A row for each token; those of positions that are skipped are empty.
        public var codes: SparseCodes
        /// `[tokens, d]`, if requested.
        public var rows: Tensor<Float>?
    }

    public let dictionary: SparseAutoencoder
    public let sequenceCount: Int
    /// Tokens that were read.
    public private(set) var readTokens = 0
    /// Tokens a second of work.
    public var rate: Double { seconds > 0 ? Double(readTokens) / seconds : 0 }

    private let reader: RowReader
    private let sequences: [[TokenID]]
    private let skippedPositions: Int
    private let keepsRows: Bool
    private let batchTokens: Int
    private var next: Int
    private var ready: [Block] = []
    private var seconds = 0.0

    /// - Parameters:
    ///   - startingAt: The sequence to begin with: a build that was interrupted goes on there.
    ///   - keepsRows: Whether blocks include the activations.
    ///   - batchTokens: Tokens of the sequences that are read in one pass.
    /// - Throws: An error if the model has no such hook, or the dictionary is of another width.
    public init(
        _ model: InspectedModel, hook: Hook, dictionary: SparseAutoencoder, sequences: [[TokenID]],
        startingAt first: Int = 0, skippedPositions: Int = 1, keepsRows: Bool = false, batchTokens: Int = 2048
    ) throws(Problem) {
        _ = try AttachedDictionary("dictionary", dictionary, hook: hook, for: model)
        reader = try RowReader(model, hook)
        for sequence in sequences where !sequence.isEmpty { try model.check(sequence, continuing: false) }
        self.dictionary = dictionary
        self.sequences = sequences
        self.skippedPositions = max(0, skippedPositions)
        self.keepsRows = keepsRows
        self.batchTokens = batchTokens
        sequenceCount = sequences.count
        next = max(0, first)
    }

    /// The next sequence; `nil` behind the last one. Empty sequences have empty blocks.
    ///
    /// - Throws: An error if it was canceled (it may be called again and goes on there), or memory is short.
    public func next(isCancelled: () -> Bool = { false }) throws(Problem) -> Block? {
        if ready.isEmpty {
            guard next < sequences.count else { return nil }
            ready = try read(isCancelled)
            next += ready.count
            ready.reverse()
        }
        return ready.popLast()
    }

    private func read(_ isCancelled: () -> Bool) throws(Problem) -> [Block] {
        let start = Clock.now(.monotonic)
        var end = next
        var tokens = 0
        repeat {
            tokens += sequences[end].count
            end += 1
        } while end < sequences.count && tokens + sequences[end].count <= batchTokens
        let batch = Array(sequences[next..<end])
        let found = try reader.rows(of: batch.filter { !$0.isEmpty }, isCancelled: isCancelled)
        var all = found[...]
        var blocks: [Block] = []
        for (index, sequence) in batch.enumerated() {
            let rows = sequence.isEmpty ? [] : all.removeFirst()
            blocks.append(try block(next + index, sequence, rows))
        }
        readTokens += tokens
        seconds += Clock.now(.monotonic) - start
        return blocks
    }

    private func block(
        _ sequence: Int, _ tokens: [TokenID], _ rows: [Float]
    ) throws(Problem) -> Block {
        let (width, skipped) = (reader.width, min(skippedPositions, tokens.count))
        var codes = SparseCodes(
            width: dictionary.featureCount, starts: Array(repeating: 0, count: skipped + 1))
        if skipped < tokens.count {
            let kept = Array(rows[(skipped * width)...])
            codes.append(try dictionary.encode(telling { try Tensor(kept, shape: [kept.count / width, width]) }))
        }
        let whole = keepsRows ? try telling { try Tensor(rows, shape: [tokens.count, width]) } : nil
        return Block(sequence: sequence, tokens: tokens, codes: codes, rows: whole)
    }
}
