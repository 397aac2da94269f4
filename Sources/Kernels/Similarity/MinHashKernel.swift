internal import CKernels

/// The minima of many hash functions over a set: what MinHash signatures are made of.
///
/// With m = (low(x) ⊕ first) · second, a function is h(x) = ((m ⊕ m/2¹⁵) + high(x)) · third modulo 2³². All paths give the
/// same bits.
public struct MinHashKernel: Sendable {
    public enum Path: String, CaseIterable, Sendable {
        case avx512, avx2, portable

        public var isAvailable: Bool {
            switch self {
            case .avx512: ProcessorFeatures.present.contains(.avx512)
            case .avx2: ProcessorFeatures.present.contains(.avx2)
            case .portable: true
            }
        }

        /// The fastest that this machine has.
        public static let best = allCases.first { $0.isAvailable } ?? .portable
    }

    /// Functions; a multiple of 16.
    public let lanes: Int
    /// `[3, lanes]`: first, second, third. The latter two are odd.
    public let keys: [UInt32]

    /// - Parameter words: random words, `3 × lanes` of them; `lanes` is rounded down to a multiple of 16.
    public init(words: [UInt32]) {
        lanes = words.count / 48 * 16
        let lanes = lanes
        keys = words.prefix(3 * lanes).enumerated().map { $0 < lanes ? $1 : $1 | 1 }
    }

    /// Lowers `minima[lanes]` to those of the elements. A path that this machine lacks is replaced by the portable one.
    public func lower(
        _ minima: UnsafeMutablePointer<UInt32>, to elements: UnsafeBufferPointer<UInt64>, path: Path = .best
    ) {
        guard let base = elements.baseAddress else { return }
        keys.withUnsafeBufferPointer { keys in
            guard let keys = keys.baseAddress else { return }
            #if arch(x86_64)
                switch path {
                case .avx512 where path.isAvailable:
                    orrery_minhash_avx512(base, elements.count, keys, minima, lanes)
                    return
                case .avx2 where path.isAvailable:
                    orrery_minhash_avx2(base, elements.count, keys, minima, lanes)
                    return
                default: break
                }
            #endif
            orrery_minhash_portable(base, elements.count, keys, minima, lanes)
        }
    }
}
