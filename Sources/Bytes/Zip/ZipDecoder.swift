internal import CZlib
internal import CZstandard

/// A decompressor of one entry of a ZIP archive.
protocol ZipDecoder {
    /// Name of the compression method, for errors.
    var name: String { get }

    /// Returns the result of decompressing as many bytes as `target` has room for.
    ///
    /// Each buffer has at most 1 GiB.
    func decode(_ packed: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> ZipStep
}

/// Result of one call of a decompressor.
struct ZipStep {
    var taken = 0
    var made = 0
    /// Whether the stream, or a frame of it, is complete.
    var hasEnded = false
    var isCorrupt = false

    static let corrupt = ZipStep(isCorrupt: true)
}

/// Raw deflate, without zlib's own header.
final class Inflater: ZipDecoder {
    let name = "deflate"
    private var stream = z_stream()

    /// Creates a decompressor, or `nil` if there is not enough memory.
    init?() {
        let result = inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else { return nil }
    }

    deinit { inflateEnd(&stream) }

    func decode(_ packed: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> ZipStep {
        var empty: UInt8 = 0
        let result = withUnsafeMutablePointer(to: &empty) { empty in
            let source = packed.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) }
            stream.next_in = source?.assumingMemoryBound(to: UInt8.self) ?? empty
            stream.avail_in = uInt(packed.count)
            stream.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.avail_out = uInt(target.count)
            return inflate(&stream, Z_NO_FLUSH)
        }
        let taken = packed.count - Int(stream.avail_in)
        let made = target.count - Int(stream.avail_out)
        let isSound = result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR && made > 0
        return ZipStep(taken: taken, made: made, hasEnded: result == Z_STREAM_END, isCorrupt: !isSound)
    }
}

/// One or more Zstandard frames.
final class ZstandardDecoder: ZipDecoder {
    let name = "Zstandard"
    private let context: OpaquePointer

    /// Creates a decompressor, or `nil` if there is not enough memory.
    init?() {
        guard let context = ZSTD_createDCtx() else { return nil }
        self.context = context
    }

    deinit { ZSTD_freeDCtx(context) }

    func decode(_ packed: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> ZipStep {
        var input = ZSTD_inBuffer(src: packed.baseAddress, size: packed.count, pos: 0)
        var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
        let result = ZSTD_decompressStream(context, &output, &input)
        return ZipStep(
            taken: input.pos, made: output.pos, hasEnded: result == 0, isCorrupt: ZSTD_isError(result) != 0)
    }
}

/// CRC-32 as ZIP archives use it.
package enum CRC32 {
    /// Returns the checksum of bytes that follow the bytes with a given checksum; 0 is the checksum of no bytes.
    package static func update(_ checksum: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        guard let start = bytes.baseAddress else { return checksum }
        var checksum = uLong(checksum)
        var done = 0
        while done < bytes.count {
            let count = min(bytes.count - done, 1 << 30)
            checksum = crc32(checksum, (start + done).assumingMemoryBound(to: UInt8.self), uInt(count))
            done += count
        }
        return UInt32(truncatingIfNeeded: checksum)
    }
}
