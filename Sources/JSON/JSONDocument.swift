/// A parsed text that owns its bytes: for what stays on the screen, and for tests.
///
/// It takes its size plus 16 bytes for each value in it. A stream of records is better served by one `JSONParser`.
public final class JSONDocument: @unchecked Sendable {
    // Sendable, for nothing is written after the initializer and nodes cannot leave `withRoot` unnoticed.
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private let parser: JSONParser
    private let node: JSONNode

    /// Parses a copy of `bytes`.
    public init(parsing bytes: some Collection<UInt8>, maximumDepth: Int = 1024) throws(JSONError) {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = buffer.initialize(from: bytes)
        let parser = JSONParser(maximumDepth: maximumDepth)
        do {
            node = try parser.parseToKeep(UnsafeBufferPointer(buffer))
        } catch {
            buffer.deallocate()
            throw error
        }
        self.buffer = buffer
        self.parser = parser
    }

    /// Parses the UTF-8 of `text`.
    public convenience init(parsing text: String, maximumDepth: Int = 1024) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), maximumDepth: maximumDepth)
    }

    deinit { buffer.deallocate() }

    /// Calls `body` with the value, which must not leave it.
    public func withRoot<R, E: Error>(_ body: (JSONNode) throws(E) -> R) throws(E) -> R {
        defer { withExtendedLifetime(self) {} }
        return try body(node)
    }

    /// The parsed bytes at `range`, such as the `byteRange` of a node.
    public func bytes(in range: Range<Int>) -> [UInt8] { Array(buffer[range.clamped(to: 0..<buffer.count)]) }
}
