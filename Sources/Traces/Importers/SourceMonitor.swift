/// What the reading of a source reports to, and asks whether to go on.
public struct SourceMonitor {
    /// Gets every byte of the source in order. What it throws ends the reading.
    public var onBytes: ((UnsafeRawBufferPointer) throws -> Void)?
    /// Receives the number of bytes read so far, at most twenty times per second.
    public var onProgress: ((Int) -> Void)?
    /// Asked before each piece is read.
    public var isCancelled: (() -> Bool)?

    public init(
        onBytes: ((UnsafeRawBufferPointer) throws -> Void)? = nil, onProgress: ((Int) -> Void)? = nil,
        isCancelled: (() -> Bool)? = nil
    ) {
        self.onBytes = onBytes
        self.onProgress = onProgress
        self.isCancelled = isCancelled
    }
}
