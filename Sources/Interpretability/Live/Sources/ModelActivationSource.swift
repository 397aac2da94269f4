internal import Glibc
internal import Hashing
public import Models
public import System
public import Tensors
public import Tokenizers

/// Rows of one hook of a model over many sequences, mixed so that neighbors in a batch are seldom neighbors in a text.
///
/// A buffer is filled with rows of sequences in a seeded order and shuffled; half of it is given out before it is
/// filled up and shuffled again. The same seed gives the same rows in the same order.
///
/// - Source: the buffer is that of Bricken et al., "Towards monosemanticity", 2023, and of sae-lens.
public final class ModelActivationSource: ActivationSource {
    /// How rows are read and mixed.
    public struct Options: Sendable {
        /// Tokens of a batch of sequences.
        public var batchTokens: Int
        /// First tokens of a sequence whose rows are left out: the first has far longer ones in most models.
        public var skippedPositions: Int
        /// Rows of the buffer; 0 gives them in the order of the text.
        public var shuffledRows: Int
        public var seed: UInt64

        public init(
            batchTokens: Int = 2048, skippedPositions: Int = 1, shuffledRows: Int = 16384, seed: UInt64 = 0
        ) {
            self.batchTokens = batchTokens
            self.skippedPositions = skippedPositions
            self.shuffledRows = shuffledRows
            self.seed = seed
        }
    }

    public let hook: Hook
    /// Checked between layers; if it returns `true`, `next` throws an error whose `isCancellation` is true.
    public var isCancelled: (() -> Bool)?
    /// Rows that were given out.
    public private(set) var servedRows = 0
    /// Rows a second of reading.
    public var rate: Double { seconds > 0 ? Double(readRows) / seconds : 0 }
    /// Times that all sequences were read.
    public private(set) var epoch = 0

    private let reader: RowReader
    private let sequences: [[TokenID]]
    private let options: Options
    private let countedRows: Int
    private var random: RowRandom
    private var order: [Int] = []
    private var next = 0
    private var buffer: [Float] = []
    /// Rows of the buffer that were given out.
    private var given = 0
    private var readRows = 0
    private var seconds = 0.0

    /// - Throws: An error if the model has no such hook, or the sequences have no token whose row would be given.
    public init(
        _ model: InspectedModel, hook: Hook, sequences: [[TokenID]], options: Options = Options()
    ) throws(Problem) {
        reader = try RowReader(model, hook)
        self.hook = hook
        self.sequences = sequences.filter { $0.count > options.skippedPositions }
        self.options = options
        random = RowRandom(seed: options.seed)
        countedRows = self.sequences.reduce(0) { $0 + $1.count - options.skippedPositions }
        guard countedRows > 0 else {
            throw Problem(
                .limit, "activations of \(hook.name)",
                "no sequence is longer than the \(options.skippedPositions) skipped tokens", remedy: "Use longer texts."
            )
        }
        for sequence in self.sequences { try model.check(sequence, continuing: false) }
    }

    public var width: Int { reader.width }
    public var rowCount: Int? { countedRows }

    public func next(rows: Int) throws(Problem) -> Tensor<Float> {
        var values: [Float] = []
        values.reserveCapacity(rows * width)
        while values.count < rows * width {
            if given * width >= buffer.count || (options.shuffledRows > 0 && 2 * given >= options.shuffledRows) {
                try fill()
            }
            let most = options.shuffledRows > 0 ? min(buffer.count / width, (options.shuffledRows + 1) / 2) : Int.max
            let count = max(1, min(rows - values.count / width, min(buffer.count / width, most) - given))
            values += buffer[given * width..<(given + count) * width]
            given += count
        }
        servedRows += rows
        let all = values
        return try telling { try Tensor(all, shape: [rows, width]) }
    }

    /// Throws out what was given, reads until the buffer is full, and shuffles it.
    private func fill() throws(Problem) {
        buffer.removeSubrange(..<(given * width))
        given = 0
        let start = Clock.now(.monotonic)
        let wanted = max(1, options.shuffledRows)
        let before = buffer.count
        while buffer.count < wanted * width {
            for rows in try reader.rows(of: batch(), isCancelled: isCancelled ?? { false }) {
                buffer += rows.dropFirst(options.skippedPositions * width)
            }
        }
        readRows += (buffer.count - before) / width
        if options.shuffledRows > 0 { shuffle() }
        seconds += Clock.now(.monotonic) - start
    }

    /// Returns the next sequences, in an order that is shuffled again after each pass over the data.
    private func batch() -> [[TokenID]] {
        var chosen: [[TokenID]] = []
        var tokens = 0
        repeat {
            if next == order.count {
                if !order.isEmpty { epoch += 1 }
                order = Array(sequences.indices)
                if options.shuffledRows > 0 { random.shuffle(&order) }
                next = 0
            }
            let sequence = sequences[order[next]]
            if !chosen.isEmpty, tokens + sequence.count > options.batchTokens { break }
            chosen.append(sequence)
            tokens += sequence.count
            next += 1
        } while tokens < options.batchTokens && next < order.count
        return chosen
    }

    /// Fisher and Yates, rows instead of numbers.
    private func shuffle() {
        let width = width
        var random = random
        buffer.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            var last = buffer.count / width - 1
            while last > 0 {
                let other = random.below(last + 1)
                if other != last {
                    for number in 0..<width {
                        let held = base[last * width + number]
                        base[last * width + number] = base[other * width + number]
                        base[other * width + number] = held
                    }
                }
                last -= 1
            }
        }
        self.random = random
    }
}

/// Draws for shuffling: SplitMix64.
///
/// - Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
struct RowRandom {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(state: seed) }

    mutating func next() -> UInt64 {
        generator.next()
    }

    /// Below `count`; the bias is less than count / 2⁶⁴.
    mutating func below(_ count: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(count)).high) }

    mutating func shuffle(_ numbers: inout [Int]) {
        guard numbers.count > 1 else { return }
        for last in stride(from: numbers.count - 1, to: 0, by: -1) { numbers.swapAt(last, below(last + 1)) }
    }
}
