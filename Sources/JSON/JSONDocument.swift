/// A parsed JSON text that owns its bytes, for data on screens and for tests.
///
/// Its memory is the size of the text plus 16 bytes for each value. For a stream of records, use one `JSONParser`
/// instead.
public final class JSONDocument: @unchecked Sendable {
    // Sendable, because nothing is written after initialization and nodes are available only inside `withRoot`.
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private let parser: JSONParser
    private let node: JSONNode

    /// Creates a document from a copy of `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: JSON text.
    ///   - maximumDepth: Maximum nesting depth of objects and arrays.
    /// - Throws: `JSONError` if the text is invalid.
    public init(parsing bytes: some Collection<UInt8>, maximumDepth: Int = 1024) throws(JSONError) {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = buffer.initialize(from: bytes)
        let parser = JSONParser(maximumDepth: maximumDepth)
        do {
            node = try parser.parseForDocument(UnsafeBufferPointer(buffer))
        } catch {
            buffer.deallocate()
            throw error
        }
        self.buffer = buffer
        self.parser = parser
    }

    /// Creates a document from `text`.
    ///
    /// - Parameters:
    ///   - text: JSON text.
    ///   - maximumDepth: Maximum nesting depth of objects and arrays.
    /// - Throws: `JSONError` if the text is invalid.
    public convenience init(parsing text: String, maximumDepth: Int = 1024) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), maximumDepth: maximumDepth)
    }

    deinit { buffer.deallocate() }

    /// Calls `body` with the root node, which is valid only during the call.
    public func withRoot<R, E: Error>(_ body: (JSONNode) throws(E) -> R) throws(E) -> R {
        defer { withExtendedLifetime(self) {} }
        return try body(node)
    }

    /// Returns the bytes of the text in `range`, such as the `byteRange` of a node.
    public func bytes(in range: Range<Int>) -> [UInt8] { Array(buffer[range.clamped(to: 0..<buffer.count)]) }
}
