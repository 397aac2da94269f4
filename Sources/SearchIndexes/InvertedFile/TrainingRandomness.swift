import Hashing

/// Numbers that a seed decides, for choices that training makes.
///
/// - Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct TrainingRandomness: RandomNumberGenerator {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(state: seed) }

    mutating func next() -> UInt64 {
        generator.next()
    }

    /// Returns a random number from 0 to below 1.
    mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a random number from the standard normal distribution.
    mutating func normal() -> Double {
        // Twelve uniform numbers have variance 1; their tails end at 6, which directions do not mind.
        (0..<12).reduce(-6) { sum, _ in sum + fraction() }
    }

    /// Different numbers below `count`, in random order.
    mutating func sample(_ wanted: Int, of count: Int) -> [Int32] {
        var numbers = (0..<Int32(count)).map { $0 }
        for position in 0..<wanted {
            numbers.swapAt(position, position + Int(next() % UInt64(count - position)))
        }
        return Array(numbers.prefix(wanted))
    }
}
