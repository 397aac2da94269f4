package import Bytes

/// Writes values as consecutive bytes, for samples' records and cache keys.
///
/// Numbers take seven bits per byte, lowest first, signed ones in zigzag; a `Double` its eight bytes, so that it is
/// restored bit for bit; a string its length and its UTF-8. The layout has no names: readers and writers of a value
/// must agree, and the first byte of a record is the version of the layout.
package struct PackedWriter {
    package private(set) var bytes: [UInt8] = []

    package init(reserving count: Int = 1024) { bytes.reserveCapacity(count) }

    package mutating func write(unsigned number: UInt64) {
        bytes.appendVariable(number)
    }

    package mutating func write(_ number: Int64) {
        bytes.appendSigned(number)
    }

    package mutating func write(_ number: Int) { write(Int64(number)) }

    package mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    package mutating func write(tag: UInt8) { bytes.append(tag) }

    package mutating func write(_ number: Double) {
        bytes.appendFixed(number.bitPattern)
    }

    package mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            write(unsigned: UInt64(utf8.count))
            bytes.append(contentsOf: utf8)
        }
    }

    package mutating func write<Value: Packed>(_ value: Value) { value.pack(into: &self) }

    package mutating func write<Value: Packed>(_ value: Value?) {
        write(value != nil)
        if let value { value.pack(into: &self) }
    }

    package mutating func write<Value: Packed>(_ values: [Value]) {
        write(unsigned: UInt64(values.count))
        for value in values { value.pack(into: &self) }
    }
}

/// Reads the output of `PackedWriter`; changed bytes are an error, never a crash.
package struct PackedReader {
    /// An error for corrupt bytes.
    package struct Damage: ByteFailure, Equatable {
        package init() {}
        package init(_ damage: ByteDamage) {}
    }

    private var reader: CheckedReader<Damage>

    package init(_ bytes: UnsafeRawBufferPointer) { reader = CheckedReader(bytes) }

    package var isAtEnd: Bool { reader.isAtEnd }

    package mutating func unsigned() throws(Damage) -> UInt64 { try reader.readVariable() }
    package mutating func int64() throws(Damage) -> Int64 { try reader.readSigned() }
    package mutating func int() throws(Damage) -> Int { Int(try int64()) }
    package mutating func tag() throws(Damage) -> UInt8 { try reader.read() }
    package mutating func double() throws(Damage) -> Double { try reader.readDouble() }
    package mutating func text() throws(Damage) -> String { try reader.readText() }

    package mutating func bool() throws(Damage) -> Bool {
        switch try tag() {
        case 0: false
        case 1: true
        default: throw Damage()
        }
    }

    package mutating func value<Value: Packed>(_ type: Value.Type = Value.self) throws(Damage) -> Value {
        try Value(from: &self)
    }

    package mutating func optional<Value: Packed>(_ type: Value.Type = Value.self) throws(Damage) -> Value? {
        try bool() ? try Value(from: &self) : nil
    }

    package mutating func array<Value: Packed>(_ type: Value.Type = Value.self) throws(Damage) -> [Value] {
        // Every value takes at least one byte, so a count beyond the remaining bytes is invalid.
        let count = try reader.readCount()
        var values: [Value] = []
        values.reserveCapacity(min(count, 4096))
        for _ in 0..<count { values.append(try Value(from: &self)) }
        return values
    }
}

/// A value that is stored as bytes.
package protocol Packed {
    func pack(into writer: inout PackedWriter)
    init(from reader: inout PackedReader) throws(PackedReader.Damage)
}

extension String: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(self) }
    package init(from reader: inout PackedReader) throws(PackedReader.Damage) { self = try reader.text() }
}

extension Double: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(self) }
    package init(from reader: inout PackedReader) throws(PackedReader.Damage) { self = try reader.double() }
}

extension Int: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(self) }
    package init(from reader: inout PackedReader) throws(PackedReader.Damage) { self = try reader.int() }
}

extension Int64: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(self) }
    package init(from reader: inout PackedReader) throws(PackedReader.Damage) { self = try reader.int64() }
}

extension UInt64: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(unsigned: self) }
    package init(from reader: inout PackedReader) throws(PackedReader.Damage) { self = try reader.unsigned() }
}

extension Bool: Packed {
    package func pack(into writer: inout PackedWriter) { writer.write(self) }
    package init(from reader: inout PackedReader) throws(PackedReader.Damage) { self = try reader.bool() }
}
