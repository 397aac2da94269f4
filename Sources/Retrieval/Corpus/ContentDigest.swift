internal import Formatting
internal import Traces

/// 128 bits that tell contents apart: of a document, of a chunk as it is embedded.
///
/// The same on every machine and in every release, for workspaces keep it. Not for security: two halves of
/// `Traces.Digest` under different seeds, so that honest contents do not meet by chance.
public struct ContentDigest: Hashable, Sendable {
    public var high: UInt64
    public var low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates the digest of texts in this order; ("ab", "c") and ("a", "bc") differ.
    public init(_ texts: String...) {
        var one = Digest(seed: 1)
        var other = Digest(seed: 2)
        for text in texts {
            one.add(text)
            other.add(text)
        }
        self.init(high: one.value, low: other.value)
    }

    /// 16 bytes, as the tables keep it.
    var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { [UInt8]($0) }
    }

    /// `nil` for anything but 16 bytes.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// 32 hexadecimal digits.
    public var text: String { [high, low].map { Format.hexadecimal($0, digits: 16) }.joined() }
}
