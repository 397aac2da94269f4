/// Damage that a reader of bytes found.
public struct ByteDamage: Error, Hashable, Sendable, CustomStringConvertible {
    /// Name of the input; empty if unknown.
    public var place: String
    /// Position of the damage in the input, in bytes.
    public var offset: Int
    /// Description, without a final period.
    public var what: String

    /// Creates an error, by default one without details.
    public init(_ what: String = "corrupt", at offset: Int = 0, in place: String = "") {
        self.place = place
        self.offset = offset
        self.what = what
    }

    public var description: String { "\(place)\(place.isEmpty ? "" : ", ")byte \(offset): \(what)" }
}

/// An error type that a ``CheckedReader`` throws.
public protocol ByteFailure: Error {
    /// Creates the error for damage.
    init(_ damage: ByteDamage)
}

extension ByteDamage: ByteFailure {
    /// Creates a copy.
    public init(_ damage: ByteDamage) { self = damage }
}

/// A reader that throws ``ByteDamage``.
public typealias ByteReader = CheckedReader<ByteDamage>

/// Reads the output of ``ByteWriter`` and of other programs, never past the end: the bytes can be anything.
public struct CheckedReader<Failure: ByteFailure> {
    /// The whole input; the caller keeps its memory alive.
    public let bytes: UnsafeRawBufferPointer
    /// Name of the input, for errors.
    public let place: String
    @usableFromInline var position = 0

    /// Creates a reader that starts at the first byte.
    @inlinable
    public init(_ bytes: UnsafeRawBufferPointer, _ place: String = "") {
        self.bytes = bytes
        self.place = place
    }

    /// Bytes read so far.
    @inlinable public var offset: Int { position }
    @inlinable public var remaining: Int { bytes.count - position }
    @inlinable public var isAtEnd: Bool { position == bytes.count }

    /// Reads a little-endian number.
    @inlinable public mutating func read<Integer: FixedWidthInteger & BitwiseCopyable>(
        _: Integer.Type = Integer.self
    ) throws(Failure) -> Integer {
        let size = MemoryLayout<Integer>.size
        guard remaining >= size else { throw short(size) }
        defer { position += size }
        return bytes.littleEndian(position, as: Integer.self)
    }

    /// Reads a number of four bytes.
    @inlinable public mutating func readFloat() throws(Failure) -> Float { Float(bitPattern: try read()) }
    /// Reads a number of eight bytes.
    @inlinable public mutating func readDouble() throws(Failure) -> Double { Double(bitPattern: try read()) }

    /// Reads a number of seven bits per byte, lowest first.
    @inlinable public mutating func readVariable() throws(Failure) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            guard position < bytes.count else { throw short(1) }
            let byte = bytes[position]
            position += 1
            guard shift < 63 || byte < 2 else { throw failure("a number has more than 64 bits") }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    /// Reads a signed number in zigzag coding.
    @inlinable public mutating func readSigned() throws(Failure) -> Int64 {
        let number = try readVariable()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// Reads the count of items that take at least `size` bytes each, so that it cannot exceed the remaining bytes.
    @inlinable public mutating func readCount(ofBytes size: Int = 1) throws(Failure) -> Int {
        try checked(readVariable(), ofBytes: size)
    }

    /// Returns a count of items that take at least `size` bytes each, if the remaining bytes can hold them.
    @inlinable public func checked(_ count: some BinaryInteger, ofBytes size: Int = 1) throws(Failure) -> Int {
        guard count >= 0, count <= UInt64(remaining / max(size, 1)) else {
            throw failure("a count of \(count) exceeds the remaining \(remaining) bytes")
        }
        return Int(count)
    }

    /// Reads the length of a text, then its UTF-8.
    @inlinable public mutating func readText() throws(Failure) -> String {
        String(decoding: try readRaw(readCount()), as: UTF8.self)
    }

    /// Returns the next bytes in place.
    @inlinable public mutating func readRaw(_ count: Int) throws(Failure) -> UnsafeRawBufferPointer {
        guard count >= 0, remaining >= count else { throw short(count) }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    /// Returns an error at the current offset.
    public func failure(_ what: String) -> Failure { Failure(ByteDamage(what, at: offset, in: place)) }

    @usableFromInline func short(_ size: Int) -> Failure {
        failure("truncated: expected \(size) more byte\(size == 1 ? "" : "s"), found \(remaining)")
    }
}
