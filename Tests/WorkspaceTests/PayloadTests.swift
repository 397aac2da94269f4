import Testing
import Workspace

@Suite("A compressed payload")
struct PayloadTests {
    let text = Array(String(repeating: #"{"type":"assistant","tokens":217}"#, count: 200).utf8)

    @Test("comes back as it was", arguments: [0, 1, 100, 70_000, 3_000_000])
    func roundTrip(size: Int) throws {
        var random = SeededRandom(7)
        let bytes = (0..<size).map { index in index % 3 == 0 ? UInt8(truncatingIfNeeded: random.next()) : 0x20 }
        let payload = try Compressor().compress(bytes)
        #expect(try Decompressor().decompress(payload) == bytes)
        #expect(try payload.withUnsafeBytes { try Decompressor.size(of: $0) } == UInt64(size))
    }

    @Test("is small where the content repeats, at every level", arguments: [-7, -1, 1, 3, 9] as [Int32])
    func small(level: Int32) throws {
        let payload = try Compressor(level: level).compress(text)
        #expect(payload.count < text.count / 10)
        #expect(try Decompressor().decompress(payload) == text)
    }

    @Test("can be made and read many times with one context, through memory that is used again")
    func reuse() throws {
        let (compressor, decompressor) = (try Compressor(), try Decompressor())
        for size in [10, 5_000_000, 3, 6000] {
            let bytes = Array(repeating: UInt8(size & 0xFF), count: size)
            let payload = try bytes.withUnsafeBytes { try compressor.withCompressed($0) { Array($0) } }
            #expect(try decompressor.decompress(payload) == bytes)
        }
        // An error leaves the context usable.
        #expect(throws: PayloadError.self) { try decompressor.decompress([1, 2, 3]) }
        #expect(try decompressor.decompress(compressor.compress(text)) == text)
    }

    @Test("is known to be damaged whichever bit of it changes")
    func flippedBits() throws {
        let payload = try Compressor().compress(Array(text.prefix(400)))
        let decompressor = try Decompressor()
        for bit in 0..<(payload.count * 8) {
            var damaged = payload
            damaged[bit / 8] ^= 1 << (bit % 8)
            // A bit that means nothing may leave the content as it was, never change it.
            let read = try? decompressor.decompress(damaged)
            #expect(read == nil || read == Array(text.prefix(400)), "bit \(bit)")
        }
    }

    @Test("carries a checksum, so that swapped content of the same shape is found out")
    func checksum() throws {
        // Random bytes are stored as they are: without a checksum nothing else would notice.
        var random = SeededRandom(3)
        let bytes = (0..<1000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var payload = try Compressor().compress(bytes)
        payload[500] ^= 1
        let error = #expect(throws: PayloadError.self) { try Decompressor().decompress(payload) }
        #expect(error.map { "\($0)".contains("checksum") } == true)
    }

    @Test("is known to be cut off or followed by something else")
    func lengths() throws {
        let payload = try Compressor().compress(text)
        for count in [0, 1, 4, 9, payload.count - 4, payload.count - 1] {
            #expect(throws: PayloadError.self) { try Decompressor().decompress(Array(payload.prefix(count))) }
        }
        #expect(throws: PayloadError.self) { try Decompressor().decompress(payload + [0, 1, 2, 3]) }
    }

    @Test("that claims to be huge is refused before memory is taken")
    func hostileSize() throws {
        // Magic, descriptor "8-byte size, single segment, checksum", then the size.
        let claim: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xE4] + [UInt8](repeating: 0x7F, count: 8) + [1, 0, 0]
        let error = #expect(throws: PayloadError.self) { try Decompressor().decompress(claim) }
        #expect(error == .tooLarge(bytes: 0x7F7F_7F7F_7F7F_7F7F, limit: Decompressor.standardLimit))
        let payload = try Compressor().compress(text)
        #expect(throws: PayloadError.tooLarge(bytes: UInt64(text.count), limit: 100)) {
            try Decompressor().decompress(payload, limit: 100)
        }
        #expect(try Decompressor().decompress(payload, limit: text.count) == text)
    }

    @Test("of random or mutated bytes is refused or read, and nothing else happens")
    func mutations() throws {
        var random = SeededRandom(11)
        let payload = try Compressor().compress(text)
        let decompressor = try Decompressor()
        for _ in 0..<5000 {
            var mutated = payload
            for _ in 0..<(1 + random.next() % 4) {
                mutated[Int(random.next() % UInt64(mutated.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            if let read = try? decompressor.decompress(mutated, limit: 1 << 20) { #expect(read == text) }
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): the same numbers in every run.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
