/// The 64-bit hash XXH64: fast, the same on every machine, and no two inputs that differ within eight bytes collide
/// more often than chance has it.
///
/// Four lanes of 8 bytes are mixed on their own and merged at the end. Not for security.
/// Source: Yann Collet, "xxHash fast digest algorithm", specification 0.2.0, section XXH64.
package enum XXH64 {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var offset = 0
        let count = bytes.count
        var state: UInt64
        if count >= 32 {
            var (one, two) = (seed &+ prime1 &+ prime2, seed &+ prime2)
            var (three, four) = (seed, seed &- prime1)
            while offset &+ 32 <= count {
                one = round(one, word(bytes, offset))
                two = round(two, word(bytes, offset &+ 8))
                three = round(three, word(bytes, offset &+ 16))
                four = round(four, word(bytes, offset &+ 24))
                offset &+= 32
            }
            state = rotate(one, 1) &+ rotate(two, 7) &+ rotate(three, 12) &+ rotate(four, 18)
            for lane in [one, two, three, four] { state = (state ^ round(0, lane)) &* prime1 &+ prime4 }
        } else {
            state = seed &+ prime5
        }
        state &+= UInt64(count)
        while offset &+ 8 <= count {
            state = rotate(state ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
            offset &+= 8
        }
        if offset &+ 4 <= count {
            let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            state = rotate(state ^ UInt64(half) &* prime1, 23) &* prime2 &+ prime3
            offset &+= 4
        }
        while offset < count {
            state = rotate(state ^ UInt64(bytes[offset]) &* prime5, 11) &* prime1
            offset &+= 1
        }
        return avalanche(state)
    }

    /// Mixes a number so that each of its bits reaches all others.
    @inline(__always)
    static func avalanche(_ number: UInt64) -> UInt64 {
        var state = number
        state = (state ^ state >> 33) &* prime2
        state = (state ^ state >> 29) &* prime3
        return state ^ state >> 32
    }

    @inline(__always)
    private static func round(_ state: UInt64, _ word: UInt64) -> UInt64 {
        rotate(state &+ word &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 { word &<< bits | word &>> (64 &- bits) }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.baseAddress!.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
