/// Minimum work of a call in any implementation: the model behind rates and intensities.
///
/// No hardware counters are assumed. `bytes` is the traffic of a machine whose caches hold all that is reused: each
/// input read once, each output written once.
public struct KernelCost: Hashable, Sendable {
    /// Floating-point (or integer) operations; a fused multiply-add counts two.
    public var flops: Double
    /// Bytes read and written, without write-allocate reads.
    public var bytes: Double

    public init(flops: Double, bytes: Double) {
        self.flops = flops
        self.bytes = bytes
    }

    /// Operations a byte.
    public var intensity: Double { bytes > 0 ? flops / bytes : .infinity }
}

/// The unit of the processor that an operation keeps busy: it chooses the compute roof.
public enum KernelArithmetic: String, CaseIterable, Hashable, Sendable {
    case float32, float64, bfloat16, int8

    /// Whether a rate is in FLOP/s; int8 counts plain operations.
    public var isFloatingPoint: Bool { self != .int8 }
}

/// Where a variant runs.
public enum KernelDevice: String, Hashable, Sendable {
    case cpu
}
