import Hashing

/// The part of all texts that training never sees: every n-th by its hash.
///
/// Membership depends on the text alone, not on a seed or on a list that would have to be kept, so that "never seen" can
/// be checked on any corpus at any time.
///
/// - Source of the hash: FNV-1a with 64 bits (Fowler, Noll, Vo), its bits mixed by the finalizer of SplitMix64.
public struct HeldOutRegion: Hashable, Sendable {
    /// One in this many texts is held out; 0 holds out none.
    public var oneIn: UInt64

    public init(oneIn: UInt64) { self.oneIn = oneIn }

    public func contains(_ text: some StringProtocol) -> Bool {
        oneIn > 0 && TextHash.mixed(TextHash.of(text.utf8)) % oneIn == 0
    }
}

/// Hashes of texts that are the same on every machine and in every run.
enum TextHash {
    static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        FNV1a.hash(bytes)
    }

    static func mixed(_ value: UInt64) -> UInt64 {
        SplitMix64.mix(value &+ SplitMix64.gamma)
    }
}
