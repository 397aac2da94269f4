internal import Bytes
internal import CZlib

/// Writes a zip as Python's zipfile does for NumPy: no dates, sizes of eight bytes in every local header.
///
/// Local headers are written with empty sizes and filled in when the member ends, so that members stream.
struct ZipWriter {
    private let file: AtomicFile
    private let path: String
    private var entries: [ZipEntry] = []
    private var current: Member?

    /// 1 January 1980, the first day that the format knows.
    private static let date: UInt16 = 0x0021
    /// Version 4.5 of the format, on Unix: what sizes of eight bytes need.
    private static let version: UInt16 = 45
    private static let madeBy: UInt16 = 3 << 8 | version
    /// Readable and writable by its owner.
    private static let attributes: UInt32 = 0o600 << 16

    private struct Member {
        var name: String
        var method: ZipEntry.Method
        var start: Int
        var dataStart: Int
        var size = 0
        var checksum: UInt32 = 0
        var deflater: Deflater?
    }

    init(_ file: AtomicFile, path: String) {
        self.file = file
        self.path = path
    }

    mutating func begin(_ name: String, method: ZipEntry.Method) throws(TensorFileError) {
        guard name.utf8.count < Int(ZipFormat.escape16) else {
            throw TensorFileError(file: path, problem: .unwritable("a name is too long for a zip"))
        }
        let start = file.position
        try file.write(Self.localHeader(name, method, checksum: 0, size: 0, packedSize: 0))
        current = Member(
            name: name, method: method, start: start, dataStart: file.position,
            deflater: method == .deflated ? try Deflater(path) : nil)
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(TensorFileError) {
        guard var member = current else { return }
        member.size += bytes.count
        member.checksum = CRC32.update(member.checksum, bytes)
        if let deflater = member.deflater {
            try deflater.write(bytes, isLast: false, to: file)
        } else {
            try file.write(bytes)
        }
        current = member
    }

    mutating func endMember() throws(TensorFileError) {
        guard let member = current else { return }
        try member.deflater?.write(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true, to: file)
        let entry = ZipEntry(
            name: member.name, methodNumber: member.method.rawValue, checksum: member.checksum,
            packedSize: file.position - member.dataStart, size: member.size, header: member.start)
        let header = Self.localHeader(
            entry.name, member.method, checksum: entry.checksum, size: entry.size, packedSize: entry.packedSize)
        try file.overwrite(header, at: member.start)
        entries.append(entry)
        current = nil
    }

    /// Writes the central directory and the end.
    mutating func finish() throws(TensorFileError) {
        let offset = file.position
        for entry in entries { try file.write(Self.centralHeader(entry)) }
        let size = file.position - offset
        let count = entries.count
        if count >= Int(ZipFormat.escape16) || offset > 0x7FFF_FFFF || size > 0x7FFF_FFFF {
            var record = ByteWriter()
            let place = file.position
            record.write(ZipFormat.end64, UInt64(ZipFormat.end64Length - 12), Self.version, Self.version)
            record.write(UInt32(0), UInt32(0), UInt64(count), UInt64(count), UInt64(size), UInt64(offset))
            record.write(ZipFormat.end64Locator, UInt32(0), UInt64(place), UInt32(1))
            try file.write(record.bytes)
        }
        var end = ByteWriter()
        let count16 = UInt16(clamping: count)
        end.write(ZipFormat.end, UInt16(0), UInt16(0), count16, count16)
        end.write(UInt32(clamping: size), UInt32(clamping: offset), UInt16(0))
        try file.write(end.bytes)
    }

    /// Names beyond ASCII say that they are UTF-8.
    private static func flags(_ name: String) -> UInt16 { name.utf8.allSatisfy { $0 < 0x80 } ? 0 : ZipFormat.utf8Flag }

    private static func localHeader(
        _ name: String, _ method: ZipEntry.Method, checksum: UInt32, size: Int, packedSize: Int
    ) -> [UInt8] {
        var header = ByteWriter()
        header.write(ZipFormat.localHeader, version, flags(name), method.rawValue, UInt16(0), date, checksum)
        header.write(ZipFormat.escape32, ZipFormat.escape32, UInt16(name.utf8.count), UInt16(20))
        header.bytes += Array(name.utf8)
        header.write(ZipFormat.extra64, UInt16(16), UInt64(size), UInt64(packedSize))
        return header.bytes
    }

    private static func centralHeader(_ entry: ZipEntry) -> [UInt8] {
        let start = entry.header
        // zipfile escapes from 2 GiB on, and puts only what it escaped into the extra field.
        let large = 0x7FFF_FFFF
        var extra = ByteWriter()
        let sizesEscaped = entry.size > large || entry.packedSize > large
        if sizesEscaped { extra.write(UInt64(entry.size), UInt64(entry.packedSize)) }
        if start > large { extra.write(UInt64(start)) }
        var header = ByteWriter()
        header.write(ZipFormat.centralHeader, madeBy, version, flags(entry.name), entry.methodNumber)
        header.write(UInt16(0), date, entry.checksum)
        header.write(sizesEscaped ? ZipFormat.escape32 : UInt32(entry.packedSize))
        header.write(sizesEscaped ? ZipFormat.escape32 : UInt32(entry.size))
        header.write(UInt16(entry.name.utf8.count), UInt16(extra.bytes.isEmpty ? 0 : extra.bytes.count + 4))
        header.write(UInt16(0), UInt16(0), UInt16(0), attributes)
        header.write(start > large ? ZipFormat.escape32 : UInt32(start))
        header.bytes += Array(entry.name.utf8)
        if !extra.bytes.isEmpty {
            header.write(ZipFormat.extra64, UInt16(extra.bytes.count))
            header.bytes += extra.bytes
        }
        return header.bytes
    }
}

/// A raw deflate stream at zlib's own level, as savez_compressed has it.
private final class Deflater {
    private var stream = z_stream()
    private let path: String
    private var output = [UInt8](repeating: 0, count: 1 << 16)

    init(_ path: String) throws(TensorFileError) {
        self.path = path
        let result = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else { throw TensorFileError(file: path, problem: .memory(bytes: 1 << 18)) }
    }

    deinit { deflateEnd(&stream) }

    /// Packs all of `bytes`, at most 1 GiB at a time, and what zlib held back where they are the last.
    func write(_ bytes: UnsafeRawBufferPointer, isLast: Bool, to file: AtomicFile) throws(TensorFileError) {
        var done = 0
        repeat {
            let part = min(bytes.count - done, 1 << 30)
            let source = bytes.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) + done }
            stream.next_in = source?.assumingMemoryBound(to: UInt8.self)
            stream.avail_in = uInt(part)
            done += part
            var isFull: Bool
            repeat {
                let room = output.count
                let made = output.withUnsafeMutableBufferPointer { buffer in
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = uInt(room)
                    _ = deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    return room - Int(stream.avail_out)
                }
                try output.withRawBytes { (packed) throws(TensorFileError) in
                    try file.write(UnsafeRawBufferPointer(rebasing: packed[..<made]))
                }
                isFull = made == room
            } while isFull
        } while done < bytes.count
    }
}
