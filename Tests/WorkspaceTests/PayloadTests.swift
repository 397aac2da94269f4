import Testing
import Workspace

@Suite("Compressed payloads")
struct PayloadTests {
    let text = Array(String(repeating: #"{"type":"assistant","tokens":217}"#, count: 200).utf8)

    @Test("decompressing restores the bytes", arguments: [0, 1, 100, 70_000, 3_000_000])
    func roundTrip(size: Int) throws {
        var random = SeededRandom(7)
        let bytes = (0..<size).map { index in index % 3 == 0 ? UInt8(truncatingIfNeeded: random.next()) : 0x20 }
        let payload = try Compressor().compress(bytes)
        #expect(try Decompressor().decompress(payload) == bytes)
        #expect(try payload.withUnsafeBytes { try Decompressor.size(of: $0) } == UInt64(size))
    }

    @Test("repetitive content compresses well at every level", arguments: [-7, -1, 1, 3, 9] as [Int32])
    func small(level: Int32) throws {
        let payload = try Compressor(level: level).compress(text)
        #expect(payload.count < text.count / 10)
        #expect(try Decompressor().decompress(payload) == text)
    }

    @Test("one context processes many payloads and reuses its memory")
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

    @Test("a flipped bit never changes the content without an error")
    func flippedBits() throws {
        let payload = try Compressor().compress(Array(text.prefix(400)))
        let decompressor = try Decompressor()
        for bit in 0..<(payload.count * 8) {
            var damaged = payload
            damaged[bit / 8] ^= 1 << (bit % 8)
            // Flipping an unused bit may have no effect.
            let read = try? decompressor.decompress(damaged)
            #expect(read == nil || read == Array(text.prefix(400)), "bit \(bit)")
        }
    }

    @Test("the checksum detects a changed byte of incompressible content")
    func checksum() throws {
        // Random bytes are stored uncompressed, so only the checksum can detect the change.
        var random = SeededRandom(3)
        let bytes = (0..<1000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var payload = try Compressor().compress(bytes)
        payload[500] ^= 1
        let error = #expect(throws: PayloadError.self) { try Decompressor().decompress(payload) }
        #expect(error.map { "\($0)".contains("checksum") } == true)
    }

    @Test("truncated payloads and payloads with additional bytes are rejected")
    func lengths() throws {
        let payload = try Compressor().compress(text)
        for count in [0, 1, 4, 9, payload.count - 4, payload.count - 1] {
            #expect(throws: PayloadError.self) { try Decompressor().decompress(Array(payload.prefix(count))) }
        }
        #expect(throws: PayloadError.self) { try Decompressor().decompress(payload + [0, 1, 2, 3]) }
    }

    @Test("a payload with a huge recorded size is rejected before memory is allocated")
    func hostileSize() throws {
        // Magic number, descriptor (8-byte size, single segment, checksum), and then the size.
        let huge: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xE4] + [UInt8](repeating: 0x7F, count: 8) + [1, 0, 0]
        let error = #expect(throws: PayloadError.self) { try Decompressor().decompress(huge) }
        #expect(error == .tooLarge(bytes: 0x7F7F_7F7F_7F7F_7F7F, limit: Decompressor.standardLimit))
        let payload = try Compressor().compress(text)
        #expect(throws: PayloadError.tooLarge(bytes: UInt64(text.count), limit: 100)) {
            try Decompressor().decompress(payload, limit: 100)
        }
        #expect(try Decompressor().decompress(payload, limit: text.count) == text)
    }

    @Test("mutated payloads are rejected or decompress to the original bytes")
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

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), which gives the same numbers in every run.
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
