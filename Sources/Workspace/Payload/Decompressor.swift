import CZstandard

/// A decompressor that detects changed bytes, for payloads from ``Compressor``.
///
/// It does not trust frames: it compares the size that a frame records with a limit before it allocates memory, and
/// never writes more than the recorded size. It reuses its context, so create one decompressor per thread.
public final class Decompressor {
    /// Default limit for the size of a decompressed payload: 64 MiB.
    public static let standardLimit = 64 << 20

    private let context: OpaquePointer

    /// Creates a decompressor.
    public init() throws(PayloadError) {
        guard let context = ZSTD_createDCtx() else { throw .failed("zstd is out of memory") }
        self.context = context
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Returns the decompressed size in bytes that the frame of a payload records.
    public static func size(of payload: UnsafeRawBufferPointer) throws(PayloadError) -> UInt64 {
        let size = ZSTD_getFrameContentSize(payload.baseAddress, payload.count)
        // Swift does not import the macros ZSTD_CONTENTSIZE_UNKNOWN and ZSTD_CONTENTSIZE_ERROR.
        switch size {
        case UInt64.max: throw .damaged("the zstd frame does not record its size")
        case UInt64.max - 1: throw .damaged("not a zstd frame")
        default: return size
        }
    }

    /// Decompresses a payload of at most `limit` decompressed bytes.
    ///
    /// - Throws: ``PayloadError/damaged(_:)`` if any byte of the payload has changed;
    ///   ``PayloadError/tooLarge(bytes:limit:)`` before any memory is allocated.
    public func decompress(
        _ payload: UnsafeRawBufferPointer, limit: Int = Decompressor.standardLimit
    ) throws(PayloadError) -> [UInt8] {
        let size = try Self.size(of: payload)
        guard size <= UInt64(max(0, limit)) else { throw .tooLarge(bytes: size, limit: limit) }
        // The additional byte ensures that an empty payload has an address, too.
        var failure: PayloadError?
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(size) + 1) { buffer, count in
            let result = ZSTD_decompressDCtx(context, buffer.baseAddress, Int(size), payload.baseAddress, payload.count)
            if ZSTD_isError(result) != 0 {
                failure = .damaged(String(cString: ZSTD_getErrorName(result)))
            } else if UInt64(result) != size {
                failure = .damaged("expected \(size) bytes, found \(result)")
            } else {
                count = result
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Decompresses a payload in an array.
    public func decompress(_ payload: [UInt8], limit: Int = Decompressor.standardLimit) throws(PayloadError) -> [UInt8]
    {
        let result = payload.withUnsafeBytes { bytes in
            Result { () throws(PayloadError) in try decompress(bytes, limit: limit) }
        }
        return try result.get()
    }
}
