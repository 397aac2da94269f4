internal import Formatting

/// A 64-bit digest of bytes: tells damaged or changed files, not malicious ones.
///
/// - Source: Yann Collet, XXH64, as specified in "xxHash fast digest algorithm", version 0.1.1, with seed 0.
package struct Digest {
    private var lanes: SIMD4<UInt64>
    private var pending: [UInt8] = []
    private var count: UInt64 = 0

    private static let primes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (
        0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
        0x27D4_EB2F_1656_67C5
    )

    package init() {
        let primes = Self.primes
        lanes = SIMD4(primes.0 &+ primes.1, primes.1, 0, 0 &- primes.0)
        pending.reserveCapacity(32)
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count &+= UInt64(bytes.count)
        var rest = bytes[...]
        if !pending.isEmpty {
            let taken = min(32 - pending.count, rest.count)
            pending.append(contentsOf: rest.prefix(taken))
            rest = rest.dropFirst(taken)
            guard pending.count == 32 else { return }
            pending.withUnsafeBytes { lanes = Self.mixed(lanes, $0) }
            pending.removeAll(keepingCapacity: true)
        }
        let whole = rest.count / 32 * 32
        lanes = Self.mixed(lanes, UnsafeRawBufferPointer(rebasing: rest.prefix(whole)))
        pending.append(contentsOf: rest.dropFirst(whole))
    }

    /// Takes up a text and its length, so that the borders between texts count.
    package mutating func update(_ text: String) {
        update(UInt64(text.utf8.count))
        var text = text
        text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
    }

    package mutating func update(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { update($0) }
    }

    /// The digest of everything so far.
    package var value: UInt64 {
        let (p1, p2, p3, p4, p5) = Self.primes
        var hash: UInt64
        if count >= 32 {
            hash =
                Self.turned(lanes[0], 1) &+ Self.turned(lanes[1], 7) &+ Self.turned(lanes[2], 12)
                &+ Self.turned(lanes[3], 18)
            for lane in 0..<4 { hash = (hash ^ Self.round(0, lanes[lane])) &* p1 &+ p4 }
        } else {
            hash = p5
        }
        hash &+= count
        pending.withUnsafeBytes { bytes in
            var place = 0
            while place + 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                hash = Self.turned(hash ^ Self.round(0, word), 27) &* p1 &+ p4
                place += 8
            }
            if place + 4 <= bytes.count {
                let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
                hash = Self.turned(hash ^ UInt64(word) &* p1, 23) &* p2 &+ p3
                place += 4
            }
            while place < bytes.count {
                hash = Self.turned(hash ^ UInt64(bytes[place]) &* p5, 11) &* p1
                place += 1
            }
        }
        hash = (hash ^ hash &>> 33) &* p2
        hash = (hash ^ hash &>> 29) &* p3
        return hash ^ hash &>> 32
    }

    /// The digest as 16 digits.
    package var text: String { Self.text(value) }

    package static func text(_ value: UInt64) -> String { Format.hexadecimal(value, digits: 16) }

    private static func mixed(_ lanes: SIMD4<UInt64>, _ bytes: UnsafeRawBufferPointer) -> SIMD4<UInt64> {
        var (a, b, c, d) = (lanes[0], lanes[1], lanes[2], lanes[3])
        var place = 0
        while place < bytes.count {
            a = round(a, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
            b = round(b, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)))
            c = round(c, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 16, as: UInt64.self)))
            d = round(d, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 24, as: UInt64.self)))
            place += 32
        }
        return SIMD4(a, b, c, d)
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        turned(lane &+ word &* primes.1, 31) &* primes.0
    }

    @inline(__always)
    private static func turned(_ word: UInt64, _ bits: UInt64) -> UInt64 { word &<< bits | word &>> (64 - bits) }
}
