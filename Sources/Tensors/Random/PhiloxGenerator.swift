/// A stream of random numbers in which every place can be reached at once.
///
/// ```swift
/// var random = PhiloxGenerator(seed: 42)
/// let noise = random.normal()                  // one after the other,
/// random.position = 1_000_000                  // or from anywhere
/// let weights = try Tensor<Float>.normal([768, 768], seed: 42, stream: 7)
/// ```
/// The words are blocks of Philox4x32-10: the seed is the key; the counter is the number of the block (64 bits), the
/// stream (32 bits), and the attempt (32 bits), which draws that reject use. So the same seed, stream and place give
/// the same number in any order, by any number of threads, and however many are asked for at once. Streams do not
/// overlap. The transformations use additions, multiplications, divisions and square roots alone, which every machine
/// rounds alike: the bits do not depend on a mathematics library.
public struct PhiloxGenerator: RandomNumberGenerator, Hashable, Sendable {
    public let seed: UInt64
    public let stream: UInt32
    /// How many words of 32 bits were used; `next` uses two.
    public var position: UInt64
    private var block: Philox4x32.Counter
    private var blockNumber: UInt64?

    public init(seed: UInt64, stream: UInt32 = 0, position: UInt64 = 0) {
        self.seed = seed
        self.stream = stream
        self.position = position
        block = .zero
    }

    /// Four words of a stream.
    ///
    /// - Parameter attempt: 0 for ordinary words; the number of rejections for other draws.
    @inlinable
    public static func words(
        _ number: UInt64, seed: UInt64, stream: UInt32, attempt: UInt32 = 0
    ) -> SIMD4<UInt32> {
        Philox4x32.block(
            SIMD4(UInt32(truncatingIfNeeded: number), UInt32(truncatingIfNeeded: number &>> 32), stream, attempt),
            key: SIMD2(UInt32(truncatingIfNeeded: seed), UInt32(truncatingIfNeeded: seed &>> 32)))
    }

    /// The next 32 bits.
    public mutating func nextWord() -> UInt32 {
        let number = position &>> 2
        if number != blockNumber {
            block = Self.words(number, seed: seed, stream: stream)
            blockNumber = number
        }
        let word = block[Int(position & 3)]
        position &+= 1
        return word
    }

    /// The next 64 bits: two words, the lower first.
    public mutating func next() -> UInt64 {
        let low = UInt64(nextWord())
        return low | UInt64(nextWord()) &<< 32
    }

    /// A number in [0, 1) with 53 random bits.
    public mutating func uniform() -> Double { Draw.uniform(next()) }

    /// A number of the normal distribution with mean 0 and deviation 1; it uses four words.
    public mutating func normal() -> Double {
        let radius = next()
        return Draw.normals(radius, next()).0
    }

    /// An integer of the range, each equally likely.
    public mutating func integer(in range: Range<Int>) -> Int {
        precondition(!range.isEmpty, "the range is empty")
        let size = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound))
        while true {
            if let value = Draw.below(size, next()) { return range.lowerBound &+ Int(truncatingIfNeeded: value) }
        }
    }

    /// Puts the elements into a random order, each order equally likely (Fisher and Yates; Durstenfeld 1964).
    public mutating func shuffle<Element>(_ elements: inout [Element]) {
        for last in stride(from: elements.count - 1, to: 0, by: -1) {
            elements.swapAt(last, integer(in: 0..<last + 1))
        }
    }

    /// The integers below `count` in a random order.
    public mutating func permutation(_ count: Int) -> [Int] {
        var order = Array(0..<max(0, count))
        shuffle(&order)
        return order
    }

    /// Two generators are the same where they go on with the same words.
    public static func == (a: Self, b: Self) -> Bool {
        (a.seed, a.stream, a.position) == (b.seed, b.stream, b.position)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(seed)
        hasher.combine(stream)
        hasher.combine(position)
    }
}
