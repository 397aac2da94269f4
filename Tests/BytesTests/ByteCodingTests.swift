import Bytes
import Testing

@Suite("Byte readers and writers")
struct ByteCodingTests {
    @Test("numbers and text are read as written")
    func roundTrip() throws {
        var writer = ByteWriter()
        writer.write(UInt8(7), Int16(-2), UInt32.max)
        writer.write(Float(1.5))
        writer.write(-Double.infinity)
        writer.write("é")
        for value: UInt64 in [0, 127, 128, 1 << 63, .max] { writer.writeVariable(value) }
        for value: Int64 in [0, -1, 1, .min, .max] { writer.writeSigned(value) }
        try writer.bytes.withRawBytes { (bytes) throws(ByteDamage) in
            var reader = ByteReader(bytes)
            #expect(try reader.read(UInt8.self) == 7)
            #expect(try reader.read(Int16.self) == -2)
            #expect(try reader.read(UInt32.self) == .max)
            #expect(try reader.readFloat() == 1.5)
            #expect(try reader.readDouble() == -.infinity)
            #expect(try reader.readText() == "é")
            for value: UInt64 in [0, 127, 128, 1 << 63, .max] { #expect(try reader.readVariable() == value) }
            for value: Int64 in [0, -1, 1, .min, .max] { #expect(try reader.readSigned() == value) }
            #expect(reader.isAtEnd)
        }
    }

    @Test("errors name the input, the offset, and the expected size")
    func damage() {
        let bytes: [UInt8] = [1, 2, 3, 0xFF]
        bytes.withRawBytes { bytes in
            var reader = ByteReader(bytes, "index")
            #expect(throws: Never.self) { try reader.read(UInt8.self) }
            #expect(throws: ByteDamage("truncated: expected 4 more bytes, found 3", at: 1, in: "index")) {
                try reader.read(UInt32.self)
            }
            #expect(throws: ByteDamage("a count of 4 exceeds the remaining 3 bytes", at: 1, in: "index")) {
                try reader.checked(4)
            }
            #expect(throws: Never.self) { try reader.readRaw(2) }
            #expect(throws: ByteDamage("truncated: expected 1 more byte, found 0", at: 4, in: "index")) {
                try reader.readVariable()
            }
        }
    }

    @Test("a variable-length number of more than 64 bits is damage")
    func overflow() {
        ([UInt8](repeating: 0xFF, count: 9) + [2]).withRawBytes { bytes in
            var reader = ByteReader(bytes)
            #expect(throws: ByteDamage("a number has more than 64 bits", at: 10)) { try reader.readVariable() }
        }
    }
}
