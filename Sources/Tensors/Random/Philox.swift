public import Hashing

/// Philox4x32-10: a counter and a key in, four random words out.
///
/// Ten rounds of two multiplications whose halves are exchanged and mixed with a key that moves by Weyl constants.
/// There is no state, so that any place of a stream is as near as any other. It passes TestU01's BigCrush.
///
/// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011, section 4.3; the
/// constants are those of table 2 there.
public enum Philox4x32 {
    public typealias Counter = SIMD4<UInt32>
    public typealias Key = SIMD2<UInt32>

    /// Rounds work on single words: a vector would be taken apart for every multiplication.
    @inlinable
    public static func block(_ counter: Counter, key: Key) -> Counter {
        var (a, b, c, d) = (counter[0], counter[1], counter[2], counter[3])
        var (k, l) = (key[0], key[1])
        for _ in 0..<10 {
            let first = UInt64(a) &* 0xD251_1F53
            let second = UInt64(c) &* 0xCD9E_8D57
            a = UInt32(truncatingIfNeeded: second &>> 32) ^ b ^ k
            b = UInt32(truncatingIfNeeded: second)
            c = UInt32(truncatingIfNeeded: first &>> 32) ^ d ^ l
            d = UInt32(truncatingIfNeeded: first)
            k &+= 0x9E37_79B9
            l &+= 0xBB67_AE85
        }
        return Counter(a, b, c, d)
    }
}

/// Philox4x64-10: the same with words of 64 bits, which is what NumPy's `Philox` generates.
///
/// NumPy counts up before it generates: its first four words are the block of counter 1.
public enum Philox4x64 {
    public typealias Counter = SIMD4<UInt64>
    public typealias Key = SIMD2<UInt64>

    @inlinable
    public static func block(_ counter: Counter, key: Key) -> Counter {
        var words = counter
        var key = key
        for _ in 0..<10 {
            let first = words[0].multipliedFullWidth(by: 0xD2E7_470E_E14C_6C93)
            let second = words[2].multipliedFullWidth(by: 0xCA5A_8263_9512_1157)
            words = Counter(second.high ^ words[1] ^ key[0], second.low, first.high ^ words[3] ^ key[1], first.low)
            key = key &+ Key(SplitMix64.gamma, 0xBB67_AE85_84CA_A73B)
        }
        return words
    }
}
