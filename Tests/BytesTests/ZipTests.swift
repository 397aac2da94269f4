import Bytes
import Testing

/// An archive in memory.
private struct MemoryArchive: ZipSource {
    struct Failure: Error { var problem: ZipProblem? }

    var bytes: [UInt8]
    var count: Int { bytes.count }

    func withBytes<R>(
        _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(Failure) -> R
    ) throws(Failure) -> R {
        guard range.upperBound <= bytes.count else { throw Failure() }
        return try Array(bytes[range]).withRawBytes(body)
    }

    func failure(_ problem: ZipProblem) -> Failure { Failure(problem: problem) }

    /// Creates an archive of entries that each decompress to the text of the test.
    init(_ entries: [(name: String, method: UInt16, packed: [UInt8])], checksum: UInt32) {
        var file = ByteWriter()
        var directory = ByteWriter()
        for (name, method, packed) in entries {
            let start = UInt32(file.bytes.count)
            var sizes = ByteWriter()
            sizes.write(UInt16(20), UInt16(0), method, UInt32(0x21), checksum, UInt32(packed.count), UInt32(280))
            sizes.write(UInt16(name.utf8.count), UInt16(0))
            file.write(ZipFormat.localHeader)
            file.bytes += sizes.bytes + Array(name.utf8) + packed
            directory.write(ZipFormat.centralHeader, UInt16(20))
            directory.bytes += sizes.bytes
            directory.write(UInt16(0), UInt32(0), UInt32(0), start)
            directory.bytes += Array(name.utf8)
        }
        let start = UInt32(file.bytes.count)
        file.bytes += directory.bytes
        file.write(ZipFormat.end, UInt32(0), UInt16(entries.count), UInt16(entries.count))
        file.write(UInt32(directory.bytes.count), start, UInt16(0))
        bytes = file.bytes
    }

    func content(_ entry: ZipEntry, pieces: Int) throws(Failure) -> [UInt8] {
        let member = try ZipMember(entry, in: self)
        var content: [UInt8] = []
        while true {
            let piece = try [UInt8](filling: pieces) { (buffer) throws(Failure) in try member.readAvailable(buffer) }
            content += piece
            if piece.count < pieces { return content }
        }
    }
}

@Suite("ZIP archives")
struct ZipTests {
    private static let text = Array(String(repeating: "orrery ", count: 40).utf8)
    private static let deflated: [UInt8] = [
        0xCB, 0x2F, 0x2A, 0x4A, 0x2D, 0xAA, 0x54, 0xC8, 0x1F, 0xA5, 0x50, 0x29, 0x00,
    ]
    /// Two frames.
    private static let zstandard: [UInt8] = [
        0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x58, 0x75, 0x00, 0x00, 0x38, 0x6F, 0x72, 0x72, 0x65, 0x72, 0x79, 0x20, 0x01,
        0x00, 0xAA, 0xA9, 0x18, 0x01, 0x70, 0x1F, 0xE2, 0x55, 0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x58, 0x75, 0x00, 0x00,
        0x38, 0x72, 0x65, 0x72, 0x79, 0x20, 0x6F, 0x72, 0x01, 0x00, 0x2A, 0x51, 0xC5, 0x08, 0x59, 0xF7, 0x94, 0x2D,
    ]

    private let archive = MemoryArchive(
        [("stored", 0, Self.text), ("deflated", 8, Self.deflated), ("zstandard", 93, Self.zstandard)],
        checksum: 0xbef6c7bd)

    @Test("stored, deflated, and Zstandard entries have the same content", arguments: [1, 7, 279, 280, 281, 4096])
    func methods(pieces: Int) throws {
        let directory = try ZipDirectory(archive, rules: .lenient)
        #expect(directory.entries.map(\.name) == ["stored", "deflated", "zstandard"])
        for entry in directory.entries { #expect(try archive.content(entry, pieces: pieces) == Self.text) }
        #expect(directory["deflated"]?.packedSize == Self.deflated.count)
    }

    @Test("strict rules refuse Zstandard and duplicate names, which lenient rules accept")
    func rules() throws {
        #expect { try ZipDirectory(archive, rules: .strict) } throws: {
            ($0 as? MemoryArchive.Failure)?.problem?.kind == .unsupported
        }
        let twice = MemoryArchive([("a", 0, Self.text), ("a", 0, Self.text)], checksum: 0xbef6c7bd)
        #expect(try ZipDirectory(twice, rules: .lenient)["a"]?.header == 311)
        #expect { try ZipDirectory(twice, rules: .strict) } throws: {
            ($0 as? MemoryArchive.Failure)?.problem?.what == "duplicate zip entry a"
        }
    }

    @Test("an archive with any byte changed yields the content or an error")
    func mutations() {
        for place in archive.bytes.indices {
            for change: UInt8 in [1, 0x80, 0xFF] {
                var changed = archive
                changed.bytes[place] ^= change
                guard let directory = try? ZipDirectory(changed, rules: .lenient) else { continue }
                for entry in directory.entries where entry.size < 1 << 20 {
                    guard let content = try? changed.content(entry, pieces: 4096) else { continue }
                    #expect(content == Self.text || content.isEmpty, "byte \(place) ^ \(change)")
                }
            }
        }
    }

    @Test("an archive without its end is truncated", arguments: [0, 1, 21, 400])
    func truncated(count: Int) {
        var short = archive
        short.bytes.removeLast(short.bytes.count - min(count, short.bytes.count - 1))
        #expect { try ZipDirectory(short, rules: .lenient) } throws: {
            ($0 as? MemoryArchive.Failure)?.problem?.kind == .noEnd
        }
    }
}
