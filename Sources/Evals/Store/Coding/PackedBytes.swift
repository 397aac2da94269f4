package import Bytes

/// Writes values as consecutive bytes, for samples' records and cache keys.
///
/// Numbers take seven bits per byte, lowest first, signed ones in zigzag; a `Double` its eight bytes, so that it is
/// restored bit for bit; a string its length and its UTF-8. The layout has no names: readers and writers of a value
/// must agree, and the first byte of a record is the version of the layout.
package struct PackedWriter {
    package fileprivate(set) var bytes: [UInt8] = []

    package init(reserving count: Int = 1024) { bytes.reserveCapacity(count) }

    /// Writes up to ten values, one after the other.
    ///
    /// The parameters have separate types, because the compiler does not specialize loops over parameter packs.
    package mutating func write<
        A: Packed, B: Packed, C: Packed, D: Packed, E: Packed, F: Packed, G: Packed, H: Packed, I: Packed, J: Packed
    >(
        _ a: A, _ b: B = Absent(), _ c: C = Absent(), _ d: D = Absent(), _ e: E = Absent(), _ f: F = Absent(),
        _ g: G = Absent(), _ h: H = Absent(), _ i: I = Absent(), _ j: J = Absent()
    ) {
        a.pack(into: &self)
        b.pack(into: &self)
        c.pack(into: &self)
        d.pack(into: &self)
        e.pack(into: &self)
        f.pack(into: &self)
        g.pack(into: &self)
        h.pack(into: &self)
        i.pack(into: &self)
        j.pack(into: &self)
    }
}

/// A value that is stored as bytes.
package protocol Packed {
    func pack(into writer: inout PackedWriter)
    /// Reads the output of `pack`.
    ///
    /// - Throws: `ByteDamage` for corrupt bytes, which never crash.
    init(from reader: inout ByteReader) throws(ByteDamage)
}

extension Packed {
    /// The value as bytes.
    package var packed: [UInt8] {
        var writer = PackedWriter(reserving: 256)
        pack(into: &writer)
        return writer.bytes
    }
}

extension ByteReader {
    /// Reads the next value.
    package mutating func next<Value: Packed>(_ type: Value.Type = Value.self) throws(ByteDamage) -> Value {
        try Value(from: &self)
    }

    /// Reads the version of a layout.
    ///
    /// - Throws: `ByteDamage` if the version is newer than `newest`.
    @discardableResult
    package mutating func version(upTo newest: UInt8) throws(ByteDamage) -> UInt8 {
        let version: UInt8 = try next()
        guard (1...newest).contains(version) else { throw failure("unsupported version \(version)") }
        return version
    }
}

/// No value, in no bytes.
package struct Absent: Packed {
    package init() {}
    package init(from reader: inout ByteReader) {}
    package func pack(into writer: inout PackedWriter) {}
}

/// One byte, such as the tag of a case.
extension UInt8: Packed {
    package func pack(into writer: inout PackedWriter) { writer.bytes.append(self) }
    package init(from reader: inout ByteReader) throws(ByteDamage) { self = try reader.read() }
}

extension Bool: Packed {
    package func pack(into writer: inout PackedWriter) { writer.bytes.append(self ? 1 : 0) }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        switch try reader.next(UInt8.self) {
        case 0: self = false
        case 1: self = true
        case let byte: throw reader.failure("unknown flag \(byte)")
        }
    }
}

extension UInt64: Packed {
    package func pack(into writer: inout PackedWriter) { writer.bytes.appendVariable(self) }
    package init(from reader: inout ByteReader) throws(ByteDamage) { self = try reader.readVariable() }
}

extension Int64: Packed {
    package func pack(into writer: inout PackedWriter) { writer.bytes.appendSigned(self) }
    package init(from reader: inout ByteReader) throws(ByteDamage) { self = try reader.readSigned() }
}

extension Int: Packed {
    package func pack(into writer: inout PackedWriter) { Int64(self).pack(into: &writer) }
    package init(from reader: inout ByteReader) throws(ByteDamage) { self.init(try reader.readSigned()) }
}

extension Double: Packed {
    package func pack(into writer: inout PackedWriter) { writer.bytes.appendFixed(bitPattern) }
    package init(from reader: inout ByteReader) throws(ByteDamage) { self = try reader.readDouble() }
}

extension String: Packed {
    package func pack(into writer: inout PackedWriter) {
        var text = self
        text.withUTF8 { utf8 in
            writer.bytes.appendVariable(UInt64(utf8.count))
            writer.bytes.append(contentsOf: utf8)
        }
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) { self = try reader.readText() }
}

extension Optional: Packed where Wrapped: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(self != nil)
        self?.pack(into: &writer)
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self = try reader.next() ? try reader.next(Wrapped.self) : nil
    }
}

extension Array: Packed where Element: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(UInt64(count))
        for value in self { value.pack(into: &writer) }
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        // Every value takes at least one byte, so a count beyond the remaining bytes is invalid.
        let count = try reader.readCount()
        self.init()
        reserveCapacity(Swift.min(count, 4096))
        for _ in 0..<count { append(try reader.next()) }
    }
}

/// Members sorted by key, so that equal dictionaries have equal bytes.
extension Dictionary: Packed where Key: Packed & Comparable, Value: Packed {
    package func pack(into writer: inout PackedWriter) {
        writer.write(UInt64(count))
        for (key, value) in sorted(by: { $0.key < $1.key }) { writer.write(key, value) }
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        self.init()
        for _ in 0..<(try reader.readCount()) { self[try reader.next()] = try reader.next(Value.self) }
    }
}
