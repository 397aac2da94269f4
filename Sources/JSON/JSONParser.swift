internal import CJSON

/// A reusable parser that returns a tree of views without copying bytes.
///
/// It validates the complete text (grammar, UTF-8, and control characters), but nodes unescape strings and convert
/// numbers only on request. Invalid escapes such as `\q` and lone surrogates are not errors; they become U+FFFD.
/// ```swift
/// let parser = JSONParser()
/// let tokens = try parser.parse(line) { record in
///     record["message"]?["usage"]?["input_tokens"]?.int
/// }
/// ```
/// Use a parser on one thread at a time; it reuses its memory for the next text.
public final class JSONParser {
    private let parser: OpaquePointer?

    /// Creates a parser with limits that prevent hostile text from using all memory.
    ///
    /// - Parameters:
    ///   - maximumDepth: Maximum nesting depth of objects and arrays, 0 to 2^20.
    ///   - maximumValues: Maximum number of keys and values in a text; each takes 16 bytes of memory.
    public init(maximumDepth: Int = 1024, maximumValues: Int = 1 << 24) {
        parser = orrery_json_parser_create(UInt32(min(max(maximumDepth, 0), 1 << 20)), UInt32(clamping: maximumValues))
    }

    deinit { orrery_json_parser_destroy(parser) }

    /// Parses one value; a byte-order mark before it and white space around it are allowed.
    ///
    /// - Returns: The value, which points to `bytes` and to memory of the parser. It is valid until the next parse, and
    ///   only while `bytes` and the parser exist.
    /// - Throws: `JSONError` if the text is invalid.
    /// - Complexity: O(n).
    public func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> JSONNode {
        let result = try run(bytes)
        return JSONNode(bytes: bytes.baseAddress!, entry: UnsafeRawPointer(result.tape!))
    }

    /// Parses one value and calls `body` with it; the node is valid only during the call.
    public func parse<R>(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (JSONNode) throws -> R) throws -> R {
        try withExtendedLifetime(self) { try body(parse(bytes)) }
    }

    /// Parses one value and calls `body` with it; the node is valid only during the call.
    public func parse<R>(_ bytes: [UInt8], _ body: (JSONNode) throws -> R) throws -> R {
        try bytes.withUnsafeBufferPointer { try parse($0, body) }
    }

    /// Parses one value and calls `body` with it; the node is valid only during the call.
    public func parse<R>(_ text: String, _ body: (JSONNode) throws -> R) throws -> R {
        var text = text
        return try text.withUTF8 { try parse($0, body) }
    }

    private func run(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> orrery_json_result {
        guard let parser else { throw JSONError(offset: 0, problem: .outOfMemory) }
        guard let base = bytes.baseAddress else { throw JSONError(offset: 0, problem: .empty) }
        let result = orrery_json_parse(parser, base, bytes.count)
        if result.problem == ORRERY_JSON_OK.rawValue { return result }
        throw JSONError(offset: result.offset, problem: JSONError.Problem(rawValue: result.problem) ?? .expectedValue)
    }

    /// Parses a value for a document, and shrinks the tape to the memory it needs.
    func parseForDocument(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> JSONNode {
        let result = orrery_json_parser_trim(parser, try run(bytes))
        return JSONNode(bytes: bytes.baseAddress!, entry: UnsafeRawPointer(result.tape!))
    }
}

@available(*, unavailable, message: "A parser reuses its tape; create one per task.")
extension JSONParser: Sendable {}

extension JSONParser {
    /// Instruction sets of the first parsing stage.
    package enum Variant: UInt32, CaseIterable {
        case scalar, avx2, avx512
    }

    /// Selects a variant.
    ///
    /// - Returns: `false` if the processor does not support it.
    package func use(_ variant: Variant) -> Bool {
        orrery_json_parser_use(parser, orrery_json_variant(rawValue: variant.rawValue))
    }

    /// Number of texts that a fast variant rejected and the scalar variant accepted; a value other than 0 is a bug.
    package var disagreements: UInt64 { orrery_json_parser_disagreements(parser) }
}
