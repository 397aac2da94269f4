internal import CZlib

/// Unpacks one entry of a zip from its beginning, as far as it is asked to.
///
/// Memory is what the caller gives, plus zlib's window; the checksum is checked by `finish`.
final class ZipMember {
    private let entry: ZipEntry
    private let file: MappedFile
    private var stream = z_stream()
    private var isInflating = false
    /// Bytes of the packed data that have been used.
    private var used = 0
    /// Bytes that were unpacked.
    private(set) var position = 0
    private var checksum: uLong = 0
    private var hasEnded = false

    init(_ entry: ZipEntry, in file: MappedFile) throws(TensorFileError) {
        self.entry = entry
        self.file = file
        guard entry.method == .deflated else { return }
        // Negative window bits: raw deflate, without zlib's own header.
        let result = inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else { throw TensorFileError(file: file.path, problem: .memory(bytes: 65_536)) }
        isInflating = true
    }

    deinit { if isInflating { inflateEnd(&stream) } }

    /// Bytes that are still to come, by the directory.
    var remaining: Int { entry.size - position }

    /// Unpacks exactly as many bytes as the buffer has.
    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(TensorFileError) {
        guard buffer.count <= remaining else {
            throw TensorFileError(
                file: file.path, offset: entry.offset,
                problem: .damaged("\(entry.name) unpacks to \(entry.size) bytes, too few for its array"))
        }
        guard let start = buffer.baseAddress, buffer.count > 0 else { return }
        switch entry.method {
        case .stored:
            let source = try file.slice(entry.offset + used, buffer.count, what: entry.name)
            buffer.copyMemory(from: source)
            used += buffer.count
        case .deflated: try inflate(start, buffer.count)
        }
        position += buffer.count
        updateChecksum(UnsafeRawBufferPointer(buffer))
    }

    /// Reads what is left and compares length and checksum with the directory.
    func finish() throws(TensorFileError) {
        if remaining > 0 {
            let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: min(remaining, 1 << 16), alignment: 16)
            defer { chunk.deallocate() }
            while remaining > 0 {
                try read(UnsafeMutableRawBufferPointer(rebasing: chunk[..<min(remaining, chunk.count)]))
            }
        }
        if entry.method == .deflated, !hasEnded {
            // The end of a deflate stream may stand in bytes that gave no output yet; output is an error.
            var surplus: UInt8 = 0
            try withUnsafeMutableBytes(of: &surplus) { (byte) throws(TensorFileError) in
                guard try inflateSome(byte.baseAddress!, 1) == 0, hasEnded else {
                    throw damaged("unpacks to more bytes than the zip directory says")
                }
            }
        }
        guard used == entry.packedSize || entry.method == .deflated && hasEnded else {
            throw damaged("has unused packed bytes")
        }
        guard UInt32(truncatingIfNeeded: checksum) == entry.checksum else {
            throw damaged("does not match its CRC-32 in the zip directory")
        }
    }

    private func damaged(_ problem: String) -> TensorFileError {
        TensorFileError(file: file.path, offset: entry.offset, problem: .damaged("\(entry.name) \(problem)"))
    }

    private func inflate(_ start: UnsafeMutableRawPointer, _ count: Int) throws(TensorFileError) {
        var done = 0
        while done < count {
            let made = try inflateSome(start + done, count - done)
            done += made
            if hasEnded, done < count { throw damaged("ends before its unpacked size of \(entry.size) bytes") }
        }
    }

    /// One call of zlib, whose counts have 32 bits.
    private func inflateSome(_ start: UnsafeMutableRawPointer, _ count: Int) throws(TensorFileError) -> Int {
        if hasEnded { return 0 }
        let packed = try file.slice(entry.offset + used, entry.packedSize - used, what: entry.name)
        let given = min(packed.count, 1 << 30)
        let room = min(count, 1 << 30)
        var empty: UInt8 = 0
        let result = withUnsafeMutablePointer(to: &empty) { empty in
            let source = packed.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) }
            stream.next_in = source?.assumingMemoryBound(to: UInt8.self) ?? empty
            stream.avail_in = uInt(given)
            stream.next_out = start.assumingMemoryBound(to: UInt8.self)
            stream.avail_out = uInt(room)
            return CZlib.inflate(&stream, Z_NO_FLUSH)
        }
        let taken = given - Int(stream.avail_in)
        let made = room - Int(stream.avail_out)
        used += taken
        hasEnded = result == Z_STREAM_END
        guard result == Z_OK || hasEnded || (result == Z_BUF_ERROR && made > 0) else {
            throw damaged("cannot be unpacked: the deflate stream is corrupt at packed byte \(used)")
        }
        guard taken > 0 || made > 0 || hasEnded else { throw damaged("ends inside its deflate stream") }
        return made
    }

    private func updateChecksum(_ bytes: UnsafeRawBufferPointer) {
        checksum = Checksum.update(checksum, bytes)
    }
}

/// CRC-32 as zip has it.
enum Checksum {
    static func update(_ checksum: uLong, _ bytes: UnsafeRawBufferPointer) -> uLong {
        guard let start = bytes.baseAddress else { return checksum }
        var checksum = checksum
        var done = 0
        while done < bytes.count {
            let count = min(bytes.count - done, 1 << 30)
            checksum = crc32(checksum, (start + done).assumingMemoryBound(to: UInt8.self), uInt(count))
            done += count
        }
        return checksum
    }
}
