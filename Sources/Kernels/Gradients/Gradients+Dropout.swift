internal import CKernels

extension Gradients {
    /// A dropout mask: the Philox4x32-10 words that it is drawn from, and the retained positions.
    ///
    /// Number i takes word i / 16 mod 4 of block 16 (i / 64) + i mod 16: the words of sixteen blocks in the order in
    /// which vectors hold them. It is kept where the word is at least `threshold`.
    ///
    /// - Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
    public struct Mask: Sendable {
        public var key: SIMD2<UInt32>
        /// The upper words of the counter; the lowest is the number of the block.
        public var counter: SIMD3<UInt32>
        public var threshold: UInt32
        /// Factor for retained values.
        public var scale: Float

        public init(key: SIMD2<UInt32>, counter: SIMD3<UInt32>, threshold: UInt32, scale: Float) {
            self.key = key
            self.counter = counter
            self.threshold = threshold
            self.scale = scale
        }
    }

    /// y = x · scale where the mask keeps it, else 0.
    ///
    /// - Parameter count: at most 2³⁴, for which a mask has words.
    public static func dropout(
        _ x: UnsafePointer<Float>, _ mask: Mask, into y: UnsafeMutablePointer<Float>, count: Int,
        pool: ThreadPool = .shared
    ) { dropout(x, mask, into: y, count: count, pool: pool, path: .best) }

    package static func dropout(
        _ x: UnsafePointer<Float>, _ mask: Mask, into y: UnsafeMutablePointer<Float>, count: Int,
        pool: ThreadPool = .single, path: GradientPath
    ) {
        let kernel = path.kernels.dropout
        let words = orrery_mask(
            key: (mask.key.x, mask.key.y), counter: (mask.counter.x, mask.counter.y, mask.counter.z),
            threshold: mask.threshold, scale: mask.scale)
        withUnsafePointer(to: words) { words in
            inVectors(count, pool: pool) { first, count in kernel(words, x + first, y + first, first, count) }
        }
    }
}
