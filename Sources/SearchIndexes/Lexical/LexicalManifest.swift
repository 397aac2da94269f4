internal import Bytes

/// What a lexical index is and which segments it has: the segment `lexical 0` of a store.
struct LexicalManifest {
    struct Segment {
        var number: Int
        var documentCount: Int
        /// Sizes of the pieces of each of the four streams.
        var pieces: [[Int]]
        var removedCount: Int
    }

    static let key = SegmentKey("lexical")
    private static let magic: UInt32 = 0x494C_524F
    private static let version: UInt16 = 1

    var settings: LexicalSettings
    var nextNumber: Int
    var segments: [Segment]

    static func removedKey(_ number: Int) -> SegmentKey { SegmentKey("lexical-removed", number) }

    func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.write(Self.magic)
        writer.write(Self.version)
        writer.write(settings.analyzer.name)
        writer.writeVariable(UInt64(settings.fields.count))
        for field in settings.fields {
            writer.write(field.name)
            writer.write(field.boost)
        }
        writer.write(settings.k1)
        writer.write(settings.b)
        writer.write(UInt8(settings.byteNorms ? 1 : 0))
        writer.writeVariable(UInt64(settings.memoryBudget))
        writer.writeVariable(UInt64(nextNumber))
        writer.writeVariable(UInt64(segments.count))
        for segment in segments {
            writer.writeVariable(UInt64(segment.number))
            writer.writeVariable(UInt64(segment.documentCount))
            writer.writeVariable(UInt64(segment.removedCount))
            for pieces in segment.pieces {
                writer.writeVariable(UInt64(pieces.count))
                for size in pieces { writer.writeVariable(UInt64(size)) }
            }
        }
        return writer.bytes
    }

    init(settings: LexicalSettings, nextNumber: Int, segments: [Segment]) {
        self.settings = settings
        self.nextNumber = nextNumber
        self.segments = segments
    }

    init(decoding bytes: UnsafeRawBufferPointer) throws(SegmentError) {
        var reader = SegmentReader(bytes, Self.key)
        guard try reader.read(UInt32.self) == Self.magic else { throw reader.failure("not a lexical index") }
        let version: UInt16 = try reader.read()
        guard version == Self.version else {
            throw reader.failure("unsupported version \(version) (expected \(Self.version))")
        }
        let name = try reader.readText()
        guard let analyzer = Analyzer.named(name) else {
            throw reader.failure("unknown analyzer \(name.prefix(40))")
        }
        var fields: [LexicalField] = []
        for _ in 0..<(try reader.readCount(ofBytes: 9)) {
            fields.append(LexicalField(try reader.readText(), boost: try reader.readDouble()))
        }
        settings = LexicalSettings(
            analyzer: analyzer, fields: fields, k1: try reader.readDouble(), b: try reader.readDouble(),
            byteNorms: try reader.read(UInt8.self) != 0, memoryBudget: try Self.number(&reader))
        try settings.check()
        nextNumber = try Self.number(&reader, below: 1 << 40)
        segments = []
        for _ in 0..<(try reader.readCount(ofBytes: 7)) {
            var segment = Segment(
                number: try Self.number(&reader, below: nextNumber), documentCount: try Self.number(&reader),
                pieces: [], removedCount: try Self.number(&reader))
            for _ in LexicalSegment.parts {
                var pieces: [Int] = []
                for _ in 0..<(try reader.readCount()) {
                    pieces.append(try Self.number(&reader, below: SegmentLimits.maximumBytes + 1))
                }
                guard (1..<SegmentStream.pieceLimit).contains(pieces.count) else {
                    throw reader.failure("a part of segment \(segment.number) has \(pieces.count) pieces")
                }
                segment.pieces.append(pieces)
            }
            segments.append(segment)
        }
        guard reader.remaining == 0, Set(segments.map(\.number)).count == segments.count else {
            throw reader.failure("the segment does not end where expected")
        }
    }

    private static func number(_ reader: inout SegmentReader, below limit: Int = 1 << 48) throws(SegmentError) -> Int {
        let value = try reader.readVariable()
        guard value < UInt64(limit) else { throw reader.failure("the number \(value) is out of range") }
        return Int(value)
    }
}
