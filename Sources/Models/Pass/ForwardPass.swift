internal import Glibc
public import Kernels
internal import System
internal import Tokenizers

/// What one caller needs to run models: memory that every pass uses again, threads, and who looks on.
///
/// ```swift
/// let pass = ForwardPass()
/// let logits = try transformer.forward([Segment(prompt, cache: sequence)], in: pass)
/// ```
///
/// A pass runs one model at a time and may change between models; memory grows to the largest.
public final class ForwardPass {
    public var pool: ThreadPool
    /// Looks at intermediates and may change them; what it does not want is neither computed nor copied.
    public var visitor: (any HookVisitor)?
    public var profile: OperationProfile?
    /// Low-rank changes of the model's matrices, applied at run time; `nil` runs the model as is.
    public var adapter: Adapter?
    /// Counts of a mixture of experts, where wanted.
    public var expertLoad: ExpertLoad?
    /// Asked before every layer; true ends the pass with an error whose `isCancellation` is true.
    public var isCancelled: (() -> Bool)?

    var arena = Arena()
    /// The model that is running.
    private(set) var transformer: Transformer!
    /// Stretches of the batch's rows: one for each sequence.
    var stretches: [Stretch] = []
    var tokens: [TokenID] = []
    /// The segment of each token of a BERT: empty for zeros.
    var tokenTypes: [Int] = []
    /// Rows that run through the blocks: all tokens, or the outputs after the last layer's attention has narrowed.
    var rows = 0
    var outputRows = 0
    var isNarrow = false
    /// Hooks that the visitor requests in this pass; empty if there is no visitor.
    var wanted: Set<Hook> = []
    /// Cosines, sines, and those of windowed layers: `[rows, pairs]` each.
    var angleRows: [(rows: UnsafeMutablePointer<Float>, stride: Int)] = []
    /// Pointers of a product's results: kept so that no list is made for each.
    var targets: [UnsafeMutablePointer<Float>] = []
    var targetStrides: [Int] = []
    private var boundAdapter: Adapter?
    private weak var boundTransformer: Transformer?
    /// What the adapter changes, by the number of the linear layer; empty without one.
    var changes: [LowRankChange?] = []

    /// The rows of one sequence in the batch.
    struct Stretch {
        /// nil for encoders, which keep nothing.
        var cache: (any KeyValueSequence)?
        var firstRow: Int
        var count: Int
        var firstPosition: Int
        var outputs: Int
        /// The length of the sequence with this pass.
        var length: Int
    }

    public init(pool: ThreadPool = .shared) { self.pool = pool }

    /// Memory that passes have grown to, in bytes.
    public var byteCount: Int { arena.byteCount }

    var configuration: ModelConfiguration { transformer.configuration }
    var width: Int { configuration.width }

    /// Begins with an empty batch and finds out what is wanted.
    func begin(_ transformer: Transformer) {
        self.transformer = transformer
        stretches.removeAll(keepingCapacity: true)
        (rows, outputRows, isNarrow) = (0, 0, false)
        wanted.removeAll(keepingCapacity: true)
        if let visitor {
            for hook in transformer.hooks where visitor.wants(hook) { wanted.insert(hook) }
        }
        bind(transformer)
    }

    private func bind(_ transformer: Transformer) {
        guard let adapter else {
            (boundAdapter, changes) = (nil, [])
            return
        }
        guard boundAdapter !== adapter || boundTransformer !== transformer else { return }
        changes = transformer.linears.map { adapter.changes[$0] }
        (boundAdapter, boundTransformer) = (adapter, transformer)
    }

    /// Adds the rows of a sequence to the batch.
    func add(_ stretch: Stretch) {
        stretches.append(stretch)
        rows += stretch.count
        outputRows += stretch.outputs
    }

    /// Releases the model and the sequences; only the memory of the pass remains.
    func end() {
        transformer = nil
        stretches.removeAll(keepingCapacity: true)
    }

    /// - Throws: where the caller wants to end it.
    func checkCancellation() throws(ModelError) {
        if let isCancelled, isCancelled() { throw .cancelled(transformer.path) }
    }

    func floats(_ slot: Arena.Slot, _ count: Int) throws(ModelError) -> UnsafeMutablePointer<Float> {
        try arena.floats(slot, count)
    }

    // MARK: Rows

    /// Rows that a thread takes at once, so that a chunk is worth its way: about 16 K numbers.
    private static let numbersAChunk = 16384

    /// Calls `body` with ranges that together are all rows, on all threads where it is worth it.
    func overRows(_ rows: Int, width: Int, _ body: (Range<Int>) -> Void) {
        guard rows > 0 else { return }
        let rowsAChunk = max(1, Self.numbersAChunk / max(width, 1))
        let chunks = (rows - 1) / rowsAChunk + 1
        if chunks == 1 { return body(0..<rows) }
        pool.run(chunks: chunks) { chunk, _ in
            body(chunk * rowsAChunk..<min(rows, (chunk + 1) * rowsAChunk))
        }
    }

    /// residual += delta.
    func addDeltaToResidual() throws(ModelError) {
        let start = now()
        let (residual, delta, width) = (
            try floats(.residual, rows * width), try floats(.delta, rows * width), width
        )
        overRows(rows, width: width) { range in
            Elementwise.add(
                delta + range.lowerBound * width, to: residual + range.lowerBound * width, count: range.count * width)
        }
        record(.residual, since: start)
    }

    // MARK: Time

    /// Seconds of a monotonic clock; 0 if no profile is requested.
    @inline(__always)
    func now() -> Double { profile == nil ? 0 : Clock.now(.monotonic) }

    @inline(__always)
    func record(_ operation: ProfiledOperation, since start: Double) {
        profile?.add(operation, seconds: Clock.now(.monotonic) - start)
    }
}

extension ModelError {
    private static let cancellation = "the forward pass was canceled"

    static func cancelled(_ path: String) -> ModelError { ModelError(path, problem: cancellation) }

    /// Nothing failed: the caller ended the pass.
    public var isCancellation: Bool { problem == Self.cancellation }
}
