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
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }

    static func mixed(_ value: UInt64) -> UInt64 {
        var z = value &+ 0x9e37_79b9_7f4a_7c15
        z = (z ^ (z &>> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z &>> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z &>> 31)
    }
}
