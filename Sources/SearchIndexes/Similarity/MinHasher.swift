public import Kernels
internal import Tensors

/// Makes signatures: for each of many hash functions the least hash over a set.
///
/// Two sets agree in a place of their signatures with a probability that is their Jaccard similarity.
///
/// ```swift
/// let hasher = MinHasher(MinHashSettings())
/// let (a, b) = (hasher.signature(of: "the dome turns …")!, hasher.signature(of: "the dome turned …")!)
/// a.similarity(to: b)                                 // near the Jaccard similarity of their shingles
/// ```
///
/// Source: Broder, Charikar, Frieze, Mitzenmacher, "Min-wise independent permutations", STOC 1998. Hash functions mix
/// 64 bits into 32; at 10⁶ shingles two minima meet by chance with probability 2⁻¹².
public struct MinHasher: Sendable {
    public let settings: MinHashSettings
    public let kernel: MinHashKernel

    public init(_ settings: MinHashSettings = MinHashSettings()) {
        self.settings = settings
        var random = PhiloxGenerator(seed: settings.seed, stream: 0x4D69_6E48)
        kernel = MinHashKernel(words: (0..<3 * settings.permutations).map { _ in random.nextWord() })
    }

    /// Returns the signature of a text; `nil` for one without words.
    public func signature(of text: String) -> MinHashSignature? {
        signature(of: settings.shingling.hashes(of: text))
    }

    /// Returns the signature of a set of 64-bit hashes; `nil` for the empty one.
    public func signature(of elements: [UInt64]) -> MinHashSignature? {
        guard !elements.isEmpty else { return nil }
        var minima = [UInt32](repeating: .max, count: kernel.lanes)
        minima.withUnsafeMutableBufferPointer { minima in
            guard let base = minima.baseAddress else { return }
            elements.withUnsafeBufferPointer { kernel.lower(base, to: $0) }
        }
        return MinHashSignature(minima: minima)
    }
}

/// The least hashes of a set.
public struct MinHashSignature: Hashable, Sendable {
    public let minima: [UInt32]

    public init(minima: [UInt32]) { self.minima = minima }

    /// Returns the share of places that agree: an estimate of the Jaccard similarity. 0 for signatures of different
    /// lengths.
    public func similarity(to other: Self) -> Double {
        guard minima.count == other.minima.count, !minima.isEmpty else { return 0 }
        var equal = 0
        for index in minima.indices where minima[index] == other.minima[index] { equal += 1 }
        return Double(equal) / Double(minima.count)
    }
}
