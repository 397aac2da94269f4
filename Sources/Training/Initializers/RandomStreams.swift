/// Where the first numbers of a model come from: every tensor draws from a stream of its own.
///
/// ```swift
/// var random = RandomStreams(seed: 42)
/// let hidden = try Linear<Float>("hidden", inputs: 64, outputs: 128, random: &random)
/// ```
/// The same seed and the same order of layers give the same bits on any machine. The streams are the upper half of
/// Philox's, so that they do not meet those of dropout masks and data under the same seed.
public struct RandomStreams: Sendable, Hashable {
    public let seed: UInt64
    private var used: UInt32 = 0

    public init(seed: UInt64) { self.seed = seed }

    /// A stream that no other owner has.
    public mutating func next() -> UInt32 {
        defer { used &+= 1 }
        return 0x8000_0000 | used
    }
}
