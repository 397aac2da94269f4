public import Kernels

/// Parts of a forward pass that are timed separately.
public enum ProfiledOperation: String, CaseIterable, Sendable {
    case embedding
    case norms
    case attentionQKV = "attn q k v"
    case rotary = "rope"
    case attention
    case attentionOut = "attn out"
    case router
    case feedForwardUpGate = "ffn up gate"
    case activation
    case feedForwardDown = "ffn down"
    case residual
    case output
    case pooling
}

/// Where the time of passes goes, by operation and shape, until it is reset.
///
/// FLOPs and bytes are what the mathematics needs: weights and keys are counted once a call. `kernel` and `shape` name
/// the operation of the kernel catalog that does the same work, so that a screen can open it on its roofline.
public final class OperationProfile {
    public struct Entry: Sendable {
        public let operation: ProfiledOperation
        /// Kernel name such as `matvec-q4_k`, `attention`, or `rms-norm`; empty if no kernel matches.
        public let kernel: String
        /// That of the latest call, where calls differ: the keys of attention grow with every token.
        public let shape: KernelShape
        public var seconds: Double
        public var calls: Int
        public var flops: Double
        public var bytes: Double
    }

    /// The call without strings or arrays, because it is recorded hundreds of times per token.
    enum Call: Hashable {
        case other
        case product(WeightFormat, rows: Int, outputs: Int, inputs: Int)
        case norm(Norm.Kind, rows: Int, columns: Int)
        case attention(heads: Int, kvHeads: Int, queries: Int, keys: Int, width: Int, isCausal: Bool, window: Int)
    }

    private struct Key: Hashable {
        let operation: ProfiledOperation
        let call: Call
    }

    private struct Sum {
        var latest: Call
        var seconds: Double = 0
        var calls = 0
        var flops: Double = 0
        var bytes: Double = 0
    }

    private var places: [Key: Int] = [:]
    private var sums: [(key: Key, sum: Sum)] = []
    public private(set) var passes = 0
    /// Of whole passes.
    public private(set) var seconds: Double = 0

    public init() {}

    /// In the order in which they first ran.
    public var entries: [Entry] {
        sums.map { key, sum in
            Entry(
                operation: key.operation, kernel: sum.latest.kernel, shape: sum.latest.shape, seconds: sum.seconds,
                calls: sum.calls, flops: sum.flops, bytes: sum.bytes)
        }
    }

    public func reset() {
        places.removeAll(keepingCapacity: true)
        sums.removeAll(keepingCapacity: true)
        (passes, seconds) = (0, 0)
    }

    /// Seconds of one operation, all kernels and shapes together.
    public func seconds(in operation: ProfiledOperation) -> Double {
        sums.reduce(0) { $0 + ($1.key.operation == operation ? $1.sum.seconds : 0) }
    }

    func add(
        _ operation: ProfiledOperation, _ call: Call = .other, seconds: Double, flops: Double = 0, bytes: Double = 0
    ) {
        let key = Key(operation: operation, call: call.alike)
        let place: Int
        if let known = places[key] {
            place = known
        } else {
            place = sums.count
            places[key] = place
            sums.append((key, Sum(latest: call)))
        }
        sums[place].sum.latest = call
        sums[place].sum.seconds += seconds
        sums[place].sum.calls += 1
        sums[place].sum.flops += flops
        sums[place].sum.bytes += bytes
    }

    func addPass(seconds: Double) {
        passes += 1
        self.seconds += seconds
    }
}

extension OperationProfile.Call {
    /// What calls that are counted together have in common: one row or many, whatever the length of the sequence.
    var alike: Self {
        switch self {
        case .other: self
        case .product(let format, let rows, let outputs, let inputs):
            .product(format, rows: min(rows, 2), outputs: outputs, inputs: inputs)
        case .norm(let kind, let rows, let columns): .norm(kind, rows: min(rows, 2), columns: columns)
        case .attention(let heads, let kvHeads, let queries, _, let width, let isCausal, let window):
            .attention(
                heads: heads, kvHeads: kvHeads, queries: min(queries, 2), keys: 0, width: width, isCausal: isCausal,
                window: window)
        }
    }

    var kernel: String {
        switch self {
        case .other: ""
        case .product(.f32, _, _, _): "linear-f32"
        case .product(let format, _, _, _): "matvec-\(format.rawValue)"
        case .norm(.rms, _, _): "rms-norm"
        case .norm(.layer, _, _): "layer-norm"
        case .attention: "attention"
        }
    }

    var shape: KernelShape {
        switch self {
        case .other: KernelShape([:])
        case .product(_, let rows, let outputs, let inputs): KernelShape(["m": rows, "n": outputs, "k": inputs])
        case .norm(_, let rows, let columns): KernelShape(["rows": rows, "columns": columns, "affine": 1])
        case .attention(let heads, let kvHeads, let queries, let keys, let width, let isCausal, let window):
            KernelShape([
                "heads": heads, "kvheads": kvHeads, "queries": queries, "keys": keys, "d": width,
                "causal": isCausal ? 1 : 0, "window": window,
            ])
        }
    }
}
