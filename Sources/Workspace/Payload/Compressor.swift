import CZstandard

/// A compressor for payloads in BLOB columns; each payload becomes a zstd frame with its size and a checksum.
///
/// A compressor reuses its context, which takes a few hundred kilobytes, so create one per thread. `zstd -d` can read
/// the compressed payloads.
///
/// Compressing small records one by one is slow and saves little: for JSON records of 1.1 KB, level 1 compresses 155
/// MB/s to half the size on one core. For blocks of 64 KB, it compresses 730 MB/s to an eighth of the size. Therefore,
/// combine records that are read together.
///
/// ```swift
/// let blob = try Compressor().compress(record)
/// let again = try Decompressor().decompress(blob)     // == record, or an error
/// ```
public final class Compressor {
    /// Compression level for payloads: the fastest level that still finds good matches.
    public static let standardLevel: Int32 = 1

    private let context: OpaquePointer
    private var buffer: [UInt8] = []

    /// Creates a compressor; lower levels, including negative ones, are faster and compress less.
    public init(level: Int32 = Compressor.standardLevel) throws(PayloadError) {
        guard let context = ZSTD_createCCtx() else { throw .failed("zstd is out of memory") }
        self.context = context
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    }

    deinit { ZSTD_freeCCtx(context) }

    /// Calls `body` with the compressed bytes, which are valid only during the call.
    ///
    /// The next call reuses the memory. Use this method to bind a payload to a statement without copying it.
    public func withCompressed<T>(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> T) throws
        -> T
    {
        let bound = ZSTD_compressBound(bytes.count)
        if buffer.count < bound { buffer = [UInt8](repeating: 0, count: max(bound, 2 * buffer.count)) }
        let count = try buffer.withUnsafeMutableBytes { buffer throws(PayloadError) in
            try Self.checked(
                ZSTD_compress2(context, buffer.baseAddress, buffer.count, bytes.baseAddress, bytes.count))
        }
        defer { if buffer.count > Self.reusableSize { buffer = [] } }
        return try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    /// Compresses a buffer into a new array.
    public func compress(_ bytes: UnsafeRawBufferPointer) throws(PayloadError) -> [UInt8] {
        do {
            return try withCompressed(bytes) { Array($0) }
        } catch {
            throw error as? PayloadError ?? .failed("\(error)")
        }
    }

    /// Compresses an array.
    public func compress(_ bytes: [UInt8]) throws(PayloadError) -> [UInt8] {
        do {
            return try bytes.withUnsafeBytes { try withCompressed($0) { Array($0) } }
        } catch {
            throw error as? PayloadError ?? .failed("\(error)")
        }
    }

    // The memory for a very large record must not stay allocated for the rest of an import.
    private static let reusableSize = 4 << 20

    private static func checked(_ result: Int) throws(PayloadError) -> Int {
        guard ZSTD_isError(result) == 0 else { throw .failed(String(cString: ZSTD_getErrorName(result))) }
        return result
    }
}
