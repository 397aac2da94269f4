import CZstandard

/// Reads payloads that ``Compressor`` made and finds out when a byte of them has changed.
///
/// The frame is not trusted: its size is compared with a limit before memory is taken, and no more than that is ever
/// written. The context is kept between calls: make one a thread.
public final class Decompressor {
    /// What one payload may hold unless the caller says otherwise: 64 MiB.
    public static let standardLimit = 64 << 20

    private let context: OpaquePointer

    public init() throws(PayloadError) {
        guard let context = ZSTD_createDCtx() else { throw .failed("no memory for zstd") }
        self.context = context
    }

    deinit { ZSTD_freeDCtx(context) }

    /// The number of bytes that a payload says it holds, without reading it.
    public static func size(of payload: UnsafeRawBufferPointer) throws(PayloadError) -> UInt64 {
        let size = ZSTD_getFrameContentSize(payload.baseAddress, payload.count)
        // ZSTD_CONTENTSIZE_UNKNOWN and ZSTD_CONTENTSIZE_ERROR are macros of a kind that Swift does not import.
        switch size {
        case UInt64.max: throw .damaged("the frame does not say how much it holds")
        case UInt64.max - 1: throw .damaged("it is no zstd frame")
        default: return size
        }
    }

    /// Reads a payload of at most `limit` bytes.
    ///
    /// - Throws: ``PayloadError/damaged(_:)`` when anything differs from what was written,
    ///   ``PayloadError/tooLarge(bytes:limit:)`` before any memory is taken.
    public func decompress(
        _ payload: UnsafeRawBufferPointer, limit: Int = Decompressor.standardLimit
    ) throws(PayloadError) -> [UInt8] {
        let size = try Self.size(of: payload)
        guard size <= UInt64(max(0, limit)) else { throw .tooLarge(bytes: size, limit: limit) }
        // One byte more than claimed, so that there is an address for an empty payload.
        var failure: PayloadError?
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(size) + 1) { room, count in
            let result = ZSTD_decompressDCtx(context, room.baseAddress, Int(size), payload.baseAddress, payload.count)
            if ZSTD_isError(result) != 0 {
                failure = .damaged(String(cString: ZSTD_getErrorName(result)))
            } else if UInt64(result) != size {
                failure = .damaged("it holds \(result) bytes and says \(size)")
            } else {
                count = result
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Reads a payload from an array.
    public func decompress(_ payload: [UInt8], limit: Int = Decompressor.standardLimit) throws(PayloadError) -> [UInt8]
    {
        let result = payload.withUnsafeBytes { bytes in
            Result { () throws(PayloadError) in try decompress(bytes, limit: limit) }
        }
        return try result.get()
    }
}
